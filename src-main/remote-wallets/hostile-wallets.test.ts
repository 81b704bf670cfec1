import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { remoteGrantRule } from './retention.ts';
import { remoteGrants } from './tables.ts';
import { type Answering, FakeWallet, OWN_ORIGIN, openRemoteWallets, telling } from './testing/wallets.ts';

const PATH = '/incoming-payments/1';
const SECRET = Buffer.alloc(32, 0xfb).toString('base64url');
const METHOD = { type: 'ilp', ilpAddress: 'g.wallet.1', sharedSecret: SECRET };
const eur = (value: unknown, more: object = {}) => ({ value, assetCode: 'EUR', assetScale: 2, ...more });

let wallet: FakeWallet;
let remote: ReturnType<typeof openRemoteWallets>;
beforeEach(async () => {
  wallet = await new FakeWallet().open();
  remote = openRemoteWallets();
  wallet.answers.set(`GET ${PATH}`, { authServer: `${wallet.origin}/auth` });
  wallet.answers.set('POST /auth', token('first'));
  wallet.answers.set(`GET ${PATH} signed`, payment());
});
afterEach(async () => {
  await remote.close();
  await wallet.close();
});

const token = (value: unknown, more: object = {}): object => ({
  access_token: { value, manage: `${wallet.origin}/auth/token/1`, access: [], ...more },
  continue: { access_token: { value: 'c' }, uri: `${wallet.origin}/auth/continue/1` },
});
const payment = (more: object = {}): object => ({
  id: `${wallet.origin}${PATH}`,
  walletAddress: `${wallet.origin}/alice`,
  completed: false,
  receivedAmount: eur('7'),
  createdAt: '2026-01-01T00:00:00Z',
  methods: [METHOD],
  ...more,
});
const get = (path = PATH) => remote.incomingPayments.get(wallet.origin + path, { client: 'shop', walletAddressId: 'alice' });
const refusal = async (): Promise<string> => {
  const found = await get();
  return found.ok ? expect.fail('taken') : found.error;
};

test('the node reads a payment at a wallet that behaves well', async () => {
  wallet.answers.set(
    `GET ${PATH} signed`,
    payment({ incomingAmount: eur('18446744073709551615'), expiresAt: '2026-01-02T01:00:00+01:00' }),
  );
  expect(await get()).toEqual({
    ok: true,
    value: {
      url: wallet.origin + PATH,
      walletAddress: `${wallet.origin}/alice`,
      asset: { assetCode: 'EUR', assetScale: 2 },
      incomingAmount: 2n ** 64n - 1n,
      received: 7n,
      expiresAt: Date.UTC(2026, 0, 2),
      completed: false,
      method: { ilpAddress: 'g.wallet.1', sharedSecret: Buffer.alloc(32, 0xfb) },
    },
  });
});

test('the node reads a payment at a wallet with the habits of the reference implementation and others', async () => {
  wallet.answers.set(`GET ${PATH}`, { authServer: `${wallet.origin}/auth/`, receivedAmount: eur('0'), incomingAmount: null, metadata: {} });
  wallet.answers.set('POST /auth/', { ...token('ABCDEF0123', { expires_in: '600' }), continue: [{ uri: 7 }] });
  const padded = Buffer.alloc(32, 0xfb).toString('base64');
  expect(padded).toMatch(/[+/].*=$/);
  const methods = [{ type: 'card', number: 4 }, 7, { ...METHOD, sharedSecret: padded }];
  wallet.answers.set(`GET ${PATH} signed`, payment({ methods, metadata: { deep: [] }, client: 'x', updatedAt: 7 }));
  expect(await get()).toMatchObject({ ok: true, value: { method: { sharedSecret: Buffer.alloc(32, 0xfb) } } });
});

