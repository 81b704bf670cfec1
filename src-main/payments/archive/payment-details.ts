import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { events } from '../../journal/tables.ts';
import { receivedPackets, sentPackets } from '../../peers/tables.ts';
import { type Archive, monthOf, type Written } from '../../platform/archive/archive.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import type { Place } from '../../platform/database/places.ts';
import { Refused } from '../../platform/result.ts';
import { AT_ONCE, type Batch, DAY_MS, type RetentionRule } from '../../platform/retention/rule.ts';
import { incomingPayments, outgoingPayments, quotes } from '../tables.ts';
import { lineOf } from './archived-rows.ts';
import { archivedPackets } from './tables.ts';

// The details of a payment are its events and its packets to and from peers. Nothing needs them once the payment has
// ended and nobody asks about its packets any more: the books have the payment, its transfers and every balance. The
// quote goes with them, and not into the archive: the payment has the price, and its first event the time.

/** Rows that leave the books. Each names its payment. */
interface Taken {
  events: (typeof events.$inferSelect)[];
  sent: (typeof sentPackets.$inferSelect)[];
  received: (typeof receivedPackets.$inferSelect)[];
}

/** A payment whose details leave the books. */
interface Ended {
  createdAt: number;
  /** The quote of an outgoing payment. */
  quoteId?: string;
}
type EndedPayments = ReadonlyMap<string, Ended>;

/**
 * Moves the details of payments that ended long ago into the archive: first into its file, then, in one write, out of
 * the books. A crash between the two leaves a piece of the file that the books do not know, and the next batch writes
 * over it.
 * @param days after how many days; the operator chooses.
 */
export const paymentDetailRule = (archive: Archive, days: number): RetentionRule => {
  const keptMs = days * DAY_MS;
  return {
    kind: 'payment_details',
    tables: [events, sentPackets, receivedPackets, quotes],
    keptMs,
    removeSome: (database, before, place) => archiveSome(archive, database, { before, now: before + keptMs }, place),
  };
};

/** Milliseconds since the Unix epoch: what is older than `before` goes. */
interface Times {
  before: number;
  now: number;
}

async function archiveSome(archive: Archive, database: Database, times: Times, place: Place | undefined): Promise<Batch> {
  const { read } = database;
  const { seen, ...next } = await nextEvents(read, times, place);
  const ended = await endedAmong(read, [...new Set(seen.map(({ subject }) => subject))], times.before);
  if (ended.size === 0) return { removed: 0, ...next };
  const ids = [...ended.keys()];
  const sent = await read.select().from(sentPackets).where(inArray(sentPackets.outgoingPaymentId, ids)).limit(AT_ONCE);
  const received = await read.select().from(receivedPackets).where(inArray(receivedPackets.incomingPaymentId, ids)).limit(AT_ONCE);
  // A payment's events lead to its packets. So they stay until the last packet has gone.
  const hasMore = sent.length === AT_ONCE || received.length === AT_ONCE;
  const taken = { events: hasMore ? [] : seen.filter(({ subject }) => ended.has(subject)), sent, received };
  const removed = await move(archive, database, taken, ended);
  return hasMore ? { removed, more: true, place } : { removed, ...next };
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
  return {
    seen: old,
    more: rows.length > AT_ONCE && goesOn,
    place: { id: (looked.at(-1)?.position ?? 0n).toString(), createdAt: 0 },
  };
}

/**
 * Finds the payments that ended before `before`. Those that apps asked for and nobody paid are left out: they go away
 * as a whole.
 */
async function endedAmong(reader: Reader, ids: string[], before: number): Promise<EndedPayments> {
  const { id, createdAt, updatedAt, completed, expiresAt, received, client } = incomingPayments;
  const outgoing = await reader
    .select({ id: outgoingPayments.id, createdAt: outgoingPayments.createdAt, quoteId: outgoingPayments.quoteId })
    .from(outgoingPayments)
    .where(
      and(
        inArray(outgoingPayments.id, ids),
        sql`${outgoingPayments.state} in ('completed', 'failed')`,
        lt(outgoingPayments.updatedAt, before),
      ),
    );
  const incoming = await reader
    .select({ id, createdAt })
    .from(incomingPayments)
    .where(
      and(
        inArray(id, ids),
        lt(updatedAt, before),
        sql`(${completed} = 1 or ${expiresAt} < ${BigInt(before)})`,
        sql`(${received} > 0 or ${client} is null)`,
      ),
    );
  return new Map([...outgoing, ...incoming].map((payment) => [payment.id, payment]));
}

/** Writes rows into the files of the months in which their payments were made, and takes them out of the books. */
async function move(archive: Archive, database: Database, taken: Taken, ended: EndedPayments): Promise<number> {
  const lines = [
    ...taken.events.map((row) => ({ payment: row.subject, line: lineOf('events', row.subject, row) })),
    ...taken.sent.map((row) => ({ payment: row.outgoingPaymentId, line: lineOf('sent', row.outgoingPaymentId, row) })),
    ...taken.received.map((row) => ({ payment: row.incomingPaymentId ?? '', line: lineOf('received', row.incomingPaymentId ?? '', row) })),
  ];
  if (lines.length === 0) return 0;
  const written: Written[] = [];
  for (const [month, some] of Map.groupBy(lines, ({ payment }) => monthOf(ended.get(payment)?.createdAt ?? 0))) {
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
        [...ended.values()].flatMap(({ quoteId }) => quoteId ?? []),
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
