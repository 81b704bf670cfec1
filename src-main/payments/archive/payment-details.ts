import { and, asc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { events } from '../../journal/tables.ts';
import { receivedPackets, sentPackets } from '../../peers/tables.ts';
import { type Archive, monthOf, type Written } from '../../platform/archive/archive.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import type { Place } from '../../platform/database/places.ts';
import { Refused } from '../../platform/result.ts';
import { AT_ONCE, type Batch, DAY_MS, type RetentionRule } from '../../platform/retention/rule.ts';
import { REFUND_FAILED } from '../refunds/refund-rows.ts';
import { incomingPayments, outgoingPayments, quotes } from '../tables.ts';
import { lineOf } from './archived-rows.ts';
import { archivedPackets } from './tables.ts';

// The details of a payment are its events and its packets to and from peers. Nothing needs them once the payment has
// ended and nobody asks about its packets any more: the books have the payment, its transfers and every balance. The
// quote goes with them, and not into the archive: the payment has the price, and its first event the time. An incoming
// payment can stay open for years. Its old details go all the same, but for what happened last (decisions.md#D-138).

/** Rows that leave the books. Each names its payment. */
interface Taken {
  events: (typeof events.$inferSelect)[];
  sent: (typeof sentPackets.$inferSelect)[];
  received: (typeof receivedPackets.$inferSelect)[];
}

/** A payment whose details leave the books. */
interface Leaving {
  createdAt: number;
  updatedAt: number;
  /** Whether it ended long ago, so that all of its details go. */
  hasEnded: boolean;
  /** The quote of an outgoing payment. */
  quoteId?: string;
}
type LeavingPayments = ReadonlyMap<string, Leaving>;

/**
 * Moves the details of payments that are old into the archive: first into its file, then, in one write, out of the
 * books. A crash between the two leaves a piece of the file that the books do not know, and the next batch writes over
 * it.
 * @param days after how many days; the operator chooses.
 */
export const paymentDetailRule = (archive: Archive, days: number): RetentionRule => {
  const keptMs = days * DAY_MS;
  const passed = { place: undefined as Place | undefined, since: 0 };
  return {
    kind: 'payment_details',
    tables: [events, sentPackets, receivedPackets, quotes],
    keptMs,
    removeSome: async (database, before, place) => {
      const now = before + keptMs;
      // What stays behind is looked at once a day: it may have ended since.
      const isNewDay = place === undefined && Math.abs(now - passed.since) >= DAY_MS;
      if (isNewDay) Object.assign(passed, { place: undefined, since: now });
      const { last = passed.place, ...batch } = await archiveSome(archive, database, { before, now }, place ?? passed.place);
      passed.place = last;
      return batch;
    },
  };
};

/** Milliseconds since the Unix epoch: what is older than `before` goes. */
interface Times {
  before: number;
  now: number;
}

/** A batch, and the place of the last event that was old, behind which the next round begins. */
interface Archived extends Batch {
  last?: Place | undefined;
}

async function archiveSome(archive: Archive, database: Database, times: Times, place: Place | undefined): Promise<Archived> {
  const { read } = database;
  const { seen, ...next } = await nextEvents(read, times, place);
  const payments = await paymentsAmong(read, [...new Set(seen.map(({ subject }) => subject))], times.before);
  if (payments.size === 0) return { removed: 0, ...next };
  const { sent, received, areMore } = await packetsOf(read, payments, Math.max(...seen.map(({ at }) => at)));
  // A payment's events lead to its packets. So they stay until the last packet has gone.
  const taken = { events: areMore ? [] : seen.filter((event) => goes(event, payments)), sent, received };
  const removed = await move(archive, database, taken, payments);
  return areMore ? { removed, more: true, place } : { removed, ...next };
}

/**
 * What happened last to an open payment stays: it leads to packets that brought less than a unit and have no event. A
 * refund that failed stays, too: a later closing of the day counts it, and nothing else says when it failed
 * (decisions.md#D-308).
 */
function goes({ type, subject, at }: Taken['events'][number], payments: LeavingPayments): boolean {
  if (type === REFUND_FAILED) return false;
  const payment = payments.get(subject);
  return payment !== undefined && (payment.hasEnded || at < payment.updatedAt);
}

/** All packets of payments that have ended, and those of open payments that came until then; a few of them at once. */
async function packetsOf(reader: Reader, payments: LeavingPayments, until: number) {
  const { incomingPaymentId, createdAt } = receivedPackets;
  const [ended, open] = [[...payments.keys()].filter((id) => payments.get(id)?.hasEnded), [...payments.keys()]];
  const ofEnded = inArray(sentPackets.outgoingPaymentId, ended);
  const came = or(inArray(incomingPaymentId, ended), and(inArray(incomingPaymentId, open), lte(createdAt, until)));
  const sent = await reader
    .select()
    .from(sentPackets)
    .where(ofEnded)
    .limit(AT_ONCE + 1);
  const received = await reader
    .select()
    .from(receivedPackets)
    .where(came)
    .limit(AT_ONCE + 1);
  return { sent, received, areMore: sent.length > AT_ONCE || received.length > AT_ONCE };
}

/**
 * The next events in the order of their positions, which is that of their time: a condition on the time would let the
 * database look through all newer events. The last one that is read stays, so that the newest event of all does: its
 * position must not be given to another one. Among young events nothing old follows, unless a clock that was ahead has
 * written them.
 */
async function nextEvents(reader: Reader, { before, now }: Times, place: Place | undefined) {
  const rows = await reader
    .select()
    .from(events)
    .where(gt(events.position, BigInt(place?.id ?? 0)))
    .orderBy(asc(events.position))
    .limit(AT_ONCE + 1);
  const looked = rows.slice(0, -1);
  const old = looked.filter(({ at }) => at < before);
  const goesOn = old.length > 0 || looked.some(({ at }) => at > now);
  const placeOf = (position = 0n): Place => ({ id: position.toString(), createdAt: 0 });
  return {
    seen: old,
    more: rows.length > AT_ONCE && goesOn,
    place: placeOf(looked.at(-1)?.position),
    last: old.length === 0 ? undefined : placeOf(old.at(-1)?.position),
  };
}

/**
 * Finds the payments whose details go: those that ended before `before`, and incoming ones that are open and have got
 * something. An outgoing payment that has not ended keeps everything, because the operator may have to decide about it.
 * What apps asked for and nobody paid is left out: it goes away as a whole.
 */
async function paymentsAmong(reader: Reader, ids: string[], before: number): Promise<LeavingPayments> {
  const { id, createdAt, updatedAt, quoteId, state } = outgoingPayments;
  const outgoing = await reader
    .select({ id, createdAt, updatedAt, quoteId })
    .from(outgoingPayments)
    .where(and(inArray(id, ids), sql`${state} in ('completed', 'failed')`, lt(updatedAt, before)));
  const incoming = await reader.select().from(incomingPayments).where(inArray(incomingPayments.id, ids));
  const leaving = new Map<string, Leaving>(outgoing.map((payment) => [payment.id, { ...payment, hasEnded: true }]));
  for (const { received, client, ...payment } of incoming) {
    const takesNoMore = payment.completed || (payment.expiresAt ?? before) < before;
    const hasEnded = takesNoMore && payment.updatedAt < before;
    if (received > 0n || (hasEnded && client === null)) leaving.set(payment.id, { ...payment, hasEnded });
  }
  return leaving;
}

/** Writes rows into the files of the months from which they are, and takes them out of the books. */
async function move(archive: Archive, database: Database, taken: Taken, payments: LeavingPayments): Promise<number> {
  const lineFrom = (kind: 'events' | 'sent' | 'received', id: string, at: number, row: object) => ({
    month: monthIn(payments.get(id), at),
    line: lineOf(kind, id, { ...row }),
  });
  const lines = [
    ...taken.events.map((row) => lineFrom('events', row.subject, row.at, row)),
    ...taken.sent.map((row) => lineFrom('sent', row.outgoingPaymentId, row.createdAt, row)),
    ...taken.received.map((row) => lineFrom('received', row.incomingPaymentId ?? '', row.createdAt, row)),
  ];
  if (lines.length === 0) return 0;
  const written: Written[] = [];
  for (const [month, some] of Map.groupBy(lines, ({ month }) => month)) {
    written.push(
      await archive.write(
        month,
        some.map(({ line }) => line),
      ),
    );
  }
  await database.write(async (tx) => {
    for (const file of written) if (!(await file.note(tx))) throw new Refused('archived_by_another');
    await keepSums(tx, taken.sent);
    await tx.delete(quotes).where(
      inArray(
        quotes.id,
        [...payments.values()].flatMap(({ quoteId }) => quoteId ?? []),
      ),
    );
    await tx.delete(events).where(
      inArray(
        events.position,
        taken.events.map(({ position }) => position),
      ),
    );
    await tx.delete(sentPackets).where(
      inArray(
        sentPackets.condition,
        taken.sent.map(({ condition }) => condition),
      ),
    );
    for (const [peerId, some] of Map.groupBy(taken.received, (packet) => packet.peerId)) {
      const conditions = some.map(({ condition }) => condition);
      await tx.delete(receivedPackets).where(and(eq(receivedPackets.peerId, peerId), inArray(receivedPackets.condition, conditions)));
    }
  });
  return lines.length;
}

/** The month of a detail. A clock that was wrong leads to none in which the payment is not looked for. */
const monthIn = ({ createdAt, updatedAt }: Leaving = { createdAt: 0, updatedAt: 0, hasEnded: true }, at: number): string =>
  monthOf(Math.max(createdAt, Math.min(at, updatedAt)));

/** Adds what these packets brought to the sums of their payments. Part of the write that removes the packets. */
async function keepSums(tx: Tx, sent: Taken['sent']): Promise<void> {
  for (const { outgoingPaymentId, delivered } of sent) {
    if (delivered === null || delivered === 0n) continue;
    await tx
      .insert(archivedPackets)
      .values({ outgoingPaymentId, delivered })
      .onConflictDoUpdate({
        target: archivedPackets.outgoingPaymentId,
        set: { delivered: sql`${archivedPackets.delivered} + ${delivered}` },
      });
  }
}
