import { setTimeout as pause } from 'node:timers/promises';
import { SIDES, type Side } from '../../e2e/support/nodes/two-nodes.ts';
import { commits } from '../support/books.ts';
import { cpuMs } from '../support/processes.ts';
import { type Goal, ms, quantile, type Row, rate } from '../support/report.ts';
import type { Call } from './callers.ts';
import { AMOUNT, Pair, type Parties } from './pair.ts';

const SECONDS = Number(process.env.PAYDESK_BENCH_SECONDS ?? 10);
/** For how long the nodes keep up what the goals ask for. */
const SUSTAINED_SECONDS = 6 * SECONDS;
const ARRIVAL_SECONDS = Number(process.env.PAYDESK_BENCH_ARRIVAL_SECONDS ?? 120);
/** Payments a second that come by themselves, whether the nodes keep up or not. */
const ARRIVING = 200;
/** How far away the far peer is, there and back. */
const FAR_MS = 20;
/** How far away a slow peer is that lets only small packets through, there and back. */
const SLOW_MS = 200;

/** What one kind of traffic between two nodes gave. Times are in milliseconds. */
interface PairFigures {
  readonly perSecond: number;
  readonly wholes: Float64Array;
  readonly calls: Record<Call, Float64Array>;
  /** Milliseconds of each node's processor for one payment. */
  readonly cpu: Record<Side, number>;
  /** Commits of each node for one payment. */
  readonly commits: Record<Side, number>;
  readonly refused: string;
  /** How many payments were under way when the last one came. */
  readonly backlog: number;
}

type Traffic = (pair: Pair, parties: Parties, wholes: number[]) => Promise<number>;

