import { randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { ClientWallet } from '../../e2e/support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../../e2e/support/clients/flows.ts';
import { prepare, transmit } from '../../e2e/support/clients/raw-client.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { newId } from '../../src-main/platform/ids.ts';
import { type Goal, median, percent, type Row } from '../support/report.ts';

const PAIRS = 10_000;
const WARM_UP = 500;
/** Chance alone gives a larger deviation in one of a hundred comparisons. So what has one is compared once more. */
const LEAST_P = 0.01;

/** Two requests that somebody may want to tell apart by their time, and how they compare. */
interface Comparison {
  readonly what: string;
  readonly one: () => Promise<unknown>;
  readonly other: () => Promise<unknown>;
}

async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await ask();
  return performance.now() - before;
}

/**
 * Sends both requests in turns, the order changing with each pair, so that other work of the computer slows both alike.
 * @returns in which share of the pairs the first took longer, and both medians in milliseconds.
 */
async function compare({ one, other }: Comparison): Promise<{ slower: number; medians: [number, number] }> {
  const [ones, others]: [number[], number[]] = [[], []];
  let slower = 0;
  for (let pair = 0; pair < WARM_UP + PAIRS; pair++) {
    const first = pair % 2 === 0;
    const [a, b] = first ? [await timeOf(one), await timeOf(other)] : [await timeOf(other), await timeOf(one)].toReversed();
    if (pair < WARM_UP || a === undefined || b === undefined) continue;
    ones.push(a);
    others.push(b);
    slower += a > b ? 1 : 0;
  }
  return { slower: slower / PAIRS, medians: [median(ones), median(others)] };
}

/** How likely chance alone makes such a share of the pairs, or one further from a half (two-sided sign test). */
function likelihood(share: number): number {
  const z = (Math.abs(share - 0.5) * 2 * Math.sqrt(PAIRS)) / Math.SQRT2;
  // The complementary error function after Abramowitz and Stegun, 7.1.26.
  const t = 1 / (1 + 0.3275911 * z);
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce((sum, factor) => (sum + factor) * t, 0);
  return series * Math.exp(-z * z);
}

interface Handle {
  readonly uri: string;
  readonly token: string;
}

/** A grant that needs nobody's consent, with its two handles. */
async function grantOf(node: RunningNode, client: ClientWallet): Promise<{ token: Handle; continuation: Handle }> {
  const grant = await client.sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'quote', actions: ['create'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
  return {
    token: { uri: grant.access_token.manage, token: grant.access_token.value },
    continuation: { uri: grant.continue.uri, token: grant.continue.access_token.value },
  };
}

/** How many ids take turns on each side. */
const IDS = 50;

/** Quotes and outgoing payments of another client, and a token of this one that reads its own of the same account. */
async function thingsOf(node: RunningNode, client: ClientWallet, other: ClientWallet) {
  const { walletAddress: shop } = await createAccount(node, 'shop', 0n);
  const { walletAddress: buyer } = await createAccount(node, 'buyer', 1_000_000n);
  const limits = { debitAmount: usd('1000000') };
  const [{ value: own }, { value: theirs }] = [
    await spendingToken(node, client, buyer, limits),
    await spendingToken(node, other, buyer, limits),
  ];
  const receiving = await receivingToken(node, other);
  const [url, incomingAmount] = [node.publicUrl, usd('100')];
  const things: Record<'quote' | 'payment', string[]> = { quote: [], payment: [] };
  for (let n = 0; n < IDS; n++) {
    const { incomingPayment, quote, outgoingPayment } = other.sdk;
    const { id: receiver } = await incomingPayment.create({ url, accessToken: receiving }, { walletAddress: shop, incomingAmount });
    const order = { walletAddress: buyer, receiver, method: 'ilp' as const };
    things.quote.push((await quote.create({ url, accessToken: theirs }, order)).id);
    const payment = { walletAddress: buyer, incomingPayment: receiver, debitAmount: incomingAmount };
    things.payment.push((await outgoingPayment.create({ url, accessToken: theirs }, payment)).id);
  }
  return [
    { kind: 'a quote', uris: things.quote, token: own },
    { kind: 'an outgoing payment', uris: things.payment, token: own },
  ];
}

/**
 * What is compared. Of quotes and payments nothing is promised (docs/security.md). The last two lines are the same
 * thing twice, and a difference that the comparison has to see.
 */
async function comparisons(node: RunningNode, client: ClientWallet, other: ClientWallet): Promise<Comparison[]> {
  const own = await grantOf(node, client);
  const foreign = await Promise.all(Array.from({ length: IDS }, () => grantOf(node, client)));
  // Both sides do the same before they send, so that only the node can make a difference.
  const ask = (uris: readonly string[], token: string, method: 'POST' | 'GET' = 'POST') => {
    const requests = uris.map((uri) => prepare(client, method, uri, token));
    let turn = 0;
    return async () => {
      const request = requests[turn++ % requests.length];
      if (request !== undefined) await transmit(request);
    };
  };
  const made = (kind: 'token' | 'continuation') => foreign.map((grant) => grant[kind].uri);
  const withOtherId = (uri: string): string => uri.replace(/[\da-f-]{36}$/, newId());
  const absent = (kind: 'token' | 'continuation') => made(kind).map(withOtherId);
  return [
    ...(['token', 'continuation'] as const).map((kind) => ({
      what: `the id of a ${kind}: of another grant, and absent`,
      one: ask(made(kind), own[kind].token),
      other: ask(absent(kind), own[kind].token),
    })),
    ...(await thingsOf(node, client, other)).map(({ kind, uris, token }) => ({
      what: `to compare: the id of ${kind}, of another client, and absent`,
      one: ask(uris, token, 'GET'),
      other: ask(uris.map(withOtherId), token, 'GET'),
    })),
    { what: 'to compare: absent ids twice', one: ask(absent('token'), own.token.token), other: ask(absent('token'), own.token.token) },
    {
      what: 'to compare: the value of a token, right and made up',
      one: ask(made('token'), own.token.token),
      other: ask(made('token'), randomUUID()),
    },
  ];
}

/** Measures whether the time of an answer tells that an id exists. */
export async function measureIds(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const flags = ['--token-lifetime', '86400', '--address-rate', '0', '--client-rate', '0', '--log-level', 'error'];
  const node = await RunningNode.start({ dataDir: join(folder, 'node'), flags, logTo: openSync(join(folder, 'log'), 'a') });
  const [client, other] = [await ClientWallet.start(), await ClientWallet.start()];
  const [rows, goals]: [Row[], Goal[]] = [[], []];
  try {
    for (const comparison of await comparisons(node, client, other)) {
      const isPromised = !comparison.what.startsWith('to compare');
      let compared = await compare(comparison);
      if (isPromised && likelihood(compared.slower) <= LEAST_P) compared = await compare(comparison);
      const { slower, medians } = compared;
      const p = likelihood(slower);
      rows.push({
        'told by time': comparison.what,
        'first slower': percent(slower),
        'p of chance': p < 0.001 ? 'under 0.001' : p.toFixed(3),
        medians: medians.map((took) => `${(took * 1_000).toFixed(0)} µs`).join(', '),
      });
      if (isPromised) goals.push({ name: `${comparison.what}: chance explains it`, met: p > LEAST_P, figure: `p ${p.toFixed(3)}` });
    }
  } finally {
    await client.stop();
    await other.stop();
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { rows, goals };
}
