import { expect, it } from 'vitest';
import { base64 } from './hand-over.ts';

it('the browser writes bytes as RFC 4648 has them', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base64(new TextEncoder().encode(text)))).toEqual([
    ...['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy'],
  ]);
});

it.each([0x7fff, 0x8000, 0x8001, 262_144])('the browser loses none of %i bytes', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 256);
  expect(Uint8Array.from(atob(base64(bytes)), (character) => character.charCodeAt(0))).toEqual(bytes);
});
