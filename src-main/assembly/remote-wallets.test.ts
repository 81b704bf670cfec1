import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Amount } from '../../src-shared/amounts.ts';
import { accessTokens, grants } from '../access/tables.ts';
import { isFinishHash } from '../remote-wallets/payment-grants.ts';
import { remoteGrants } from '../remote-wallets/tables.ts';
import type { RemoteWalletAddress } from '../remote-wallets/wallet-directory.ts';
import { adoptOwnClients } from './books/own-clients.ts';
import { assembleRemoteWallets } from './remote-wallets.ts';
import { type LinkedNodes, linkTo, openLinkedNodes } from './testing/linked-nodes.ts';

const LIFETIME_S = 2;

let nodes: LinkedNodes;
beforeEach(async () => {
  nodes = await openLinkedNodes({ tokenLifetime: LIFETIME_S });
});
afterEach(() => nodes.close());

const usd = (value: bigint): Amount => ({ value, assetCode: 'USD', assetScale: 2 });

/** Creates an incoming payment of the payee and returns its URL. */
async function asked(incomingAmount?: bigint, expiresAt?: number): Promise<string> {
  const { payee } = nodes;
  const made = await payee.payments.incomingPayments.create({
    walletAddress: payee.accounts.carol,
    client: null,
    incomingAmount: incomingAmount === undefined ? undefined : usd(incomingAmount),
    expiresAt,
  });
  return made.ok ? payee.urls.incomingPayment(made.value.id) : expect.fail(made.error);
}

const find = (url: string) =>
  nodes.payer.payments.receivers.find(url, { client: nodes.payer.shop.url, walletAddressId: nodes.payer.accounts.alice.id });

/** The payer's requests to the payee in a short form, each with the status of its answer. */
function passed(): string[] {
  return nodes.toPayee.splice(0).map(({ method, url, status, headers }) => {
    const { pathname } = new URL(url);
    const short = pathname.replace(/[\da-f]{8}-[\da-f-]{27}/g, '…');
    return `${method} ${short}${headers.authorization === undefined ? '' : ' with token'} ${status}`;
  });
}

const LOOK = 'GET /incoming-payments/… 200';
const ASK = 'POST /auth 200';
const READ = 'GET /incoming-payments/… with token 200';
const STALE = 'GET /incoming-payments/… with token 401';
const ROTATE = 'POST /auth/token/… with token 200';

describe('a receiver at another wallet', () => {
  test('is found by its URL: the node discovers it, gets a grant, and reads what it needs to pay it', async () => {
    const expiresAt = nodes.payer.clock.now() + 60_000;
    const url = await asked(500n, expiresAt);
    const found = await find(url);
    const { credentials } = nodes.payee.payments;
    const own = await credentials(url.slice(-36), usd(0n));
    expect(found).toEqual({
      ok: true,
      value: {
        kind: 'remote',
        url,
        asset: { assetCode: 'USD', assetScale: 2 },
        remaining: 500n,
        received: 0n,
        expiresAt,
        ilpAddress: own.ilpAddress,
        sharedSecret: own.sharedSecret,
      },
    });
    expect(passed()).toEqual([LOOK, ASK, READ]);
    // The payee checked the signature with the key set that it fetched from the payer.
    expect(nodes.toPayer.map(({ method, url: from }) => `${method} ${from}`)).toEqual(['GET https://pay.example/alice/jwks.json']);
    const [granted] = await nodes.payee.database.read.select().from(grants);
    expect(granted).toMatchObject({ clientId: 'https://pay.example/alice', interactive: false, state: 'issued' });
  });

  test('has no amount and no end when the other wallet names none', async () => {
    expect(await find(await asked())).toMatchObject({ ok: true, value: { remaining: undefined, expiresAt: undefined } });
  });

  test('is read again with the same grant, however many there are', async () => {
    const urls = [await asked(1n), await asked(2n), await asked(3n)];
    for (const url of urls) expect(await find(url)).toMatchObject({ ok: true });
    expect(passed()).toEqual([LOOK, ASK, READ, READ, READ]);
  });

  test('needs only one grant when it is asked for many times at once', async () => {
    const url = await asked(500n);
    const found = await Promise.all(Array.from({ length: 8 }, () => find(url)));
    expect(found.every(({ ok }) => ok)).toBe(true);
    expect(passed().filter((call) => call.startsWith('POST'))).toEqual([ASK]);
  });

  test('is closed once it is completed, has expired or is fully paid', async () => {
    const [completed, expired] = [await asked(500n), await asked(500n, nodes.payee.clock.now() + 1_000)];
    await nodes.payee.payments.incomingPayments.complete(completed.slice(-36), null);
    nodes.advance(1_000);
    for (const url of [completed, expired]) expect(await find(url)).toEqual({ ok: false, error: 'receiver_closed' });
  });

  test('is unknown when it is not there, and the node does not ask for it again for half a minute', async () => {
    const url = `https://wallet.example/incoming-payments/${randomUUID()}`;
    for (let i = 0; i < 3; i++) expect(await find(url)).toEqual({ ok: false, error: 'unknown_receiver' });
    expect(passed()).toEqual(['GET /incoming-payments/… 404']);
    nodes.advance(29_999);
    await find(url);
    expect(passed()).toEqual([]);
    nodes.advance(1);
    await find(url);
    expect(passed()).toEqual(['GET /incoming-payments/… 404']);
  });
});

