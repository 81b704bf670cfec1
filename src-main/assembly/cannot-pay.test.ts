import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReachProblem } from '../../src-shared/attempt-failures.ts';
import { REACH_PROBLEMS } from '../../src-shared/attempt-failures.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { reachText } from '../../src-shared/words/elsewhere/reach-text.ts';
import { checkoutWords } from '../../src-shared/words/pages/checkout-words.ts';
import { reject } from '../ilp/packets.ts';
import { failedAttempts } from '../operator-api/queries/payments/payment-requests.ts';
import type { NewPeer } from '../peers/peer-registry.ts';
import { newPeer } from '../peers/testing/peers.ts';
import type { JsonAnswer, OutboundBytes, OutboundHttp, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { linkTo } from './testing/linked-nodes.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

const WALLET = 'https://wallet.example';
const HOUR_S = 3_600;

type Answer = Result<JsonAnswer, OutboundProblem>;

/** This node, and the customer's. They are peers in dollars. A test decides what happens on the way between them. */
let us: TestNode;
let them: TestNode;
let ids: { ours: string; theirs: string };
/** What the customer's wallet answers to this node instead of the truth. */
let told: (method: string, url: string) => Answer | undefined;
/** What the customer's node answers to packets of this node instead of the truth. */
let packet: () => Awaited<ReturnType<OutboundBytes['postBytes']>> | undefined;

beforeEach(async () => {
  told = () => undefined;
  packet = () => undefined;
  const link = linkTo(() => them, []);
  const toThem: OutboundHttp = {
    getJson: async (url, options) => told('GET', url) ?? (await link.getJson(url, options)),
    requestJson: async (method, url, request) => told(method, url) ?? (await link.requestJson(method, url, request)),
    close: () => undefined,
  };
  const peerHttp = (node: () => TestNode, instead: typeof packet): OutboundBytes => ({
    postBytes: async (_url, { headers, body }) => {
      const replaced = instead();
      if (replaced !== undefined) return replaced;
      const answer = await node().app.inject({ method: 'POST', url: '/ilp', headers, payload: body });
      return ok({ status: answer.statusCode, body: answer.rawPayload });
    },
    mayAsk: () => true,
  });
  us = await openTestNode({
    others: new Map([[WALLET, toThem]]),
    peerHttp: peerHttp(
      () => them,
      () => packet(),
    ),
  });
  them = await openTestNode({
    ...{ origin: WALLET, formerOrigins: [] },
    others: new Map([[us.urls.origin, linkTo(() => us, [])]]),
    peerHttp: peerHttp(
      () => us,
      () => undefined,
    ),
  });
  const [token, theirToken] = ['a-token-for-the-customer', 'a-token-for-this-node-00'];
  ids = {
    ours: await meet(us, them, { incomingToken: token, outgoingToken: theirToken }),
    theirs: await meet(them, us, { incomingToken: theirToken, outgoingToken: token }),
  };
});
afterEach(async () => {
  await us.close();
  await them.close();
});

async function meet(node: TestNode, other: TestNode, tokens: Partial<NewPeer>): Promise<string> {
  const id = randomUUID();
  const ilpAddress = other.payments.peers.operator.nodeAddress;
  const added = await node.payments.peers.operator.registry.add(newPeer({ id, ilpAddress, creditLimit: 1_000_000n, ...tokens }));
  if (!added.ok) throw new Error(added.error);
  return id;
}

const registry = () => us.payments.peers.operator.registry;
const answer =
  (status: number, body: unknown) =>
  (url: string): Answer =>
    ok({ status, body, url });
const atAuthServer = (method: string, url: string): boolean => method === 'POST' && url.startsWith(`${WALLET}/auth`);

/** A request of this node for 12.00, or what `account` counts in. */
async function request(account: WalletAddress, expiresAt?: number): Promise<string> {
  const { assetCode, assetScale } = account;
  const made = await us.payments.incomingPayments.create({
    ...{ walletAddress: account, client: null, expiresAt },
    incomingAmount: { value: 1_200n, assetCode, assetScale },
  });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}
const visit = async (incomingPaymentId: string) =>
  await us.checkout.checkouts.start({
    ...{ incomingPaymentId, wallet: 'wallet.example/alice', amount: undefined },
    ...{ visitor: randomUUID(), network: '192.0.2.1' },
  });
const report = async (account: WalletAddress) => {
  const found = await us.payments.reach.report('wallet.example/alice', account);
  if (!found.ok) throw new Error(found.error);
  return found.value;
};

/** Lets the customer's wallet answer something else. */
const tell = (instead: typeof told) => () => {
  told = instead;
};

interface Case {
  readonly problem: ReachProblem;
  /** Makes it so. */
  readonly arrange: () => Promise<unknown> | unknown;
  /** The line of the report that says it. */
  readonly step: 'answers' | 'speaks' | 'way_out' | 'way_back' | 'amount';
  /** The account of this node. It counts in dollars unless given. */
  readonly account?: () => WalletAddress;
  /** The checkout is left out where a customer meets another obstacle first, or none. */
  readonly checkout?: 'not met';
}

const CASES: readonly Case[] = [
  { problem: 'wallet_not_resolved', step: 'answers', arrange: tell(() => refuse('not_resolved')) },
  { problem: 'wallet_unreachable', step: 'answers', arrange: tell(() => refuse('timed_out')) },
  { problem: 'wallet_not_found', step: 'answers', arrange: tell((_, url) => answer(404, {})(url)) },
  { problem: 'wallet_not_secure', step: 'answers', arrange: tell(() => refuse('not_secure')) },
  {
    problem: 'wallet_other_protocol',
    step: 'answers',
    arrange: tell((_, url) => answer(200, { id: url, assetCode: 'USD', assetScale: 2 })(url)),
  },
  {
    problem: 'auth_unreachable',
    step: 'speaks',
    arrange: tell((method, url) => (atAuthServer(method, url) ? refuse('timed_out') : undefined)),
  },
  {
    problem: 'grant_refused',
    step: 'speaks',
    arrange: tell((method, url) => (atAuthServer(method, url) ? answer(403, { error: { code: 'request_denied' } })(url) : undefined)),
  },
  {
    problem: 'key_unknown',
    step: 'speaks',
    arrange: tell((method, url) => (atAuthServer(method, url) ? answer(400, { error: { code: 'invalid_client' } })(url) : undefined)),
  },
  {
    problem: 'wallet_refused',
    step: 'speaks',
    arrange: tell((method, url) => (/POST .*(incoming-payments|quotes)$/.test(`${method} ${url}`) ? answer(403, {})(url) : undefined)),
  },
  { problem: 'no_common_way', step: 'way_out', arrange: () => registry().remove(ids.ours) },
  { problem: 'peer_paused', step: 'way_out', arrange: () => registry().setState(ids.ours, 'paused') },
  { problem: 'peer_limit', step: 'way_back', arrange: () => registry().edit(ids.ours, { creditLimit: 0n }) },
  { problem: 'peer_limit', step: 'way_out', arrange: () => registry().edit(ids.ours, { debtLimit: 0n }), checkout: 'not met' },
  {
    problem: 'peer_unreachable',
    step: 'way_out',
    arrange: async () => {
      await them.payments.peers.operator.registry.setState(ids.theirs, 'paused');
      packet = () => refuse({ problem: 'unreachable', sent: false });
    },
  },
  {
    problem: 'packet_refused',
    step: 'way_out',
    arrange: async () => {
      await them.payments.peers.operator.registry.setState(ids.theirs, 'paused');
      packet = () => ok({ status: 200, body: reject('test.far', 'F00', '').bytes });
    },
  },
  { problem: 'no_rate', step: 'way_out', arrange: () => undefined, account: () => us.accounts.bob },
  {
    problem: 'too_small',
    step: 'amount',
    account: () => us.accounts.bob,
    checkout: 'not met',
    arrange: async () => {
      const rate = { rate: '0.0001', spreadBps: 0, source: 'test', asOf: us.clock.now(), maxAgeSeconds: HOUR_S };
      await us.payments.rates.set({ ...rate, base: 'EUR', quote: 'USD' });
    },
  },
];

describe('a wallet that cannot pay', () => {
  it.each(CASES)('is told with its reason, $problem at $step, to the merchant who asks', async ({ problem, step, arrange, account }) => {
    await arrange();
    const { lines, example } = await report(account?.() ?? us.accounts.carol);
    expect(lines.find((line) => line.step === step)).toMatchObject({ state: 'missing', problem });
    if (step !== 'way_back') expect(example).toBeUndefined();
    expect(reachText[problem]).toMatch(/^[A-Z].*\.$/);
  });

  it.each(CASES.filter(({ checkout }) => checkout === undefined))(
    'hears $problem before it is sent away, and the merchant reads the same ($step)',
    async ({ problem, arrange, account }) => {
      const id = await request(account?.() ?? us.accounts.carol);
      await arrange();
      expect(await visit(id)).toEqual(refuse(problem));
      const [attempt] = await failedAttempts(us.database.read, id);
      expect(attempt?.reason).toBe(problem);
      expect(checkoutWords.problems[problem]).not.toMatch(/enough money/);
      expect(messages.getPaid.attempts.reasons[problem]).not.toMatch(/lack the money/);
    },
  );

  it('hears that the payment takes no more money', async () => {
    const id = await request(us.accounts.carol, us.clock.now() + 1_000);
    us.clock.advance(2_000);
    them.clock.advance(2_000);
    expect(await visit(id)).toEqual(refuse('closed'));
  });

  it('is told with at least twelve reasons, and each has words for the customer and for the merchant', () => {
    const met = new Set([...CASES.map(({ problem }) => problem), 'closed']);
    expect(met).toEqual(new Set(REACH_PROBLEMS));
    expect(met.size).toBeGreaterThanOrEqual(12);
    for (const problem of REACH_PROBLEMS) {
      expect(checkoutWords.problems[problem].length).toBeGreaterThan(20);
      expect(reachText[problem].length).toBeGreaterThan(20);
    }
  });
});

describe('a wallet that can pay', () => {
  it('has a good line for each step, and an example', async () => {
    const { wallet, lines, example } = await report(us.accounts.carol);
    expect(wallet).toMatchObject({ id: `${WALLET}/alice`, assetCode: 'USD' });
    expect(lines.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['answers good', 'speaks good', 'way_out good', 'way_back unknown', 'amount good'],
    ]);
    expect(example).toMatchObject({ sent: { value: 1_000n, assetCode: 'USD' }, arrives: { value: 1_000n, assetCode: 'USD' } });
  });

  it('is sent to its own server, and nothing has moved', async () => {
    const visited = await visit(await request(us.accounts.carol));
    expect(visited.ok).toBe(true);
    expect((await registry().get(ids.ours))?.position).toBe(0n);
  });

  it('has a known way back once its peer has brought money', async () => {
    const to = await request(us.accounts.carol);
    const quote = await them.payments.operatorPayments.quote({
      ...{ requestId: randomUUID(), from: them.accounts.alice, payee: us.urls.incomingPayment(to) },
    });
    if (!quote.ok) throw new Error(quote.error.code);
    const paying = { requestId: randomUUID(), from: them.accounts.alice, quoteId: quote.value.id };
    await them.payments.worker.start();
    await them.payments.operatorPayments.pay(paying);
    await expect.poll(async () => (await us.payments.incomingPayments.find(to))?.received, { timeout: 15_000 }).toBe(1_200n);
    expect((await report(us.accounts.carol)).lines.find(({ step }) => step === 'way_back')).toMatchObject({ state: 'good' });
  });
});
