import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { signRequest } from '../access/http-signatures/testing/signed-requests.ts';
import { StrangerBudgets } from '../open-payments-api/http/stranger-budgets.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { EVERYTHING, pathOf, usd } from './testing/error-cases.ts';
import { startGrant } from './testing/grant-steps.ts';
import { ORIGIN, openTestNode, type TestNode, Told } from './testing/test-node.ts';

const WALLET = 'https://wallet.example';
const RECEIVER = (n: number) => `${WALLET}/incoming-payments/${n}`;
const MANY = 120;
/** A stranger pays for no more than so many times what it leaves. Otherwise it would be refused for nothing. */
const MOST_FACTOR = 5;
/** The first things of a kind take whole pages. */
const WARM_UP = 30;

let node: TestNode;
let charged = 0;
beforeEach(async () => {
  node = await openTestNode({ config: { clientRate: 20_000 } });
  charged = 0;
  // Nobody is refused here. What counts is what each request would take.
  vi.spyOn(StrangerBudgets.prototype, 'take').mockImplementation((_, cost) => {
    charged += cost.bytes ?? 0;
    return undefined;
  });
  vi.spyOn(StrangerBudgets.prototype, 'refusalOf').mockReturnValue(undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await node.close();
});

type Make = (n: number, token: string) => Promise<number>;
const text = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
const status = async (call: Parameters<TestNode['call']>[0]) => (await node.call(call)).status;
const post = (path: string, token: string | undefined, body: object) => status({ method: 'POST', path, token, body });
const form = async (url: string, n: number, payload: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
  return (await node.app.inject({ method: 'POST', url, headers, remoteAddress: `203.0.113.${n}`, payload })).statusCode;
};
const grantFor = (type: string) => ({ access_token: { access: [{ type, actions: ['create'] }] }, client: node.shop.url });
const toPay = () => ({
  access_token: { access: [{ type: 'outgoing-payment', actions: ['create', 'read'], identifier: `${ORIGIN}/alice` }] },
  interact: { start: ['redirect'], finish: { method: 'redirect', uri: `https://app.example/${text(1_000)}`, nonce: randomUUID() } },
  client: node.shop.url,
});

let receiver = '';
async function requestOf(token: string): Promise<string> {
  const body = { walletAddress: `${ORIGIN}/carol`, incomingAmount: usd('100000') };
  const made = await node.call({ method: 'POST', path: '/incoming-payments', token, body });
  return (made.body as { id: string }).id;
}

const KINDS: Record<string, Make> = {
  'a request with a nonce': async (_, token) => {
    const request = { method: 'GET' as const, url: `${ORIGIN}/quotes/1`, token };
    const more = { created: Math.floor(node.clock.now() / 1_000), moreParameters: `;nonce="${text(128)}"` };
    const headers = { ...signRequest(request, node.shop.key, more) };
    return (await node.app.inject({ method: 'GET', url: '/quotes/1', headers })).statusCode;
  },
  'an incoming payment': (_, token) => post('/incoming-payments', token, { walletAddress: `${ORIGIN}/alice` }),
  'an incoming payment with much metadata': (_, token) =>
    post('/incoming-payments', token, { walletAddress: `${ORIGIN}/alice`, metadata: { text: text(4_000) } }),
  'a quote': (n, token) =>
    post('/quotes', token, { walletAddress: `${ORIGIN}/alice`, receiver, method: 'ilp', debitAmount: usd(String(1 + n)) }),
  'a grant that nobody has to allow': () => post('/auth', undefined, grantFor('incoming-payment')),
  'a grant that waits for the operator': () => post('/auth', undefined, toPay()),
  'a token that is rotated': async () => {
    const { token } = await startGrant(node, grantFor('quote'));
    return await status({ method: 'POST', path: token?.path ?? '', token: token?.token });
  },
  'a payment that a visitor begins': (n) => form('/pay', n, 'account=alice&amount=1'),
  'an attempt of a visitor': (n) => form(pathOf(receiver).replace('incoming-payments', 'pay'), n, `wallet=${WALLET}/${text(1_000)}`),
  'a permission of a receiver elsewhere': async (n, token) => {
    const authServer = `${WALLET}/auth/${n}/${text(2_000)}`;
    node.documents.set(RECEIVER(n), { authServer });
    const manage = `${WALLET}/token/${text(2_000)}`;
    node.documents.set(`POST ${authServer}`, new Told(200, { access_token: { value: text(4_000), manage } }));
    return await post('/quotes', token, { walletAddress: `${ORIGIN}/alice`, method: 'ilp', receiver: RECEIVER(n) });
  },
};

for (const [kind, make] of Object.entries(KINDS)) {
  onSqlite('the file tells exactly how many pages are used')(`${kind} leaves no more on the disk than a stranger pays for`, async () => {
    const token = await node.giveToken(EVERYTHING);
    receiver = await requestOf(token);
    for (let n = 0; n < WARM_UP; n++) await make(n, token);
    const before = { bytes: await node.database.usedBytes(), charged };
    for (let n = WARM_UP; n < WARM_UP + MANY; n++) await make(n, token);
    const grown = (await node.database.usedBytes()) - before.bytes;
    const paid = charged - before.charged;
    expect(paid).toBeGreaterThanOrEqual(grown);
    expect(paid).toBeLessThanOrEqual(MOST_FACTOR * grown);
  });
}