/** `width` payments at a time, for so many seconds. */
const atOnce =
  (width: number, seconds = SECONDS): Traffic =>
  async (pair, parties, wholes) => {
    const until = performance.now() + seconds * 1_000;
    const lane = async (): Promise<void> => {
      while (performance.now() < until) {
        const paid = await pair.pay(parties);
        if (paid === undefined) await pause(100);
        else wholes.push(paid);
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
    return 0;
  };

/** Payments that come at a constant rate. @returns how many were under way at the end. */
const arriving =
  (perSecond: number, seconds: number): Traffic =>
  async (pair, parties, wholes) => {
    const [began, started] = [performance.now(), [] as Promise<void>[]];
    for (let n = 0; n < perSecond * seconds; n += 1) {
      const wait = began + (n * 1_000) / perSecond - performance.now();
      if (wait > 0) await pause(wait);
      started.push(
        pair.pay(parties).then((paid) => {
          if (paid !== undefined) wholes.push(paid);
        }),
      );
    }
    const refused = [...pair.callers.refused.values()].reduce((sum, count) => sum + count, 0);
    const backlog = started.length - wholes.length - refused;
    await Promise.all(started);
    return backlog;
  };

/** What comes before a row. */
const WARM_UP = atOnce(8, 4);
/** What comes before a row that says what nodes keep up: the engine compiles for the first 20 seconds of full load. */
const LONG_WARM_UP = atOnce(32, 20);

async function measure(pair: Pair, parties: Parties, traffic: Traffic, warmUp: Traffic = WARM_UP): Promise<PairFigures> {
  pair.callers.reset();
  await warmUp(pair, parties, []);
  pair.callers.reset();
  const spent = (side: Side) => ({ cpu: cpuMs(pair.nodes[side].pid) ?? Number.NaN, commits: commits(pair.nodes[side].dataDir) });
  const before = { a: spent('a'), b: spent('b') };
  const [began, wholes] = [performance.now(), [] as number[]];
  const backlog = await traffic(pair, parties, wholes);
  const seconds = (performance.now() - began) / 1_000;
  const after = { a: spent('a'), b: spent('b') };
  const each = (what: 'cpu' | 'commits'): Record<Side, number> => ({
    a: (after.a[what] - before.a[what]) / wholes.length,
    b: (after.b[what] - before.b[what]) / wholes.length,
  });
  const { invoice, pay, poll } = pair.callers.latencies;
  const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
  return {
    perSecond: wholes.length / seconds,
    wholes: sorted(wholes),
    calls: { invoice: sorted(invoice), pay: sorted(pay), poll: sorted(poll) },
    cpu: each('cpu'),
    commits: each('commits'),
    refused: [...pair.callers.refused].map(([code, count]) => `${count} × ${code}`).join(', '),
    backlog,
  };
}

const spread = (values: Float64Array): string => [0.5, 0.95, 0.99].map((share) => ms(quantile(values, share))).join(' / ');

function rowOf(what: string, { perSecond, wholes, calls, cpu, commits: made, refused, backlog }: PairFigures): Row {
  return {
    'payments between two nodes': what,
    'a second': rate(perSecond),
    'whole p50/p95/p99': spread(wholes),
    invoice: spread(calls.invoice),
    pay: spread(calls.pay),
    poll: spread(calls.poll),
    polls: (calls.poll.length / wholes.length).toFixed(1),
    'cpu payer + payee': `${cpu.a.toFixed(1)} + ${cpu.b.toFixed(1)} ms`,
    fsyncs: SIDES.map((side) => made[side].toFixed(2)).join(' + '),
    backlog: String(backlog),
    refused: refused === '' ? 'none' : refused,
  };
}

/**
 * Payments from one node to another on this machine, beside the load that asks for them: real signed requests, from the
 * invoice until the payer's client sees that the payment has completed.
 */
export async function measurePairs(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const rows: Row[] = [];
  const goals: Goal[] = [];
  const near = await Pair.open();
  try {
    const one = await near.parties('one', { payers: 1, shops: 1 });
    const figuresOf = async (what: string, parties: Parties, traffic: Traffic, warmUp?: Traffic): Promise<PairFigures> => {
      const figures = await measure(near, parties, traffic, warmUp);
      rows.push(rowOf(what, figures));
      return figures;
    };
    const alone = await figuresOf('1 at a time', one, atOnce(1));
    await figuresOf('8 at a time', one, atOnce(8));
    await figuresOf('32 at a time', one, atOnce(32));
    const sustained = await figuresOf(`32 at a time, for ${SUSTAINED_SECONDS} s`, one, atOnce(32, SUSTAINED_SECONDS), LONG_WARM_UP);
    goals.push(...goalsOf(alone, sustained));
    await figuresOf('32 at a time, 16 payers to one shop', await near.parties('many', { payers: 16, shops: 1 }), atOnce(32));
    await figuresOf('32 at a time, one payer to 16 shops', await near.parties('spread', { payers: 1, shops: 16 }), atOnce(32));
    const crossing = await near.parties('cross', { payers: 1, shops: 1, gets: 'EUR' });
    await figuresOf('32 at a time, USD to EUR', crossing, atOnce(32));
    await figuresOf(`${ARRIVING} arriving a second, for ${ARRIVAL_SECONDS} s`, one, arriving(ARRIVING, ARRIVAL_SECONDS));
  } finally {
    await near.close();
  }
  const far = await Pair.open({ roundTripMs: FAR_MS });
  try {
    const parties = await far.parties('far', { payers: 1, shops: 1 });
    const figures = await measure(far, parties, atOnce(32, SUSTAINED_SECONDS), LONG_WARM_UP);
    rows.push(rowOf(`32 at a time, ${FAR_MS} ms away, for ${SUSTAINED_SECONDS} s`, figures));
    goals.push({ name: `at least 200/s with a peer ${FAR_MS} ms away`, met: figures.perSecond >= 200, figure: rate(figures.perSecond) });
  } finally {
    await far.close();
  }
  const slow = await Pair.open({ roundTripMs: SLOW_MS, maxPacketAmount: 1n });
  try {
    const figures = await measure(slow, await slow.parties('slow', { payers: 1, shops: 1 }), atOnce(1));
    rows.push(rowOf(`1 at a time, in ${AMOUNT} packets, ${SLOW_MS} ms away`, figures));
  } finally {
    await slow.close();
  }
  return { rows, goals };
}

function goalsOf(alone: PairFigures, together: PairFigures): Goal[] {
  const slowest = Math.max(...Object.values(together.calls).map((values) => quantile(values, 0.95)));
  const [cpu, whole] = [together.cpu.a + together.cpu.b, quantile(together.wholes, 0.95)];
  return [
    { name: 'one payment alone in under 25 ms', met: quantile(alone.wholes, 0.5) < 25, figure: ms(quantile(alone.wholes, 0.5)) },
    { name: 'between nodes at least 300/s at 32', met: together.perSecond >= 300, figure: rate(together.perSecond) },
    { name: 'p95 of each call under 150 ms', met: slowest < 150, figure: ms(slowest) },
    { name: 'p95 of a payment under 1 s', met: whole < 1_000, figure: ms(whole) },
    { name: 'at most 5 ms of both processors a payment', met: cpu <= 5, figure: ms(cpu) },
    { name: 'no refusal', met: together.refused === '', figure: together.refused === '' ? 'none' : together.refused },
  ];
}
