import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../../journal/tables.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { newId } from '../../platform/ids.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { testKey } from '../http-signatures/testing/signed-requests.ts';
import { addClientKey, jwksOf, listClientKeys, revokeClientKey, StoredOwnKeys } from './store.ts';

const key = await testKey('till', 7);
const other = await testKey('till', 8);
const node = await testKey('paydesk-1', 9);
const wallet = newId();
const jwkText = JSON.stringify(key.jwk);

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(async () => {
  await test.dispose();
});

const add = (text = jwkText, walletAddressId = wallet, now = 1_000) =>
  addClientKey(test.database, { walletAddressId, label: 'Till', jwkText: text, nodeKid: node.kid, now });

async function added(text?: string, walletAddressId?: string): Promise<string> {
  const outcome = await add(text, walletAddressId);
  return outcome.ok ? outcome.value.id : expect.fail(outcome.error);
}

const recorded = () =>
  test.database.read.select({ type: events.type, subject: events.subject, body: events.body }).from(events).orderBy(asc(events.position));

describe('the store of client keys', () => {
  it('stores what is needed of a key, with an event', async () => {
    const id = await added(JSON.stringify({ ...key.jwk, note: 'x' }));
    const [row] = await listClientKeys(test.database, wallet);
    expect(row).toEqual({
      id,
      walletAddressId: wallet,
      kid: 'till',
      jwk: key.jwk,
      thumbprint: key.thumbprint,
      label: 'Till',
      createdAt: 1_000,
      revokedAt: null,
    });
    expect(await jwksOf(test.database, wallet)).toEqual({ keys: [key.jwk] });
    expect(await recorded()).toEqual([
      { type: 'client_key.added', subject: id, body: { kid: 'till', label: 'Till', thumbprint: key.thumbprint } },
    ]);
  });

  it('takes a key in base64, as apps show it', async () => {
    await added(` ${Buffer.from(jwkText).toString('base64')}\n`);
    expect(await jwksOf(test.database, wallet)).toEqual({ keys: [key.jwk] });
  });

  it.each(['', 'no JSON', '{', '[]', 'null', '{"kid":"till"}', JSON.stringify({ keys: [key.jwk] })])('refuses %s', async (text) => {
    expect(await add(text)).toEqual({ ok: false, error: 'invalid_key' });
    expect(await recorded()).toEqual([]);
  });

  it('refuses a private key and keeps nothing of it', async () => {
    const text = JSON.stringify({ ...key.jwk, d: key.privateKey.export({ format: 'jwk' }).d });
    expect(await add(text)).toEqual({ ok: false, error: 'private_key' });
    expect(await listClientKeys(test.database, wallet)).toEqual([]);
  });

  it('has one living key with an id for each wallet address', async () => {
    const id = await added();
    expect(await add(JSON.stringify(other.jwk))).toEqual({ ok: false, error: 'key_id_taken' });
    await added(jwkText, newId());
    await revokeClientKey(test.database, { id, now: 2_000 });
    await added(JSON.stringify(other.jwk));
    expect(await jwksOf(test.database, wallet)).toEqual({ keys: [other.jwk] });
    expect(await listClientKeys(test.database, wallet)).toHaveLength(2);
  });

  it('revokes a key once', async () => {
    const id = await added();
    expect(await revokeClientKey(test.database, { id, now: 2_000 })).toMatchObject({ ok: true, value: { id, revokedAt: 2_000 } });
    expect(await revokeClientKey(test.database, { id, now: 3_000 })).toMatchObject({ ok: true, value: { id, revokedAt: 2_000 } });
    expect(await revokeClientKey(test.database, { id: newId(), now: 3_000 })).toEqual({ ok: false, error: 'not_found' });
    expect((await recorded()).map(({ type }) => type)).toEqual(['client_key.added', 'client_key.revoked']);
  });

  it('lets one of two keys have the id when they come at the same moment', async () => {
    const outcomes = await Promise.all([add(), add(JSON.stringify(other.jwk)), add()]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe('the search for a key of the node’s own wallet addresses', () => {
  const own = () =>
    new StoredOwnKeys({
      database: test.database,
      urls: new PublicUrls('https://pay.example', ['http://127.0.0.1:3000']),
      walletAddressId: async (name) => (name === 'alice' ? wallet : undefined),
      nodeKey: (id) => (id === wallet ? node : expect.fail('asked for another')),
    });

  it('finds the node’s own key, which nobody can add and so nobody can revoke', async () => {
    expect(await own().find('https://pay.example/alice', 'paydesk-1')).toMatchObject({ kid: 'paydesk-1', thumbprint: node.thumbprint });
    expect(await own().find('https://pay.example/bob', 'paydesk-1')).toBeUndefined();
    expect(await add(JSON.stringify({ ...key.jwk, kid: 'paydesk-1' }))).toEqual({ ok: false, error: 'key_id_taken' });
    expect(await listClientKeys(test.database, wallet)).toEqual([]);
  });

  it('needs no HTTP request, under this origin and former ones', async () => {
    await added();
    for (const url of ['https://pay.example/alice', 'http://127.0.0.1:3000/alice']) {
      expect(await own().find(url, 'till'), url).toMatchObject({ kid: 'till', thumbprint: key.thumbprint });
      expect(await own().find(url, 'other'), url).toBeUndefined();
    }
  });

  it('does not find a key that was revoked', async () => {
    const id = await added();
    const keys = own();
    expect(await keys.find('https://pay.example/alice', 'till')).toMatchObject({ kid: 'till' });
    await revokeClientKey(test.database, { id, now: 2_000 });
    expect(await keys.find('https://pay.example/alice', 'till')).toBeUndefined();
  });

  it('never takes one of the node’s own URLs for a foreign one', async () => {
    await added();
    const urls = [
      'https://pay.example/bob',
      'https://pay.example',
      'https://pay.example/',
      'https://pay.example/alice/',
      'https://pay.example/alice?x=1',
      'https://pay.example/incoming-payments/1',
      'https://PAY.example/alice',
      'https://pay.example:443/alice',
      'https://pay.example//alice',
      'https://user@pay.example/alice',
      'https://pay.example/x/../alice',
      'http://2130706433:3000/alice',
      'http://127.1:3000/alice',
    ];
    for (const url of urls) expect(await own().find(url, 'till'), url).toBeUndefined();
  });

  it('leaves other origins to others', async () => {
    const urls = [
      'https://pay.example.org/alice',
      'http://pay.example/alice',
      'https://pay.example:8443/alice',
      'http://127.0.0.1:3001/alice',
      '',
      'alice',
    ];
    for (const url of urls) expect(await own().find(url, 'till'), url).toBe('not-own');
  });
});
