import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import type { WalletNode } from '../../src-main/wallet-node.ts';
import { median } from '../support/report.ts';
import { BUSY_GRANT, largeBooks, STREAMED, startLarge } from './large-books.ts';

/** How often each read is repeated. The first time also fills caches. */
const TIMES = 3;

/** What one read of the console costs a node with large books, in milliseconds; the middle of several times. */
export interface ReadFigures {
  read: string;
  /** The time from the call to its answer. */
  wall: number;
  /** The processor time of the longest task of the main thread: for so long nobody else is answered. */
  longest: number;
}

type Calls = WalletNode['operator']['calls'];

/** What is in the books of every node that is measured. */
interface Known {
  /** The id of an account, which has many payments, and that of one of the newest payments. */
  readonly account: string;
  readonly payment: string;
  /** The first and the last day of the last 30, such as "2026-11-30". */
  readonly period: { readonly from: string; readonly to: string };
}

/** How many parts of an export are read. */
const PARTS = 20;

/** Reads the first parts of an export. */
async function partsOf(opening: Promise<AsyncIterable<unknown>>): Promise<void> {
  let parts = 0;
  for await (const _ of await opening) {
    parts += 1;
    if (parts === PARTS) return;
  }
}

/** The reads of the operator contract, with what the console's screens pass. */
const READS: Readonly<Record<string, (calls: Calls, known: Known) => Promise<unknown>>> = {
  // What the node does by itself lengthens the tasks of the reads.
  'nothing, for 3 s': () => setTimeout(3_000),
  'node.info': (calls) => calls.node.info(),
  'node.overview': (calls) => calls.node.overview(),
  'accounts.list': (calls) => calls.accounts.list({}),
  'accounts.list, the newest first': (calls) => calls.accounts.list({ order: 'newest' }),
  'accounts.list, a text that one has': (calls) => calls.accounts.list({ text: 'shop-99999' }),
  'accounts.list, a text that none has': (calls) => calls.accounts.list({ text: 'nowhere' }),
  'accounts.get': (calls, { account }) => calls.accounts.get({ id: account }),
  'accounts.movements': (calls, { account }) => calls.accounts.movements({ id: account }),
  'accounts.keys.list': (calls, { account }) => calls.accounts.keys.list({ id: account }),
  'payments.list': (calls) => calls.payments.list({ limit: 100 }),
  'payments.list, row 100,000': (calls) => calls.payments.list({ limit: 100, offset: 100_000 }),
  'payments.list, a text that one has': (calls) => calls.payments.list({ limit: 100, text: 'INV-400' }),
  'payments.list, a text that none has': (calls) => calls.payments.list({ limit: 100, text: 'nowhere' }),
  'payments.list, an amount': (calls) => calls.payments.list({ limit: 100, minAmount: '12.50', maxAmount: '12.50' }),
  'payments.list, unpaid': (calls) => calls.payments.list({ limit: 100, unpaid: true }),
  'payments.summary': (calls) => calls.payments.summary({}),
  'payments.summary, a text': (calls) => calls.payments.summary({ text: 'flour' }),
  'payments.get': (calls, { payment }) => calls.payments.get({ id: payment }),
  'payments.get, of very many packets': (calls) => calls.payments.get({ id: STREAMED }),
  'payments.export, the first parts': (calls) => partsOf(calls.payments.export({})),
  'refunds.of': (calls, { payment }) => calls.refunds.of({ paymentId: payment }),
  'refunds.payers': (calls, { payment }) => calls.refunds.payers({ paymentId: payment }),
  'refunds.list': (calls, { payment }) => calls.refunds.list({ paymentId: payment }),
  'claims.of': (calls, { payment }) => calls.claims.of({ paymentId: payment }),
  'claims.waiting': (calls) => calls.claims.waiting(),
  'requests.open': (calls) => calls.requests.open(),
  'requests.accounts': (calls) => calls.requests.accounts({}),
  'requests.get': (calls, { payment }) => calls.requests.get({ id: payment }),
  'requests.bill': (calls, { payment }) => calls.requests.bill({ id: payment }),
  'requests.sales': (calls) => calls.requests.sales({}),
  'requests.failedAttempts': (calls, { payment }) => calls.requests.failedAttempts({ id: payment }),
  'products.list': (calls) => calls.products.list({}),
  'closings.current': (calls) => calls.closings.current(),
  'closings.list': (calls) => calls.closings.list({}),
  // The first closing has every account, 100 in a piece.
  'closings.get': (calls) => calls.closings.get({ number: 1 }),
  'closings.accounts': (calls) => calls.closings.accounts({ number: 1, piece: 500 }),
  'reports.sales, 30 days': (calls, { account, period }) => calls.reports.sales({ accountId: account, ...period }),
  'statements.look, 30 days': (calls, { account, period }) => calls.statements.look({ accountId: account, ...period }),
  'approvals.list': (calls) => calls.approvals.list(),
  'apps.grants, as the screen opens': (calls) => calls.apps.grants({ which: 'allowed', order: 'used' }),
  'apps.grants, by name': (calls) => calls.apps.grants({ which: 'allowed', order: 'name' }),
  'apps.grants, a text': (calls) => calls.apps.grants({ which: 'allowed', order: 'used', text: 'app 30010' }),
  'apps.grants, a text that none has': (calls) => calls.apps.grants({ which: 'allowed', order: 'used', text: 'nowhere' }),
  'apps.grants, unused': (calls) => calls.apps.grants({ which: 'allowed', order: 'used', unusedDays: 90 }),
  'apps.grants, free': (calls) => calls.apps.grants({ which: 'free', order: 'used' }),
  'apps.frozen': (calls) => calls.apps.frozen(),
  'apps.grant': (calls) => calls.apps.grant({ id: BUSY_GRANT }),
  'apps.trust': (calls) => calls.apps.trust({ id: BUSY_GRANT }),
  'peers.list': (calls) => calls.peers.list({}),
  'peers.list, a text that none has': (calls) => calls.peers.list({ text: 'nowhere' }),
  'peers.self': (calls) => calls.peers.self(),
  'invitations.list': (calls) => calls.invitations.list(),
  'wallets.outside': (calls) => calls.wallets.outside(),
  'refundLimits.list': (calls) => calls.refundLimits.list(),
  'secondPerson.get': (calls) => calls.secondPerson.get(),
  'rates.list': (calls) => calls.rates.list(),
  'rateSources.list': (calls) => calls.rateSources.list(),
  'pairs.list': (calls) => calls.pairs.list(),
  'rates.funds': (calls) => calls.rates.funds(),
  'backups.status': (calls) => calls.backups.status(),
  'sessions.list': (calls) => calls.sessions.list(),
  'people.list': (calls) => calls.people.list(),
  'waiting.list': (calls) => calls.waiting.list(),
  'apiKeys.list': (calls) => calls.apiKeys.list(),
  'tills.list': (calls) => calls.tills.list(),
  'shop.get': (calls) => calls.shop.get(),
  'activity.doers': (calls) => calls.activity.doers(),
  'activity.export, the first parts': (calls) => partsOf(calls.activity.export({})),
  'activity.list': (calls) => calls.activity.list({ limit: 50 }),
  'activity.list, a text that none has': (calls) => calls.activity.list({ limit: 50, text: 'nowhere' }),
  'health.log': (calls) => calls.health.log({ level: 'info', limit: 100 }),
  'health.archive': (calls) => calls.health.archive({}),
  'health.replicas': (calls) => calls.health.replicas(),
  'health.disk': (calls) => calls.health.disk(),
  'health.supportBundle': (calls) => calls.health.supportBundle(),
};

