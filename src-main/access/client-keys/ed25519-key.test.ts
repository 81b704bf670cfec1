import { expect, it } from 'vitest';
import { testKey } from '../http-signatures/testing/signed-requests.ts';
import { ed25519Key } from './ed25519-key.ts';

it('a key is imported once', async () => {
  const [{ jwk }, other] = [await testKey(), await testKey()];
  expect(ed25519Key(jwk.x)).toBe(ed25519Key(jwk.x));
  expect(ed25519Key(jwk.x)).not.toBe(ed25519Key(other.jwk.x));
});
