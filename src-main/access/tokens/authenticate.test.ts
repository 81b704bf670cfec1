import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { ok } from '../../platform/result.ts';
import type { ClientKeys } from '../clients/clients.ts';
import { rawHeadersOf, signRequest, type TestKey, testKey } from '../http-signatures/testing/signed-requests.ts';
import { signatureRule } from '../retention.ts';
import { grants } from '../tables.ts';
import { openTestAccess, TEST_ORIGIN, type TestAccess } from '../testing/access.ts';
import { issued, livingToken } from '../testing/flows.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const url = `${TEST_ORIGIN}/quotes`;
let access: TestAccess;
afterEach(() => access.dispose());

/** Stores a grant with its key and its token, and returns a function that calls with the token. */
async function start(keys: (key: TestKey) => ClientKeys = (key) => ({ find: async () => ok(key.clientKey) })) {
  const key = await testKey();
  access = openTestAccess({ clock, keys: keys(key) });
  const { grant, token } = await issued(access);
  const call = (value = token.value, moreParameters = '') => {
    const headers = signRequest({ method: 'GET', url, token: value }, key, { created: clock.now() / 1000, moreParameters });
    const request = { method: 'GET', targetUris: [url], rawHeaders: rawHeadersOf(headers), body: undefined };
    return access.authenticator.authenticate({ ...request, authorization: headers.authorization });
  };
  return { grant, token, key, call };
}

const INVALID = { ok: false, error: { code: 'invalid_token' } };

test('authentication says which client calls and what it may do', async () => {
  const { grant, token, call } = await start();
  expect(await call()).toMatchObject({
    ok: true,
    value: {
      client: { id: `${TEST_ORIGIN}/bob` },
      grantId: grant.id,
      tokenId: token.id,
      access: [{ type: 'outgoing-payment', identifier: `${TEST_ORIGIN}/alice`, limits: { debitAmount: { value: 1000n } } }],
      marks: [expect.stringMatching(/^\d{11}[\da-f]{32}$/)],
    },
  });
});

describe('a token is refused at the next request', () => {
  test.each<[string, (grantId: string, tokenId: string, value: string) => Promise<unknown>]>([
    ['the operator revoked the token', (_, tokenId) => access.tokens.revokeByOperator(tokenId)],
    ['the operator rotated the token', (_, tokenId) => access.tokens.rotateByOperator(tokenId)],
    ['the operator revoked the grant', (grantId) => access.views.revokeGrant(grantId)],
    ['the client cancelled the grant', (grantId) => access.continuations.cancel(grantId)],
    [
      'the client rotated the token',
      async (_, tokenId, value) => {
        const managed = await access.tokens.findManaged(tokenId, value);
        return managed && (await access.tokens.rotate(managed));
      },
    ],
  ])('after %s', async (_, end) => {
    const { grant, token, call } = await start();
    expect((await call()).ok).toBe(true);
    await end(grant.id, token.id, token.value);
    expect(await call()).toEqual(INVALID);
  });

  test('from the moment on at which its grant expires', async () => {
    const { grant, call } = await start();
    const expiresAt = clock.now() + 2_000;
    await access.database.write((tx) => tx.update(grants).set({ expiresAt }).where(eq(grants.id, grant.id)));
    clock.advance(1_000);
    expect((await call()).ok).toBe(true);
    clock.advance(1_000);
    expect(await call()).toEqual(INVALID);
  });

  test('after its time', async () => {
    const { call } = await start();
    clock.advance(599_000);
    expect((await call()).ok).toBe(true);
    clock.advance(1_000);
    expect(await call()).toEqual(INVALID);
  });
});

test('a call with a token is a use of its grant, and one without a token is told so', async () => {
  const { grant, call } = await start();
  clock.advance(1_000);
  const before = access.uses.lastOf({ id: grant.id });
  await call('A'.repeat(43));
  expect(access.uses.lastOf({ id: grant.id })).toBe(before);
  await call();
  expect(access.uses.lastOf({ id: grant.id })).toBe(clock.now());
  const request = { method: 'GET', targetUris: [url], rawHeaders: [], body: undefined, authorization: undefined };
  expect(await access.authenticator.authenticate(request)).toEqual({ ok: false, error: { code: 'missing_authorization' } });
});

test('using a token ends the retry of the answer that carried it', async () => {
  const { grant, call } = await start();
  expect((await livingToken(access, grant.id))?.sealed).not.toBeNull();
  await call();
  expect((await livingToken(access, grant.id))?.sealed).toBeNull();
});

test('a signature with a nonce is taken once, even among many at once, and old nonces are forgotten', async () => {
  const { token, call } = await start();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => call(token.value, ';nonce="a"')));
  expect(outcomes.filter(({ ok: accepted }) => accepted)).toHaveLength(1);
  expect(outcomes.filter((outcome) => !outcome.ok)).toContainEqual({
    ok: false,
    error: { code: 'invalid_signature', problem: 'nonce_used' },
  });
  await signatureRule.removeSome(access.database, clock.now(), undefined);
  expect((await call(token.value, ';nonce="a"')).ok).toBe(false);
  clock.advance(302_000);
  await signatureRule.removeSome(access.database, clock.now(), undefined);
  expect((await call(token.value, ';nonce="a"')).ok).toBe(true);
});

test('other tokens of the node open nothing', async () => {
  const { grant, call } = await start();
  const { continuation } = await issued(access);
  for (const value of [continuation.token, grant.id, 'A'.repeat(43)]) expect(await call(value)).toEqual(INVALID);
});

test('an internal failure lets no request through', async () => {
  const { call } = await start(() => ({ find: () => Promise.reject(new Error('broken')) }));
  await expect(call()).rejects.toThrow('broken');
});
