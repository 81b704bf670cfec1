import { randomBytes, randomUUID } from 'node:crypto';

/** A fresh UUIDv4 (122 random bits): the id of every stored thing, rendered into URLs only at the door. */
export const newId = (): string => randomUUID();

/** A fresh secret of `bytes` random bytes (default 32, 256 bits) as base64url text. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a lower-case UUID, the only form in which ids are stored. */
export const isId = (text: string): boolean => UUID.test(text);
