import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestAccess, TEST_ORIGIN, type TestAccess, testClient, testJwk } from '../testing/access.ts';
import { WireClient } from './client-identity.ts';

let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({
    documents: {
      'https://shop.example/till': { publicName: 'Shop' },
      'https://shop.example/quiet': {},
      'https://shop.example/odd': { publicName: 7 },
      'https://shop.example/long': { publicName: 'x'.repeat(5_000) },
      'https://shop.example/text': 'Shop',
    },
  });
});
afterEach(() => access.dispose());

describe('the client that a request names', () => {
  test.each([
    ['https://shop.example/till', 'https://shop.example/till'],
    ['https://SHOP.example:443/till', 'https://shop.example/till'],
    ['https://shop.example/till/', 'https://shop.example/till/'],
    ['https://shop.example/Till', 'https://shop.example/Till'],
    ['https://shop.example:8443/till', 'https://shop.example:8443/till'],
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    [`${TEST_ORIGIN}/bob`, `${TEST_ORIGIN}/bob`],
    ['http://former.example/bob', `${TEST_ORIGIN}/bob`],
  ])('is read from %s as %s', async (text, id) => {
    const expected = { ok: true, value: { kind: 'wallet-address', id, walletAddress: id } };
    expect(await access.identities.identify(text)).toEqual(expected);
    expect(await access.identities.identify({ walletAddress: text })).toEqual(expected);
  });

  test.each([
    '',
    'shop',
    '$shop.example/till',
    'ftp://shop.example/till',
    'https://user@shop.example/till',
    'https://shop.example/till?x=1',
    'https://shop.example/till#x',
  ])('is nobody when the request says %j', async (text) => {
    expect(await access.identities.identify(text)).toEqual({ ok: false, error: 'invalid_client' });
  });

  test('is named by its key’s thumbprint when it has only a key, whatever else the key contains', async () => {
    const jwk = testJwk();
    const identified = await access.identities.identify({ jwk: { ...jwk, note: 'x' } });
    expect(identified).toMatchObject({ ok: true, value: { kind: 'jwk', id: expect.stringMatching(/^jwk:[\w-]{43}$/), jwk } });
    const again = await access.identities.identify({ jwk: { ...jwk, kid: 'another' } });
    expect(again.ok && identified.ok && again.value.id === identified.value.id).toBe(true);
    expect((await access.identities.identify({ jwk: { ...jwk, crv: 'P-256' } })).ok).toBe(false);
    expect((await access.identities.identify({ jwk: { ...jwk, d: 'secret' } })).ok).toBe(false);
  });

  test.each<[unknown]>([[{ walletAddress: 'https://x.example/a', jwk: {} }], [{}], [7], [null], [{ key: { proof: 'httpsig' } }]])(
    'cannot have the form %j',
    (client) => expect(WireClient.safeParse(client).success).toBe(false),
  );
});

test.each([
  ['https://shop.example/till', { ok: true, value: 'Shop' }],
  ['https://shop.example/quiet', { ok: true, value: null }],
  ['https://shop.example/odd', { ok: true, value: null }],
  ['https://shop.example/long', { ok: true, value: 'x'.repeat(200) }],
  ['https://shop.example/text', { ok: false, error: 'no_document' }],
  ['https://shop.example/gone', { ok: false, error: 'no_document' }],
  [`${TEST_ORIGIN}/bob`, { ok: true, value: 'Bob' }],
  [`${TEST_ORIGIN}/nobody`, { ok: false, error: 'no_document' }],
])('the name of a client is read at %s', async (url, expected) => {
  expect(await access.identities.nameOf({ ...testClient(), id: url, walletAddress: url, kind: 'wallet-address' })).toEqual(expected);
});
