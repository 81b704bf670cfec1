import { and, eq, sql } from 'drizzle-orm';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { type Fraction, fractionText, timesDown } from '../exchange/fraction.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { peerConversions } from './tables.ts';

/** What one peer's packets have brought to one incoming payment at one rate, one after the other. */
interface Run {
  /** The rate in lowest terms, as {@link fractionText} writes it. */
  readonly rate: string;
  /** What the peer sent, in smallest units of its asset. */
  readonly source: bigint;
  /** What that was worth, in smallest units of the receiver's asset. */
  readonly arrived: bigint;
}

/** Which packets are counted together. */
interface RunKey {
  readonly peerId: string;
  readonly incomingPaymentId: string;
}

/** A packet's amount, and the run that it was calculated from. The write that moves the amount asks for that run. */
export interface Converted {
  /** What arrives, in smallest units of the receiver's asset. */
  readonly amount: bigint;
  readonly before: Run | undefined;
  readonly after: Run;
}

const $ = sql.placeholder;
const c = peerConversions;
const isRun = and(eq(c.peerId, $('peerId')), eq(c.incomingPaymentId, $('incomingPaymentId')));
const byKey = prepared((reader: Reader) =>
  reader.select({ rate: c.rate, source: c.source, arrived: c.arrived }).from(c).where(isRun).prepare(),
);
const begin = prepared((tx: Tx) =>
  tx
    .insert(c)
    .values({
      peerId: $('peerId'),
      incomingPaymentId: $('incomingPaymentId'),
      rate: $('rate'),
      source: $('source'),
      arrived: $('arrived'),
      updatedAt: $('at'),
    })
    .onConflictDoNothing()
    .returning({ source: c.source })
    .prepare(),
);
const goOn = prepared((tx: Tx) =>
  tx
    .update(c)
    .set({ rate: sql`${$('rate')}`, source: sql`${$('source')}`, arrived: sql`${$('arrived')}`, updatedAt: sql`${$('at')}` })
    .where(and(isRun, eq(c.rate, $('rateBefore')), eq(c.source, $('sourceBefore')), eq(c.arrived, $('arrivedBefore'))))
    .returning({ source: c.source })
    .prepare(),
);

/**
 * Converts the packets of one payment, one after the other, so that together they lose less than one unit: after
 * `source` units exactly floor(source · rate) have arrived, however many packets it took. A new rate begins a new run,
 * and what came before keeps its own rate.
 * @param sourceAmount what the packet carries, in smallest units of the peer's asset.
 * @param rate units of the receiver's asset per unit of the peer's, in lowest terms.
 * @param before what {@link runOf} has found.
 */
export function converted(sourceAmount: bigint, rate: Fraction, before: Run | undefined): Converted {
  const text = fractionText(rate);
  // A sum that no column can hold begins a new run, too. Less than one unit is lost there.
  const goesOn = before !== undefined && before.rate === text && before.source + sourceAmount <= MAX_MOVED;
  const [source, arrived] = goesOn ? [before.source, before.arrived] : [0n, 0n];
  const due = timesDown(source + sourceAmount, rate);
  return { amount: due - arrived, before, after: { rate: text, source: source + sourceAmount, arrived: due } };
}

/** Reads how far the packets of a payment have come. */
export async function runOf(reader: Reader, { peerId, incomingPaymentId }: RunKey): Promise<Run | undefined> {
  const [run] = await byKey(reader).execute({ peerId, incomingPaymentId });
  return run;
}

/**
 * Notes that a packet's money moves, in the write that moves it.
 * @returns false when another packet of the payment came first. The packet must then be converted again.
 */
export async function advance(tx: Tx, { peerId, incomingPaymentId }: RunKey, { before, after }: Converted, at: number): Promise<boolean> {
  const row = { peerId, incomingPaymentId, ...after, at };
  const stored =
    before === undefined
      ? await begin(tx).execute(row)
      : await goOn(tx).execute({ ...row, rateBefore: before.rate, sourceBefore: before.source, arrivedBefore: before.arrived });
  return stored.length === 1;
}
