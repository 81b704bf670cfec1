import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';

/**
 * A fresh UUIDv7 (RFC 9562 §5.7; a time and 74 random bits): the id of every stored thing, rendered into URLs only at the door. What is
 * made at the same time lies together in the indexes, so that a commit writes fewer pages, however many rows there are.
 */
export function newId(): string {
  const time = systemClock.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** A fresh secret of `bytes` random bytes (default 32, 256 bits) as base64url text. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a lower-case UUID, the only form in which ids are stored. */
export const isId = (text: string): boolean => UUID.test(text);
