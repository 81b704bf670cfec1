import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeKeyPair, pemName, toJwkText } from './key-pair.ts';

test('a pair made in the browser belongs together, and each is another', async () => {
  const [pair, other] = [await makeKeyPair(), await makeKeyPair()];
  if (pair === undefined || other === undefined) throw new Error('no pair');
  const signature = sign(null, Buffer.from('hello'), createPrivateKey(pair.privatePem));
  const publicKey = createPublicKey({ key: { ...pair.publicJwk }, format: 'jwk' });
  expect(verify(null, Buffer.from('hello'), publicKey, signature)).toBe(true);
  expect(Buffer.from(pair.publicJwk.x, 'base64url')).toHaveLength(32);
  expect([other.publicJwk.kid, other.publicJwk.x]).not.toEqual([pair.publicJwk.kid, pair.publicJwk.x]);
  expect(JSON.stringify(pair.publicJwk)).not.toContain('"d"');
});

test('a public key in PEM and a set of one key are read, anything else is left to the node', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk: unknown = JSON.parse(toJwkText(String(publicKey.export({ type: 'spki', format: 'pem' }))));
  expect(jwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519', x: publicKey.export({ format: 'jwk' }).x });
  expect(toJwkText('{"keys":[{"kid":"a"}]}')).toBe('{"kid":"a"}');
  for (const text of ['{"keys":[]}', '{"kid":"b"}', 'nothing', String(privateKey.export({ type: 'pkcs8', format: 'pem' })).trim()])
    expect(toJwkText(` ${text} `)).toBe(text);
});

test.each([
  ['Till at the door', 'till-at-the-door.pem'],
  ['../../etc', 'etc.pem'],
  ['世界', 'private-key.pem'],
])('the key %s goes into %s', (label, name) => expect(pemName(label)).toBe(name));