describe('the URL of a receiver', () => {
  it.each([
    '',
    'wallet.example/incoming-payments/1',
    'ftp://wallet.example/incoming-payments/1',
    'https://wallet.example/incoming-payments/',
    'https://wallet.example/incoming-payments/1/',
    'https://wallet.example/incoming-payments/1/complete',
    'https://wallet.example/incoming-payments/1?x',
    'https://wallet.example/incoming-payments/1?',
    'https://wallet.example/incoming-payments/1#',
    'https://user@wallet.example/incoming-payments/1',
    'https://:pass@wallet.example/incoming-payments/1',
    'https://wallet.example./incoming-payments/1',
    'https://wallet.example/outgoing-payments/1',
    ' https://wallet.example/incoming-payments/1',
    'https://wallet.example/incoming-payments/1\n',
    '\u0001https://wallet.example/incoming-payments/1',
    'https://wallet.example/incoming-\tpayments/1',
    'https:\\\\wallet.example\\incoming-payments\\1',
    `https://wallet.example/incoming-payments/${'1'.repeat(2_048)}`,
    `${OWN_ORIGIN}/incoming-payments/1`,
  ])('is not asked for when it is %j', async (url) => {
    const found = await remote.incomingPayments.get(url, { client: 'shop', walletAddressId: 'alice' });
    expect(found).toEqual({ ok: false, error: 'unknown_receiver' });
  });

  it('names the same receiver in whatever spelling', async () => {
    for (const url of [`${wallet.origin.replace('http', 'HTTP')}${PATH}`, `${wallet.origin}/x/..${PATH}`]) {
      expect(await remote.incomingPayments.get(url, { client: 'shop', walletAddressId: 'alice' })).toMatchObject({ ok: true });
    }
  });
});

describe('a receiver whose public side', () => {
  const elsewhere = (url: unknown): Answering => ({ authServer: url });
  const CASES: [string, Answering, string][] = [
    ['absent', telling(404), 'unknown_receiver'],
    ['hidden', telling(401), 'unknown_receiver'],
    ['forbidden', telling(403), 'receiver_unreachable'],
    ['out of order', telling(503), 'receiver_unreachable'],
    ['rate-limited', telling(429), 'receiver_unreachable'],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'receiver_unreachable'],
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'receiver_unreachable'],
    ['70 KB', { authServer: 'x', filler: 'x'.repeat(70_000) }, 'receiver_unreachable'],
    ['a cut connection', (request) => request.socket.destroy(), 'receiver_unreachable'],
    ['without an authorization server', {}, 'receiver_unreachable'],
    ['a list', [], 'receiver_unreachable'],
    ['null', telling(200, null), 'receiver_unreachable'],
    ['a number for a server', elsewhere(7), 'receiver_unreachable'],
    ['a script for a server', elsewhere('javascript:alert(1)'), 'receiver_unreachable'],
    ['a file for a server', elsewhere('file:///etc/passwd'), 'receiver_unreachable'],
    ['a server with a password', elsewhere('http://user:pass@127.0.0.1/auth'), 'receiver_unreachable'],
    ['a server in the private network', elsewhere('http://192.168.0.1/auth'), 'receiver_unreachable'],
    ['a metadata service', elsewhere('http://169.254.169.254/latest'), 'receiver_unreachable'],
    ['this very node', elsewhere(`${OWN_ORIGIN}/auth`), 'receiver_unreachable'],
    ['a server of 3 KB', elsewhere(`http://127.0.0.1/${'a'.repeat(3_000)}`), 'receiver_unreachable'],
  ];
  it.each(CASES)('is %s is refused, and nothing else is asked for', async (_, answer, problem) => {
    wallet.answers.set(`GET ${PATH}`, answer);
    expect(await refusal()).toBe(problem);
    expect(wallet.asked.every((one) => one === `GET ${PATH}`)).toBe(true);
  });
});