describe('a grant at another wallet', () => {
  test('is rotated when its token has expired, once for all who ask at the same time', async () => {
    const url = await asked(500n);
    await find(url);
    passed();
    nodes.advance(LIFETIME_S * 1_000);
    const found = await Promise.all(Array.from({ length: 6 }, () => find(url)));
    expect(found.every(({ ok }) => ok)).toBe(true);
    expect(passed().filter((call) => call.startsWith('POST'))).toEqual([ROTATE]);
  });

  test('is rotated when the other wallet refuses its token before it expires', async () => {
    const url = await asked(500n);
    await find(url);
    passed();
    nodes.payee.clock.advance(LIFETIME_S * 1_000);
    expect(await find(url)).toMatchObject({ ok: true });
    expect(passed()).toEqual([STALE, LOOK, STALE, ROTATE, READ]);
    expect(await nodes.payee.database.read.select().from(grants)).toHaveLength(1);
  });

  test('is replaced when it was revoked there', async () => {
    const url = await asked(500n);
    await find(url);
    passed();
    const [granted] = await nodes.payee.database.read.select().from(grants);
    await nodes.payee.access.views.revokeGrant(granted?.id ?? '');
    // An equal grant request within the same second would be a repetition of the first one.
    nodes.advance(1_000);
    expect(await find(url)).toMatchObject({ ok: true });
    expect(passed()).toEqual([STALE, LOOK, STALE, 'POST /auth/token/… with token 400', ASK, READ]);
    expect(await nodes.payer.database.read.select().from(remoteGrants)).toHaveLength(1);
  });

  test('is kept over a restart, and nobody can read it in the database', async () => {
    const url = await asked(500n);
    await find(url);
    passed();
    const { payer } = nodes;
    const seen = nodes.toPayee;
    const again = (secret: string) =>
      assembleRemoteWallets({
        database: payer.database,
        clock: payer.clock,
        urls: payer.urls,
        secrets: { stream: Buffer.alloc(32), derive: (purpose) => createHash('sha256').update(`${secret} ${purpose}`).digest() },
        http: linkTo(() => nodes.payee, seen),
        holder: 'again',
        clientUrl: async () => 'https://pay.example/alice',
      }).incomingPayments.get(url, { client: null, walletAddressId: payer.accounts.alice.id });
    expect(await again('https://pay.example')).toMatchObject({ ok: true });
    const used = seen.at(-1)?.headers.authorization?.slice('GNAP '.length) ?? expect.fail('no token');
    expect(passed()).toEqual([LOOK, READ]);
    const [row] = await payer.database.read.select().from(remoteGrants);
    expect(JSON.stringify(row)).not.toContain(used);
    // With other secrets the grant cannot be read, and the node has another key, which the other wallet does not know.
    expect(await again('stolen')).toEqual({ ok: false, error: 'receiver_refused' });
  });

  test('belongs to one account, and another account gets its own', async () => {
    const url = await asked(500n);
    await find(url);
    const asCarol = { client: nodes.payer.shop.url, walletAddressId: nodes.payer.accounts.carol.id };
    expect(await nodes.payer.payments.receivers.find(url, asCarol)).toMatchObject({ ok: true });
    const clients = (await nodes.payee.database.read.select().from(grants)).map(({ clientId }) => clientId);
    expect(clients.sort()).toEqual(['https://pay.example/alice', 'https://pay.example/carol']);
  });
});

describe('URLs of the node itself', () => {
  test.each(['https://pay.example', 'http://former.example', 'https://PAY.example:443', 'https://pay.example.'])(
    'under %s are never asked for over HTTP',
    async (origin) => {
      const found = await find(`${origin}/incoming-payments/${randomUUID()}`);
      expect(found).toEqual({ ok: false, error: 'unknown_receiver' });
      expect(nodes.toPayer).toEqual([]);
    },
  );
});

