import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFinishHash, type WantedPaymentGrant } from './payment-grants.ts';
import { type Answering, FakeWallet, OWN_ORIGIN, openRemoteWallets, telling } from './testing/wallets.ts';
import { walletAddressUrl } from './wallet-directory.ts';

describe('the hash of the way back', () => {
  const parts = {
    clientNonce: 'client-nonce',
    serverNonce: 'as-nonce',
    interactRef: 'interact-ref',
    authServer: 'http://127.0.0.1:3000/auth',
  };

  it.each(['C63yHgwqJGAIOHoZCeWmR/QoTMHqaKzREb7mzYi+XPE=', 'C63yHgwqJGAIOHoZCeWmR_QoTMHqaKzREb7mzYi-XPE'])('is taken as %s', (hash) => {
    expect(isFinishHash(hash, parts)).toBe(true);
    expect(isFinishHash(hash, { ...parts, authServer: `${parts.authServer}/` })).toBe(true);
    for (const other of ['clientNonce', 'serverNonce', 'interactRef', 'authServer'] as const) {
      expect(isFinishHash(hash, { ...parts, [other]: `${parts[other]}1` }), other).toBe(false);
    }
  });

  it('equals that of the standard’s example', () => {
    const example = {
      clientNonce: 'VJLO6A4CATR0KRO',
      serverNonce: 'MBDOFXG4Y5CVJCX821LH',
      interactRef: '4IFWWIKYB2PQ6U56NL1',
      authServer: 'https://server.example.com/tx',
    };
    expect(isFinishHash('x-gguKWTj8rQf7d7i3w3UhzvuJ5bpOlKyAlVpLxBffY', example)).toBe(true);
  });

  it.each(['', 'C63yHgwqJGAIOHoZCeWmR_QoTMHqaKzREb7mzYi-XPF', 'C63y', 'C63yHgwqJGAIOHoZCeWmR_QoTMHqaKzREb7mzYi-XPE==', ' '])(
    'is not taken as %j',
    (hash) => {
      expect(isFinishHash(hash, parts)).toBe(false);
    },
  );
});

describe('a wallet address as people write it', () => {
  it.each([
    ['$wallet.example', 'https://wallet.example/.well-known/pay'],
    ['$wallet.example/', 'https://wallet.example/.well-known/pay'],
    ['$wallet.example/alice', 'https://wallet.example/alice'],
    ['wallet.example/alice', 'https://wallet.example/alice'],
    ['Wallet.Example/alice/', 'https://wallet.example/alice'],
    ['  https://wallet.example/a/b  ', 'https://wallet.example/a/b'],
    ['http://127.0.0.1:3000/alice', 'http://127.0.0.1:3000/alice'],
    ['wallet.example:8443/alice', 'https://wallet.example:8443/alice'],
  ])('is read from %j', (text, url) => {
    expect(walletAddressUrl(text)).toBe(url);
  });

  it.each([
    '',
    '$',
    'javascript:alert(1)',
    'ftp://wallet.example/alice',
    'https://user@wallet.example/alice',
    'user@wallet.example',
    'https://wallet.example/alice?x=1',
    'https://wallet.example/alice#x',
    'wallet.example/al ice',
    'wallet.example\\alice',
    'wallet.example./alice',
    `wallet.example/${'a'.repeat(3_000)}`,
  ])('is not read from %j', (text) => {
    expect(walletAddressUrl(text)).toBeUndefined();
  });
});

