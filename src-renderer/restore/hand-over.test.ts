import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { base64 } from './hand-over.ts';

it.each([0, 1, 2, 3, 0x7fff, 0x8000, 0x8001, 262_144])('writes %i bytes as everybody else does', (length) => {
  const bytes = randomBytes(length);
  expect(base64(bytes)).toBe(bytes.toString('base64'));
});
