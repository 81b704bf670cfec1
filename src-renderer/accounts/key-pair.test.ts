import { expect, test } from 'vitest';
import { makeKeyPair, pemName, toJwkText } from './key-pair.ts';

const HELLO = new TextEncoder().encode('hello');
const bytesOf = (base64: string) => Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const contentOf = (pem: string) => bytesOf(pem.replaceAll(/-----[^-]+-----|\s/g, ''));

test('the two keys of a pair belong together, and each pair is another', async () => {
  const [pair, other] = [await makeKeyPair(), await makeKeyPair()];
  if (pair === undefined || other === undefined) throw new Error('no pair');
  const privateKey = await crypto.subtle.importKey('pkcs8', contentOf(pair.privatePem), 'Ed25519', false, ['sign']);
  const { kty, crv, x } = pair.publicJwk;
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const signature = await crypto.subtle.sign('Ed25519', privateKey, HELLO);
  expect(await crypto.subtle.verify('Ed25519', publicKey, signature, HELLO)).toBe(true);
  expect(bytesOf(x)).toHaveLength(32);
  expect([other.publicJwk.kid, other.publicJwk.x]).not.toEqual([pair.publicJwk.kid, pair.publicJwk.x]);
  expect(JSON.stringify(pair.publicJwk)).not.toContain('"d"');
});

test('the form reads a public key in PEM and a set of one key, and leaves anything else to the node', () => {
  // From RFC 8410, section 10.1, and the same key as a JWK.
  const pem = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n';
  const jwk: unknown = JSON.parse(toJwkText(pem));
  expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', x: 'Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE' });
  expect(toJwkText('{"keys":[{"kid":"a"}]}')).toBe('{"kid":"a"}');
  const privateKey =
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----';
  for (const text of ['{"keys":[]}', '{"kid":"b"}', 'nothing', privateKey]) expect(toJwkText(` ${text} `)).toBe(text);
});

test.each([
  ['Till at the door', 'till-at-the-door.pem'],
  ['../../etc', 'etc.pem'],
  ['世界', 'private-key.pem'],
])('the private key %s is saved as %s', (label, name) => expect(pemName(label)).toBe(name));