describe('asking another wallet to pay', () => {
  let wallet: FakeWallet;
  let remote: ReturnType<typeof openRemoteWallets>;
  beforeEach(async () => {
    wallet = await new FakeWallet().open();
    remote = openRemoteWallets();
  });
  afterEach(async () => {
    await remote.close();
    await wallet.close();
  });

  const eur = (value: string) => ({ value, assetCode: 'EUR', assetScale: 2 });
  const walletAddress = () => ({
    id: `${wallet.origin}/bob`,
    assetCode: 'EUR',
    assetScale: 2,
    authServer: `${wallet.origin}/auth`,
    resourceServer: wallet.origin,
    publicName: undefined,
  });
  const wanted = (): WantedPaymentGrant => ({
    walletAddress: walletAddress(),
    walletAddressId: 'alice',
    limit: { debitAmount: { ...eur('5'), value: 5n } },
    receiver: `${OWN_ORIGIN}/incoming-payments/1`,
    finish: { uri: `${OWN_ORIGIN}/back`, nonce: 'n' },
  });
  const pending = (more: object = {}) => ({
    interact: { redirect: `${wallet.origin}/interact/1`, finish: 'theirs' },
    continue: { uri: `${wallet.origin}/auth/continue/1`, access_token: { value: 'c' } },
    ...more,
  });
  const continuation = () => ({
    authServer: `${wallet.origin}/auth`,
    continueUri: `${wallet.origin}/auth/continue/1`,
    continueToken: 'c',
    walletAddressId: 'alice',
  });

  it('asks to see the payments of one wallet address, and for nothing else', async () => {
    let body = '';
    wallet.answers.set('POST /auth', (request, response) => {
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pending())));
    });
    const { walletAddress: of, walletAddressId, finish } = wanted();
    expect(await remote.paymentGrants.requestHistory({ walletAddress: of, walletAddressId, finish })).toMatchObject({ ok: true });
    const access = [{ type: 'outgoing-payment', actions: ['list-all'], identifier: `${wallet.origin}/bob` }];
    expect(JSON.parse(body)).toMatchObject({ access_token: { access } });
  });

  it.each<[string, Answering, string]>([
    ['gives no such permission', telling(400, { error: { code: 'invalid_request' } }), 'refused'],
    ['gives a token at once, without asking its owner', { access_token: { value: 't', manage: 'http://x.example/1' } }, 'refused'],
    ['answers with something else', telling(200, 'hello'), 'refused'],
    ['fails', telling(500), 'unreachable'],
  ])('has no permission to see payments from a server that %s', async (_, answer, problem) => {
    wallet.answers.set('POST /auth', answer);
    const { walletAddress: of, walletAddressId, finish } = wanted();
    expect(await remote.paymentGrants.requestHistory({ walletAddress: of, walletAddressId, finish })).toEqual({
      ok: false,
      error: problem,
    });
  });

  it('says who asks, for how much, to whom, and where to come back', async () => {
    let body = '';
    wallet.answers.set('POST /auth', (request, response) => {
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pending())));
    });
    expect(await remote.paymentGrants.request(wanted())).toEqual({
      ok: true,
      value: {
        authServer: `${wallet.origin}/auth`,
        interactUrl: `${wallet.origin}/interact/1`,
        continueUri: `${wallet.origin}/auth/continue/1`,
        continueToken: 'c',
        serverNonce: 'theirs',
      },
    });
    expect(JSON.parse(body)).toEqual({
      access_token: {
        access: [
          {
            type: 'outgoing-payment',
            actions: ['create', 'read'],
            identifier: `${wallet.origin}/bob`,
            limits: { receiver: `${OWN_ORIGIN}/incoming-payments/1`, debitAmount: eur('5') },
          },
        ],
      },
      client: `${OWN_ORIGIN}/alice`,
      interact: { start: ['redirect'], finish: { method: 'redirect', uri: `${OWN_ORIGIN}/back`, nonce: 'n' } },
    });
  });

  it.each([
    ['a script to send people to', () => pending({ interact: { redirect: 'javascript:alert(1)', finish: 'x' } }), 'unreachable'],
    [
      'a continuation at somebody else’s',
      () => pending({ continue: { uri: 'https://victim.example/1', access_token: { value: 'c' } } }),
      'unreachable',
    ],
    ['no nonce', () => pending({ interact: { redirect: 'https://a.example' } }), 'unreachable'],
    ['a token at once', () => ({ access_token: { value: 'a', manage: wallet.origin } }), 'unreachable'],
    ['a refusal', () => telling(400), 'refused'],
    ['trouble', () => telling(502), 'unreachable'],
  ])('takes no %s', async (_, answer: () => Answering, error) => {
    wallet.answers.set('POST /auth', answer());
    expect(await remote.paymentGrants.request(wanted())).toEqual({ ok: false, error });
  });

  it('learns whether the node may pay, must wait, or has asked too early', async () => {
    const asking = () => remote.paymentGrants.continue(continuation());
    const next = { uri: `${wallet.origin}/auth/continue/2`, access_token: { value: 'd' }, wait: 30 };
    wallet.answers.set('POST /auth/continue/1', { continue: next });
    expect(await asking()).toEqual({
      ok: true,
      value: { state: 'pending', waitSeconds: 30, continueUri: next.uri, continueToken: 'd' },
    });
    wallet.answers.set('POST /auth/continue/1', telling(400, { error: { code: 'too_fast' } }));
    expect(await asking()).toMatchObject({ ok: true, value: { state: 'pending', continueToken: 'c' } });
    const access_token = { value: 't', manage: `${wallet.origin}/auth/token/1`, expires_in: 600, access: [] };
    wallet.answers.set('POST /auth/continue/1', { access_token, continue: next });
    expect(await asking()).toEqual({
      ok: true,
      value: { state: 'granted', token: 't', manageUrl: `${wallet.origin}/auth/token/1`, expiresAt: remote.clock.now() + 600_000 },
    });
    wallet.answers.set('POST /auth/continue/1', { access_token: { ...access_token, manage: 'https://victim.example/1' }, continue: next });
    expect(await asking()).toEqual({ ok: false, error: 'refused' });
    wallet.answers.set('POST /auth/continue/1', telling(401, { error: { code: 'request_denied' } }));
    expect(await asking()).toEqual({ ok: false, error: 'refused' });
  });

  it('takes no quote and no payment that belongs to another', async () => {
    const receiver = `${OWN_ORIGIN}/incoming-payments/1`;
    const quote = { id: `${wallet.origin}/quotes/1`, receiver, debitAmount: eur('5'), receiveAmount: eur('5') };
    const paid = { ...quote, id: `${wallet.origin}/outgoing-payments/1`, sentAmount: eur('0') };
    wallet.answers.set('POST /auth', { access_token: { value: 'q', manage: `${wallet.origin}/auth/token/1` } });
    const quoting = () => remote.payments.createQuote({ walletAddress: walletAddress(), walletAddressId: 'alice', receiver });
    const paying = () =>
      remote.payments.createOutgoingPayment({ walletAddress: walletAddress(), walletAddressId: 'alice', token: 't', quoteId: quote.id });
    wallet.answers.set('POST /quotes', telling(201, quote));
    wallet.answers.set('POST /outgoing-payments', telling(201, paid));
    expect(await quoting()).toMatchObject({ ok: true });
    expect(await paying()).toMatchObject({ ok: true, value: { failed: false } });
    for (const change of [{ id: 'https://victim.example/quotes/1' }, { receiver: `${receiver}1` }, { debitAmount: eur('-5') }]) {
      wallet.answers.set('POST /quotes', telling(201, { ...quote, ...change }));
      expect(await quoting()).toEqual({ ok: false, error: 'unreachable' });
    }
    wallet.answers.set('POST /outgoing-payments', telling(201, { ...paid, id: 'https://victim.example/outgoing-payments/1' }));
    expect(await paying()).toEqual({ ok: false, error: 'unreachable' });
    wallet.answers.set('POST /outgoing-payments', telling(403));
    expect(await paying()).toEqual({ ok: false, error: 'refused' });
  });
});