describe('the node', () => {
  const CASES: [string, () => Answering, string][] = [
    ['that is refused', () => telling(400, { error: { code: 'invalid_client' } }), 'receiver_refused'],
    ['from a server that is out of order', () => telling(500), 'receiver_unreachable'],
    ['for which somebody must be asked', () => ({ interact: { redirect: 'http://x', finish: 'y' }, continue: {} }), 'receiver_refused'],
    ['without a token', () => ({ continue: {} }), 'receiver_refused'],
    ['with several tokens', () => ({ access_token: [{ value: 'a', manage: `${wallet.origin}/1` }] }), 'receiver_refused'],
    ['with a token that breaks headers', () => token('a\r\nx-evil: 1'), 'receiver_refused'],
    ['with a token of spaces', () => token('a b'), 'receiver_refused'],
    ['with an empty token', () => token(''), 'receiver_refused'],
    ['with a number for a token', () => token(7), 'receiver_refused'],
    ['with an endless token', () => token('a'.repeat(5_000)), 'receiver_refused'],
    ['that somebody else manages', () => token('a', { manage: 'https://victim.example/auth/token/1' }), 'receiver_refused'],
    ['that nobody manages', () => token('a', { manage: 7 }), 'receiver_refused'],
    ['that this node would manage', () => token('a', { manage: `${OWN_ORIGIN}/auth/token/1` }), 'receiver_refused'],
  ];
  it.each(CASES)('uses no grant %s', async (_, answer, problem) => {
    wallet.answers.set('POST /auth', answer());
    expect(await refusal()).toBe(problem);
    expect(await remote.database.read.select().from(remoteGrants)).toEqual([]);
    expect(wallet.count(`GET ${PATH} signed`)).toBe(0);
  });

  it.each([-1, 1e99, '600', null, {}, 1.5])('uses a token with the lifetime %j until the wallet refuses it', async (expires_in) => {
    wallet.answers.set('POST /auth', token('a', { expires_in }));
    expect(await get()).toMatchObject({ ok: true });
    remote.clock.advance(10 * 365 * 24 * 60 * 60_000);
    expect(await get()).toMatchObject({ ok: true });
    expect(wallet.count('POST /auth')).toBe(1);
  });

  it('asks a bounded number of times for a grant whose tokens never count, and asks anew the next time', async () => {
    wallet.answers.set(`GET ${PATH} signed`, telling(401));
    wallet.answers.set('POST /auth/token/1', token('second'));
    const once = [`GET ${PATH}`, 'POST /auth', `GET ${PATH} signed`, 'POST /auth/token/1 signed', `GET ${PATH} signed`];
    expect(await refusal()).toBe('receiver_refused');
    expect(wallet.asked).toEqual(once);
    expect(await refusal()).toBe('receiver_refused');
    expect(wallet.asked).toEqual(once);
    remote.clock.advance(30_000);
    await refusal();
    expect(wallet.asked).toEqual([...once, ...once]);
  });

  it('replaces a grant once when its token cannot be rotated', async () => {
    wallet.answers.set(`GET ${PATH} signed`, telling(401));
    wallet.answers.set('POST /auth/token/1', telling(400, { error: { code: 'invalid_rotation' } }));
    expect(await refusal()).toBe('receiver_refused');
    expect(wallet.count('POST /auth')).toBe(2);
    expect(wallet.count('POST /auth/token/1 signed')).toBe(1);
    expect(wallet.count(`GET ${PATH} signed`)).toBe(2);
  });

  it('does not give up a grant because its server is out of order', async () => {
    await get();
    wallet.answers.set(`GET ${PATH} signed`, telling(401));
    wallet.answers.set('POST /auth/token/1', telling(503));
    expect(await refusal()).toBe('receiver_unreachable');
    expect(await remote.database.read.select().from(remoteGrants)).toHaveLength(1);
    expect(wallet.count('POST /auth')).toBe(1);
  });

  it('rotates a token at the words of the reference implementation, and at no other refusal', async () => {
    const said: Answering[] = [telling(403, { error: { code: '403', description: 'Inactive Token' } }), payment()];
    wallet.answers.set(`GET ${PATH} signed`, (request, response) => {
      const next = said.shift() ?? telling(403, { error: { description: 'Insufficient Grant' } });
      (typeof next === 'function' ? next : telling(200, next))(request, response);
    });
    wallet.answers.set('POST /auth/token/1', token('second'));
    expect(await get()).toMatchObject({ ok: true });
    expect(wallet.count('POST /auth/token/1 signed')).toBe(1);
    expect(await refusal()).toBe('receiver_refused');
    expect(wallet.count('POST /auth/token/1 signed')).toBe(1);
  });

  it('never sends a token to another wallet that names the same server', async () => {
    const other = await new FakeWallet().open();
    await get();
    // A thief names the honest wallet's authorization server, so that it is sent that wallet's token.
    const sent: unknown[] = [];
    wallet.answers.set('POST /auth', token('for-the-thief'));
    other.answers.set(`GET ${PATH}`, { authServer: `${wallet.origin}/auth` });
    other.answers.set(`GET ${PATH} signed`, (request, response) => {
      sent.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    await remote.incomingPayments.get(other.origin + PATH, { client: 'shop', walletAddressId: 'alice' });
    expect(sent).not.toContain('GNAP first');
    expect(await get()).toMatchObject({ ok: true });
    await other.close();
  });

  it('forgets grants that it has not used for a month', async () => {
    await get();
    remote.clock.advance(31 * 24 * 60 * 60_000);
    const other = await new FakeWallet().open();
    other.answers.set(`GET ${PATH}`, { authServer: `${wallet.origin}/auth` });
    await remote.incomingPayments.get(other.origin + PATH, { client: 'shop', walletAddressId: 'alice' });
    await remoteGrantRule.removeSome(remote.database, remote.clock.now() - remoteGrantRule.keptMs, undefined);
    expect((await remote.database.read.select().from(remoteGrants)).map(({ access }) => access)).toEqual([
      `incoming-payment: read-all at ${other.origin}`,
    ]);
    await other.close();
  });
});

describe('an incoming payment at another wallet', () => {
  const CASES: [string, () => object][] = [
    ['of another id', () => ({ id: `${wallet.origin}/incoming-payments/2` })],
    ['of another host', () => ({ id: `http://127.0.0.2${PATH}` })],
    ['of no id', () => ({ id: undefined })],
    ['of no wallet address', () => ({ walletAddress: 'alice' })],
    ['completed perhaps', () => ({ completed: 'no' })],
    ['without what was received', () => ({ receivedAmount: undefined })],
    ...['', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '18446744073709551616', '9'.repeat(1_000), 7, null, {}].map(
      (value): [string, () => object] => [
        `with ${String(JSON.stringify(value)).slice(0, 24)} received`,
        () => ({ receivedAmount: eur(value) }),
      ],
    ),
    ...[-1, 256, 1.5, '2', null].map((assetScale): [string, () => object] => [
      `with a scale of ${JSON.stringify(assetScale)}`,
      () => ({ receivedAmount: eur('1', { assetScale }) }),
    ]),
    ...['', 'E'.repeat(65), 'EUR\u0000', 'EUR\u202e', 'E R', 7].map((assetCode): [string, () => object] => [
      `in ${JSON.stringify(assetCode).slice(0, 24)}`,
      () => ({ receivedAmount: eur('1', { assetCode }) }),
    ]),
    ['asking for one thing and receiving another', () => ({ incomingAmount: eur('9', { assetCode: 'USD' }) })],
    ['asking in another precision', () => ({ incomingAmount: eur('9', { assetScale: 3 }) })],
    ['until nobody knows', () => ({ expiresAt: 'tomorrow' })],
    ['until a number', () => ({ expiresAt: 1_800_000_000 })],
    ['until a time without a zone', () => ({ expiresAt: '2026-01-01T00:00:00' })],
    ['without methods', () => ({ methods: undefined })],
    ['with an object of methods', () => ({ methods: {} })],
    ['with a thousand methods', () => ({ methods: Array.from({ length: 1_000 }, () => METHOD) })],
  ];
  it.each(CASES)('%s is not believed', async (_, change) => {
    wallet.answers.set(`GET ${PATH} signed`, payment(change()));
    expect(await refusal()).toBe('receiver_unreachable');
  });

  it.each([
    ['no ILP', { type: 'card' }],
    ['a short secret', { sharedSecret: Buffer.alloc(31).toString('base64url') }],
    ['a long secret', { sharedSecret: Buffer.alloc(33).toString('base64url') }],
    ['a secret with a second spelling', { sharedSecret: `${SECRET.slice(0, -1)}9` }],
    ['a secret with noise', { sharedSecret: `${SECRET}!` }],
    ['no secret', { sharedSecret: undefined }],
    ['no address', { ilpAddress: undefined }],
    ['an address of one word', { ilpAddress: 'wallet' }],
    ['an address with a space', { ilpAddress: 'g.wallet 1' }],
    ['an address of 2 KB', { ilpAddress: `g.${'a'.repeat(2_000)}` }],
  ])('cannot be paid with %s', async (_, change) => {
    wallet.answers.set(`GET ${PATH} signed`, payment({ methods: [{ ...METHOD, ...change }] }));
    expect(await get()).toMatchObject({ ok: true, value: { method: undefined } });
  });

  it.each([
    [404, 'unknown_receiver'],
    [403, 'receiver_refused'],
    [400, 'receiver_refused'],
    [500, 'receiver_unreachable'],
    [201, 'receiver_refused'],
  ])('is refused when it is answered with %d', async (status, problem) => {
    wallet.answers.set(`GET ${PATH} signed`, telling(status, payment()));
    expect(await refusal()).toBe(problem);
  });
});

describe('the document of a wallet address', () => {
  const document = (more: object = {}): object => ({
    id: `${wallet.origin}/alice`,
    assetCode: 'EUR',
    assetScale: 2,
    authServer: `${wallet.origin}/auth`,
    resourceServer: `${wallet.origin}/op/`,
    ...more,
  });
  const find = () => remote.directory.find(`${wallet.origin}/alice`);

  it('is taken as it is, without a slash at the end of its server', async () => {
    wallet.answers.set('GET /alice', document({ publicName: 7, extra: {} }));
    expect(await find()).toMatchObject({ ok: true, value: { resourceServer: `${wallet.origin}/op`, publicName: undefined } });
    wallet.answers.set('GET /alice', document({ publicName: 'A\0', extra: '\0' }));
    expect(await find()).toMatchObject({ ok: true, value: { publicName: undefined } });
  });

  it.each([
    ['with the id of another host', { id: 'https://bank.example/alice' }],
    ['without an asset', { assetCode: undefined }],
    ['with a NUL character in its currency', { assetCode: 'E\0' }],
  ])('is refused %s', async (_, change) => {
    wallet.answers.set('GET /alice', document(change));
    expect(await find()).toEqual({ ok: false, error: 'not_a_wallet_address' });
  });

  it.each([
    ['with half a scale', { assetScale: 2.5 }],
    ['with a script for a server', { authServer: 'javascript:alert(1)' }],
    ['without an authorization server', { authServer: undefined }],
    ['without a resource server', { resourceServer: null }],
    ['with a NUL character in a URL', { authServer: 'https://bank.example/\0' }],
  ])('is told apart as one of another protocol %s', async (_, change) => {
    wallet.answers.set('GET /alice', document(change));
    expect(await find()).toEqual({ ok: false, error: 'wallet_other_protocol' });
  });

  it('of the protocol before Open Payments is told apart', async () => {
    wallet.answers.set('GET /alice', { destination_account: 'g.bank.alice', shared_secret: 'c2VjcmV0' });
    expect(await find()).toEqual({ ok: false, error: 'wallet_other_protocol' });
  });

  it('is told apart from one that is absent and from one that does not come', async () => {
    expect(await find()).toEqual({ ok: false, error: 'not_a_wallet_address' });
    wallet.answers.set('GET /alice', telling(500));
    expect(await find()).toEqual({ ok: false, error: 'wallet_unreachable' });
    expect(await remote.directory.find('http://10.0.0.1/alice')).toEqual({ ok: false, error: 'wallet_not_resolved' });
    expect(await remote.directory.find(`${OWN_ORIGIN}/alice`)).toEqual({ ok: false, error: 'own_wallet_address' });
  });
});
