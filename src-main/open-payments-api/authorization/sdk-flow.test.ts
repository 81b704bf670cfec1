import { createHash } from 'node:crypto';
import {
  type AuthenticatedClient,
  createAuthenticatedClient,
  isFinalizedGrantWithAccessToken,
  isPendingGrant,
  OpenPaymentsClientError,
} from '@interledger/open-payments';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signRequest } from '../../access/http-signatures/testing/signed-requests.ts';
import { systemClock } from '../../platform/clock.ts';
import { HeldPort } from '../../platform/public-address/held-port.ts';
import { CLIENT_URL, openTestDoor, type TestDoor } from '../testing/door.ts';

let door: TestDoor;
let sdk: AuthenticatedClient;
let origin: string;
beforeAll(async () => {
  const anyPort = { host: '127.0.0.1', port: 0 };
  const port = await HeldPort.hold(anyPort);
  origin = `http://127.0.0.1:${port.number}`;
  door = await openTestDoor({ clock: systemClock, origin });
  await door.app.listen(port.for(anyPort));
  sdk = await clientOf(CLIENT_URL);
});
afterAll(() => door.close());

const clientOf = (walletAddressUrl: string) =>
  createAuthenticatedClient({
    walletAddressUrl,
    keyId: door.key.kid,
    privateKey: door.key.privateKey,
    logLevel: 'silent',
    validateResponses: true,
  });

/** The form in which the SDK reports a refusal. */
async function refusalOf(call: Promise<unknown>): Promise<{ status: number | undefined; code: string | undefined; description: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof OpenPaymentsClientError) return { status: error.status, code: error.code, description: error.description };
    throw error;
  }
  throw new Error('the call succeeded');
}

async function whoami(token: string): Promise<number> {
  const url = `${origin}/whoami`;
  const headers = signRequest({ method: 'GET', url, token }, door.key, { created: Math.floor(systemClock.now() / 1000) });
  return (await fetch(url, { headers })).status;
}

const requestSpending = (nonce: string) =>
  sdk.grant.request(
    { url: `${origin}/auth` },
    {
      access_token: {
        access: [
          { type: 'quote', actions: ['create', 'read'] },
          {
            type: 'outgoing-payment',
            actions: ['create', 'read'],
            identifier: `${origin}/alice`,
            limits: { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 }, interval: 'R12/2026-01-01T00:00:00Z/P1M' },
          },
        ],
      },
      interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://shop.example/back?order=7', nonce } },
    },
  );

async function approve(redirect: string): Promise<void> {
  const page = await (await fetch(redirect)).text();
  const code = /data-code="(\d{4})"/.exec(page)?.[1] ?? '';
  const request = (await door.access.views.listApprovals()).at(-1);
  const decided = await door.access.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
  if (!decided.ok) throw new Error(decided.error.code);
}

test('the official client asks, is approved, continues, rotates, revokes and cancels', async () => {
  const nonce = 'client-nonce-1';
  const pending = await requestSpending(nonce);
  if (!isPendingGrant(pending)) throw new Error('not pending');
  expect(pending.continue.wait).toBe(5);
  expect(pending.continue.uri.startsWith(`${origin}/auth/continue/`)).toBe(true);

  const early = { url: pending.continue.uri, accessToken: pending.continue.access_token.value };
  expect(await refusalOf(sdk.grant.continue(early, { interact_ref: 'guessed' }))).toMatchObject({
    status: 404,
    code: 'invalid_continuation',
  });

  await approve(pending.interact.redirect);
  const back = await fetch(pending.interact.redirect, { redirect: 'manual' });
  expect(back.status).toBe(303);
  expect(back.headers.get('referrer-policy')).toBe('no-referrer');
  const location = new URL(back.headers.get('location') ?? '');
  expect(location.href.startsWith('https://shop.example/back?order=7&hash=')).toBe(true);
  const interactRef = location.searchParams.get('interact_ref') ?? '';
  const lines = [nonce, pending.interact.finish, interactRef, `${origin}/auth`].join('\n');
  expect(location.searchParams.get('hash')).toBe(createHash('sha256').update(lines).digest('base64'));

  const continued = await sdk.grant.continue(early, { interact_ref: interactRef });
  if (!isFinalizedGrantWithAccessToken(continued)) throw new Error('no token');
  const first = continued.access_token;
  expect(first.expires_in).toBe(600);
  expect(first.access).toHaveLength(2);
  expect(first.manage.startsWith(`${origin}/auth/token/`)).toBe(true);
  expect(await whoami(first.value)).toBe(200);
  expect(await whoami(pending.continue.access_token.value)).toBe(401);

  const rotated = (await sdk.token.rotate({ url: first.manage, accessToken: first.value })).access_token;
  expect(rotated).toMatchObject({ access: first.access, expires_in: 600 });
  expect([rotated.value, rotated.manage]).not.toEqual([first.value, first.manage]);
  expect([await whoami(first.value), await whoami(rotated.value)]).toEqual([401, 200]);
  expect(await refusalOf(sdk.token.rotate({ url: first.manage, accessToken: first.value }))).toMatchObject({
    status: 400,
    code: 'invalid_rotation',
  });

  await sdk.token.revoke({ url: first.manage, accessToken: first.value });
  await sdk.token.revoke({ url: rotated.manage, accessToken: rotated.value });
  expect(await whoami(rotated.value)).toBe(401);
  expect(await refusalOf(sdk.token.rotate({ url: rotated.manage, accessToken: rotated.value }))).toMatchObject({
    code: 'invalid_rotation',
  });
  await sdk.grant.cancel({ url: continued.continue.uri, accessToken: continued.continue.access_token.value });
  await sdk.grant.cancel({ url: continued.continue.uri, accessToken: continued.continue.access_token.value });
});

test('the browser is sent back without hash and reference after a denial', async () => {
  const pending = await requestSpending('client-nonce-2');
  if (!isPendingGrant(pending)) throw new Error('not pending');
  await fetch(pending.interact.redirect);
  const [request] = await door.access.views.listApprovals();
  await door.access.approvals.deny(request?.id ?? '');
  const back = await fetch(pending.interact.redirect, { redirect: 'manual' });
  expect(back.headers.get('location')).toBe('https://shop.example/back?order=7&result=grant_rejected');
});

test('a grant that needs no approval comes at once, works for the payments and ends with its revocation', async () => {
  const grant = await sdk.grant.request(
    { url: `${origin}/auth` },
    { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read-all'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
  expect(await whoami(grant.access_token.value)).toBe(200);
  await sdk.grant.cancel({ url: grant.continue.uri, accessToken: grant.continue.access_token.value });
  expect(await whoami(grant.access_token.value)).toBe(401);
});

test('the official client asks for the proof of a wallet address without a finish', async () => {
  const pending = await sdk.grant.request(
    { url: `${origin}/auth` },
    { subject: { sub_ids: [{ id: `${origin}/alice`, format: 'uri' }] }, interact: { start: ['redirect'] } },
  );
  if (!isPendingGrant(pending)) throw new Error('not pending');
  await approve(pending.interact.redirect);
  const done = await fetch(pending.interact.redirect);
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You can close this page')]);
  expect(
    await refusalOf(sdk.grant.continue({ url: pending.continue.uri, accessToken: pending.continue.access_token.value })),
  ).toMatchObject({ status: 400, code: 'too_fast' });
});

test('the official client is told when the node does not know its key', async () => {
  const stranger = await clientOf('https://stranger.example/x');
  const asked = stranger.grant.request({ url: `${origin}/auth` }, { access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
  expect(await refusalOf(asked)).toMatchObject({ status: 400, code: 'invalid_client' });
});