describe('paying from another wallet', () => {
  async function discovered(text: string): Promise<RemoteWalletAddress> {
    const found = await nodes.payer.payments.remoteWallets.directory.find(text);
    return found.ok ? found.value : expect.fail(found.error);
  }

  test('finds wallet addresses as people write them', async () => {
    for (const text of [
      'https://wallet.example/alice',
      '$wallet.example/alice',
      'wallet.example/alice',
      ' https://wallet.example/alice/ ',
    ]) {
      expect(await discovered(text)).toEqual({
        id: 'https://wallet.example/alice',
        publicName: 'alice',
        assetCode: 'USD',
        assetScale: 2,
        authServer: 'https://wallet.example/auth',
        resourceServer: 'https://wallet.example',
      });
    }
  });

  test('asks the wallet’s owner, checks the way back, and pays what the owner approved', async () => {
    const { payer, payee } = nodes;
    const { paymentGrants, payments } = payer.payments.remoteWallets;
    const walletAddressId = payer.accounts.carol.id;
    const walletAddress = await discovered('$wallet.example/alice');
    const receiver = await asked(500n);
    const quote = await payments.createQuote({ walletAddress, walletAddressId, receiver });
    if (!quote.ok) expect.fail(quote.error);
    expect(quote.value).toMatchObject({ receiver, debitAmount: usd(500n), receiveAmount: usd(500n) });

    const finish = { uri: 'https://pay.example/pay/back', nonce: 'ours' };
    const limit = { debitAmount: quote.value.debitAmount };
    const pending = await paymentGrants.request({ walletAddress, walletAddressId, limit, receiver, finish });
    if (!pending.ok) expect.fail(pending.error);
    const { authServer, continueUri, continueToken, serverNonce, interactUrl } = pending.value;
    expect(interactUrl).toMatch(/^https:\/\/wallet\.example\/auth\/interact\//);
    const continuation = { authServer, continueUri, continueToken, walletAddressId };

    const [waiting] = (await payee.database.read.select().from(grants)).filter(({ interactive }) => interactive);
    const shown = await payee.app.inject({ method: 'GET', url: new URL(interactUrl).pathname, headers: { accept: 'text/html' } });
    expect(shown.statusCode).toBe(200);
    const id = waiting?.id ?? '';
    const [approval] = await payee.access.views.listApprovals();
    const code = (await payee.database.read.select().from(grants)).find((grant) => grant.id === id)?.code ?? '';
    const approved = await payee.access.approvals.approve({ id, code, shownHash: approval?.shownHash ?? '' });
    expect(approved).toMatchObject({ ok: true });

    const back = await payee.app.inject({ method: 'GET', url: new URL(interactUrl).pathname, headers: { accept: 'text/html' } });
    const location = URL.parse(String(back.headers.location ?? ''));
    const [hash, interactRef] = [location?.searchParams.get('hash') ?? '', location?.searchParams.get('interact_ref') ?? ''];
    const parts = { clientNonce: 'ours', serverNonce, interactRef, authServer };
    expect(isFinishHash(hash, parts)).toBe(true);
    expect(isFinishHash(hash, { ...parts, clientNonce: 'theirs' })).toBe(false);

    const granted = await paymentGrants.continue({ ...continuation, interactRef });
    if (!granted.ok || granted.value.state !== 'granted') expect.fail('not granted');
    const { token } = granted.value;
    const paid = await payments.createOutgoingPayment({ walletAddress, walletAddressId, token, quoteId: quote.value.id });
    if (!paid.ok) expect.fail(paid.error);
    expect(paid.value).toMatchObject({ receiver, debitAmount: usd(500n), failed: false });
    const read = await payments.getOutgoingPayment({ url: paid.value.id, walletAddressId, token });
    expect(read).toMatchObject({ ok: true, value: { id: paid.value.id } });
    // A second use of the same way back gets nothing. When the client sends the same payment again, as after a lost
    // answer, the node pays nothing more.
    const again = await payments.createOutgoingPayment({ walletAddress, walletAddressId, token, quoteId: quote.value.id });
    expect(again).toMatchObject({ ok: true, value: { id: paid.value.id } });
    nodes.advance(LIFETIME_S * 1_000);
    expect(await paymentGrants.continue({ ...continuation, interactRef })).toEqual({ ok: false, error: 'refused' });
    await paymentGrants.cancel(continuation);
    const living = (await payee.database.read.select().from(accessTokens)).filter(
      ({ grantId, state }) => grantId === id && state === 'active',
    );
    expect(living).toEqual([]);
  });

  test('waits while nobody has decided, and learns when it asks too early', async () => {
    const { paymentGrants } = nodes.payer.payments.remoteWallets;
    const walletAddressId = nodes.payer.accounts.carol.id;
    const walletAddress = await discovered('wallet.example/alice');
    const finish = { uri: 'https://pay.example/pay/back', nonce: 'ours' };
    const wanted = { walletAddress, walletAddressId, limit: { receiveAmount: usd(5n) }, receiver: await asked(5n), finish };
    const pending = await paymentGrants.request(wanted);
    if (!pending.ok) expect.fail(pending.error);
    const continuation = { ...pending.value, walletAddressId };
    expect(await paymentGrants.continue({ ...continuation, interactRef: 'guessed' })).toEqual({ ok: false, error: 'refused' });
    expect(await paymentGrants.continue({ ...continuation, continueUri: 'https://pay.example/auth/continue/1' })).toEqual({
      ok: false,
      error: 'refused',
    });
  });

  test('can create an incoming payment at another wallet', async () => {
    const walletAddress = await discovered('wallet.example/alice');
    const made = await nodes.payer.payments.remoteWallets.incomingPayments.create(
      { walletAddress, incomingAmount: usd(700n), expiresAt: nodes.payer.clock.now() + 60_000, metadata: { invoice: 7 } },
      nodes.payer.accounts.carol.id,
    );
    if (!made.ok) expect.fail(made.error);
    expect(made.value).toMatchObject({
      walletAddress: 'https://wallet.example/alice',
      incomingAmount: 700n,
      received: 0n,
      completed: false,
    });
    expect(await find(made.value.url)).toMatchObject({ ok: true, value: { remaining: 700n } });
  });
});

describe('clients that are accounts of the node', () => {
  test('sign with the node’s key at the node itself, as at any other wallet', async () => {
    const { payer } = nodes;
    const published = await payer.app.inject({ method: 'GET', url: '/alice/jwks.json' });
    expect(published.json()).toEqual({ keys: [payer.payments.remoteWallets.keys.of(payer.accounts.alice.id).jwk] });
    const { privateKey, jwk } = payer.payments.remoteWallets.keys.of(payer.accounts.alice.id);
    const client = { url: 'https://pay.example/alice', key: { ...payer.shop.key, kid: jwk.kid, privateKey } };
    const body = { client: client.url, access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
    expect(await payer.call({ method: 'POST', path: '/auth', body, client })).toMatchObject({ status: 200 });
    // The key is not bob's.
    expect(await payer.call({ method: 'POST', path: '/auth', body: { ...body, client: 'https://pay.example/bob' }, client })).toMatchObject(
      {
        status: 400,
      },
    );
  });

  test('find what was theirs under a new public origin', async () => {
    const { payer } = nodes;
    const { privateKey, jwk } = payer.payments.remoteWallets.keys.of(payer.accounts.alice.id);
    const client = (url: string) => ({ url, key: { ...payer.shop.key, kid: jwk.kid, privateKey } });
    const [before, now, lookalike] = ['http://former.example/alice', 'https://pay.example/alice', 'http://former.example.org/alice'];
    const token = await payer.giveToken(
      [
        { type: 'incoming-payment', actions: ['read', 'list'] },
        { type: 'quote', actions: ['read'] },
      ],
      client(before),
    );
    const { carol: walletAddress, alice } = payer.accounts;
    const made = await payer.payments.incomingPayments.create({ walletAddress, client: before, incomingAmount: usd(5n) });
    const others = await payer.payments.incomingPayments.create({ walletAddress, client: lookalike });
    if (!made.ok || !others.ok) expect.fail('not made');
    const receiver = payer.urls.incomingPayment(made.value.id);
    const quote = await payer.payments.quotes.create({ walletAddress: alice, client: before, receiver });
    if (!quote.ok) expect.fail('no quote');

    await adoptOwnClients(payer.database, payer.urls);
    const [kept] = await payer.database.read.select().from(grants);
    expect(kept?.clientId).toBe(now);
    expect((await payer.payments.incomingPayments.find(others.value.id))?.client).toBe(lookalike);
    const list = `/incoming-payments?wallet-address=${encodeURIComponent('https://pay.example/carol')}`;
    const listed = await payer.call({ method: 'GET', path: list, token, client: client(now) });
    expect(listed.body).toMatchObject({ result: [{ id: receiver }] });
    for (const path of [`/incoming-payments/${made.value.id}`, `/quotes/${quote.value.id}`]) {
      expect(await payer.call({ method: 'GET', path, token, client: client(now) }), path).toMatchObject({ status: 200 });
    }
  });
});
