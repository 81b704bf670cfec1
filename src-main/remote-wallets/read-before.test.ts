import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { NamedAuthServers, RecentReads } from './read-before.ts';
import { FakeWallet, openRemoteWallets, telling } from './testing/wallets.ts';

const EUR = { assetCode: 'EUR', assetScale: 2 };
const METHOD = { type: 'ilp', ilpAddress: 'g.wallet.1', sharedSecret: Buffer.alloc(32, 7).toString('base64url') };

let wallet: FakeWallet;
let remote: ReturnType<typeof openRemoteWallets>;
beforeEach(async () => {
  wallet = await new FakeWallet().open();
  remote = openRemoteWallets();
  wallet.answers.set('POST /auth', { access_token: { value: 't', manage: `${wallet.origin}/auth/token/1` } });
  wallet.answers.set('POST /auth/token/1', { access_token: { value: 'u', manage: `${wallet.origin}/auth/token/1` } });
});
afterEach(async () => {
  await remote.close();
  await wallet.close();
});

function invoice(path: string): string {
  wallet.answers.set(`GET ${path}`, { authServer: `${wallet.origin}/auth` });
  wallet.answers.set(`GET ${path} signed`, {
    ...{ id: wallet.origin + path, walletAddress: `${wallet.origin}/shop` },
    ...{ receivedAmount: { value: '0', ...EUR }, methods: [METHOD] },
  });
  return wallet.origin + path;
}
const get = (url: string, until?: number) =>
  remote.incomingPayments.get(url, { client: 'shop', walletAddressId: 'alice', ...(until !== undefined && { until }) });
const asked = (): string[] => wallet.asked.splice(0);

describe('a wallet that has named its authorization server', () => {
  it('is asked once for each further payment', async () => {
    expect(await get(invoice('/incoming-payments/1'))).toMatchObject({ ok: true });
    asked();
    expect(await get(invoice('/incoming-payments/2'))).toMatchObject({ ok: true, value: { received: 0n } });
    expect(asked()).toEqual(['GET /incoming-payments/2 signed']);
  });

  it('gives no token to another resource server of the same host before that one has named it, too', async () => {
    await get(invoice('/incoming-payments/1'));
    asked();
    wallet.answers.set('GET /other/incoming-payments/1', telling(404));
    expect(await get(`${wallet.origin}/other/incoming-payments/1`)).toEqual({ ok: false, error: 'unknown_receiver' });
    expect(asked()).toEqual(['GET /other/incoming-payments/1']);
  });

  it.each([401, 403, 404, 410])('is asked from the beginning when it answers %s, and its token is not worn out', async (status) => {
    await get(invoice('/incoming-payments/1'));
    asked();
    wallet.answers.set('GET /incoming-payments/2', telling(404));
    wallet.answers.set('GET /incoming-payments/2 signed', telling(status));
    expect(await get(`${wallet.origin}/incoming-payments/2`)).toEqual({ ok: false, error: 'unknown_receiver' });
    expect(asked()).toEqual(['GET /incoming-payments/2 signed', 'GET /incoming-payments/2']);
  });

  it('gives a new token when the one at hand has run out', async () => {
    await get(invoice('/incoming-payments/1'));
    asked();
    const url = invoice('/incoming-payments/2');
    const [whole, tokens] = [wallet.answers.get('GET /incoming-payments/2 signed'), new Set<string | undefined>()];
    wallet.answers.set('GET /incoming-payments/2 signed', (request, response) => {
      tokens.add(request.headers.authorization);
      telling(request.headers.authorization === 'GNAP u' ? 200 : 401, whole)(request, response);
    });
    expect(await get(url)).toMatchObject({ ok: true });
    expect(tokens).toEqual(new Set(['GNAP t', 'GNAP u']));
  });

  it('is not asked a second time when it gives no answer', async () => {
    await get(invoice('/incoming-payments/1'));
    asked();
    wallet.answers.set('GET /incoming-payments/2', telling(503));
    expect(await get(`${wallet.origin}/incoming-payments/2`)).toEqual({ ok: false, error: 'receiver_unreachable' });
    expect(asked()).toEqual(['GET /incoming-payments/2 signed']);
  });

  it('is forgotten when a thousand others have come since', () => {
    const servers = new NamedAuthServers();
    for (let i = 0; i <= 1_000; i++) servers.note(new URL(`https://a.example/${i}/incoming-payments/1`), `https://auth.example/${i}`);
    expect(servers.of(new URL('https://a.example/0/incoming-payments/1'))).toBeUndefined();
    expect(servers.of(new URL('https://a.example/1/incoming-payments/2'))).toBe('https://auth.example/1');
  });
});

describe('what was read for a price', () => {
  const take = (url: string, walletAddressId = 'alice') => remote.incomingPayments.takeRecent(url, walletAddressId);

  it('serves the payment that follows, once, and only in the same name', async () => {
    const url = invoice('/incoming-payments/1');
    await get(url);
    expect(take(url, 'bob')).toBeUndefined();
    expect(take(url)).toMatchObject({ url, method: { ilpAddress: 'g.wallet.1' } });
    expect(take(url)).toBeUndefined();
  });

  it('serves no longer than two seconds', async () => {
    const url = invoice('/incoming-payments/1');
    await get(url);
    remote.clock.advance(1_999);
    expect(take(url)).toBeDefined();
    await get(url);
    remote.clock.advance(2_000);
    expect(take(url)).toBeUndefined();
  });

  it('is not what a payment itself has read', async () => {
    const url = invoice('/incoming-payments/1');
    await get(url, remote.clock.now() + 60_000);
    expect(take(url)).toBeUndefined();
  });

  it('is bounded: the oldest of a thousand goes', () => {
    const reads = new RecentReads<number>(new ManualClock(0));
    for (let i = 0; i <= 1_000; i++) reads.keep(String(i), i);
    expect([reads.take('0'), reads.take('1'), reads.take('1000')]).toEqual([undefined, 1, 1_000]);
  });
});
