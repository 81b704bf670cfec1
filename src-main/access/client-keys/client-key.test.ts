import { describe, expect, it } from 'vitest';
import { ok } from '../../platform/result.ts';
import { testKey } from '../http-signatures/testing/signed-requests.ts';
import { clientKey, readClientJwk } from './client-key.ts';
import { hasSmallOrder, isStrictPoint } from './ed25519-points.ts';

const key = await testKey('test-key', 7);

describe('the reader of a JWK', () => {
  it('takes an Ed25519 public key, drops what it does not know and finds its thumbprint', async () => {
    const read = await readClientJwk({ ...key.jwk, use: 'sig', x5c: ['AAAA'], exp: 1 });
    expect(read).toEqual(ok({ jwk: { ...key.jwk, use: 'sig' }, thumbprint: '--6IM5l0OosLj9yWskISYhUA3n_3CURQkmrYMSha_ck' }));
    expect(key.jwk.x).toBe('6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw');
  });

  const { kid: _kid, ...withoutKid } = key.jwk;
  const { alg: _alg, ...withoutAlg } = key.jwk;
  it.each([
    undefined,
    null,
    'key',
    1,
    [],
    {},
    [key.jwk],
    { keys: [key.jwk] },
    withoutKid,
    withoutAlg,
    { ...key.jwk, kid: '' },
    { ...key.jwk, kid: 'clé' },
    { ...key.jwk, kid: 'a\nb' },
    { ...key.jwk, kid: 1 },
    { ...key.jwk, kid: 'x'.repeat(257) },
    { ...key.jwk, kty: 'RSA' },
    { ...key.jwk, kty: 'oct', k: 'AAAA' },
    { ...key.jwk, crv: 'X25519' },
    { ...key.jwk, crv: 'Ed448' },
    { ...key.jwk, alg: 'RS256' },
    { ...key.jwk, alg: 'none' },
    { ...key.jwk, use: 'enc' },
    { ...key.jwk, x: '' },
    { ...key.jwk, x: `${key.jwk.x}=` },
    { ...key.jwk, x: key.jwk.x.slice(1) },
    { ...key.jwk, x: `A${key.jwk.x}` },
    { ...key.jwk, x: key.jwk.x.replace('-', '+') },
    { ...key.jwk, x: key.jwk.x.replace(/w$/, 'x') },
    { ...key.jwk, x: ` ${key.jwk.x.slice(1)}` },
  ])('refuses %j', async (value) => {
    expect(await readClientJwk(value)).toEqual({ ok: false, error: 'invalid_key' });
  });

  it('refuses a private key, whatever else is wrong with it', async () => {
    const pkcs = key.privateKey.export({ format: 'jwk' });
    for (const value of [{ ...pkcs, kid: 'a', alg: 'EdDSA' }, pkcs, { ...key.jwk, d: null }]) {
      expect(await readClientJwk(value)).toEqual({ ok: false, error: 'private_key' });
    }
  });

  it('names a key by the id under which it was found', () => {
    const { kid, thumbprint } = clientKey({ ...key.jwk, kid: 'other' }, key.thumbprint);
    expect({ kid, thumbprint }).toEqual({ kid: 'other', thumbprint: key.thumbprint });
  });
});

describe('the node', () => {
  const SMALL = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  ];
  const NOT_CANONICAL = [
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];

  it.each([...SMALL, ...NOT_CANONICAL])('refuses the public key %s, for which anybody could sign', async (hex) => {
    const x = Buffer.from(hex, 'hex').toString('base64url');
    expect(await readClientJwk({ ...key.jwk, x })).toEqual({ ok: false, error: 'invalid_key' });
  });

  it('knows such points in signatures, too', () => {
    for (const hex of SMALL) expect(hasSmallOrder(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(32, 1)])), hex).toBe(true);
  });

  it('takes keys that were really made', async () => {
    for (let i = 0; i < 50; i++) {
      const bytes = Buffer.from((await testKey()).jwk.x, 'base64url');
      expect(isStrictPoint(bytes)).toBe(true);
      expect(hasSmallOrder(bytes)).toBe(false);
      expect(isStrictPoint(bytes.subarray(1))).toBe(false);
    }
  });
});
