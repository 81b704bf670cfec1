import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';

/**
 * Makes a UUIDv7 (RFC 9562 §5.7), which holds the time and 74 random bits. Every stored thing has such an id, and only
 * the doors make URLs of it. Rows of the same time lie together in the indexes, so that a commit writes fewer pages
 * (decisions.md#D-57).
 */
export const newId = (): string => idAt(systemClock.now());

/** Makes an id of a certain time, in milliseconds since the Unix epoch; see {@link newId}. */
export function idAt(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Makes a secret of `bytes` random bytes (default 32, 256 bits), as base64url text. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tells whether `text` is a lower-case UUID. Ids are stored only in this form. */
export const isId = (text: string): boolean => UUID.test(text);

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** The time in an id that {@link newId} made. It is undefined for other texts. */
export const timeOfId = (id: string): number | undefined =>
  isId(id) && VERSION_7.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
