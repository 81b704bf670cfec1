import { and, asc, count, desc, eq, gt, inArray, lt, notInArray } from 'drizzle-orm';
import type { EventType } from '../../../../src-shared/event-types.ts';
import type { TimelineEntry } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { events } from '../../../journal/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';

/** The events of packets that moved money. A payment may have many thousands. */
const PACKETS: EventType[] = ['incoming_payment.received', 'outgoing_payment.sent'];
/** Whether an event of this type tells of a packet that moved money. */
export const isOfPacket = (type: string): boolean => PACKETS.some((one) => one === type);
/** How many other events are shown. Most payments have a few; a payment that was retried for days may have more. */
const TOLD = 100;

type Row = Pick<typeof events.$inferSelect, 'position' | 'type' | 'body' | 'at'>;

const columns = { position: events.position, type: events.type, body: events.body, at: events.at };

/**
 * What happened to a payment, oldest first: its beginning, then its newest events. The packets between two other events
 * are one entry with the body of the last packet. They are counted in the index and not read.
 */
export async function timelineOf(reader: Reader, id: string): Promise<TimelineEntry[]> {
  const others = and(eq(events.subject, id), notInArray(events.type, PACKETS));
  const newest = (await reader.select(columns).from(events).where(others).orderBy(desc(events.position)).limit(TOLD)).reverse();
  const rows =
    newest.length < TOLD
      ? newest
      : [...(await reader.select(columns).from(events).where(others).orderBy(asc(events.position)).limit(1)), ...newest.slice(1)];
  const entries: TimelineEntry[] = [];
  for (const [index, row] of rows.entries()) {
    entries.push(entryOf(row, row, 1));
    const packets = await packetsBetween(reader, id, row.position, rows[index + 1]?.position);
    if (packets !== undefined) entries.push(packets);
  }
  return entries;
}

async function packetsBetween(reader: Reader, id: string, after: bigint, before: bigint | undefined): Promise<TimelineEntry | undefined> {
  const within = and(
    eq(events.subject, id),
    inArray(events.type, PACKETS),
    gt(events.position, after),
    before === undefined ? undefined : lt(events.position, before),
  );
  const [last] = await reader.select(columns).from(events).where(within).orderBy(desc(events.position)).limit(1);
  if (last === undefined) return undefined;
  const [first] = await reader.select(columns).from(events).where(within).orderBy(asc(events.position)).limit(1);
  const [counted] = await reader.select({ packets: count() }).from(events).where(within);
  return entryOf(first ?? last, last, Number(counted?.packets ?? 1));
}

const entryOf = (first: Row, last: Row, many: number): TimelineEntry => ({
  position: last.position,
  type: last.type,
  body: last.body,
  since: new Date(first.at),
  at: new Date(last.at),
  events: many,
});