/**
 * The reads that every node can answer, whatever is in its books. The figures of a day are not among them: ten million
 * payments in one day take an hour. Nor are those of a report, which refuses so many.
 */
export const READS_ANYWHERE = [
  ...['node.overview', 'accounts.list', 'accounts.movements', 'payments.list', 'payments.list, row 100,000', 'payments.summary'],
  ...['payments.get', 'refunds.of', 'statements.look, 30 days'],
];

/** Calls reads of the operator contract on a node with large books. */
export async function measureConsoleReads(only = Object.keys(READS), dataDir?: string): Promise<ReadFigures[]> {
  const node = await startLarge(dataDir ?? (await largeBooks()));
  try {
    const known = await knownOf(node.operator.calls);
    const figures: ReadFigures[] = [];
    for (const [read, call] of Object.entries(READS)) {
      if (only.includes(read)) figures.push({ read, ...(await measure(() => call(node.operator.calls, known))) });
    }
    return figures;
  } finally {
    await node.close();
  }
}

async function knownOf(calls: Calls): Promise<Known> {
  const [account] = (await calls.accounts.list({})).items;
  const [payment] = (await calls.payments.list({ direction: 'in', limit: 1 })).items;
  if (account === undefined || payment === undefined) throw new Error('the books that are measured have too little in them');
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { account: account.id, payment: payment.id, period: { from: day(30), to: day(0) } };
}

async function measure(call: () => Promise<unknown>): Promise<Omit<ReadFigures, 'read'>> {
  const rounds: Omit<ReadFigures, 'read'>[] = [];
  for (let n = 0; n < TIMES; n += 1) rounds.push(await timed(call));
  const middle = (of: keyof Omit<ReadFigures, 'read'>): number => median(rounds.map((round) => round[of]));
  return { wall: middle('wall'), longest: middle('longest') };
}

/** The processor time that this thread has used, in milliseconds. Other work on the machine does not lengthen it. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Times the call and its tasks: what the main thread does between two turns of the event loop. It looks at each turn
 * that something else causes. Turns of its own would leave garbage, for which the engine would collect what the call
 * still needs.
 */
async function timed(call: () => Promise<unknown>): Promise<{ wall: number; longest: number }> {
  await nextTurn();
  const began = performance.now();
  let [turn, longest, ended] = [used(), 0, false];
  const look = (): void => {
    const now = used();
    longest = Math.max(longest, now - turn);
    turn = now;
    if (!ended) setImmediate(look).unref();
  };
  setImmediate(look).unref();
  await call();
  const wall = performance.now() - began;
  // The task that brought the answer ends here.
  await nextTurn();
  ended = true;
  return { wall, longest };
}
