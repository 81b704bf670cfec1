import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { EVENT_TYPES, type EventType } from '../../../../src-shared/event-types.ts';
import { MOST_COUNTED } from '../../../../src-shared/operator-contract/most-counted.ts';
import type { TimelineEntry } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { events } from '../../../journal/tables.ts';
import { type Database, prepared, type Reader } from '../../../platform/database/database.ts';
import { countSome } from '../../../platform/database/list-order.ts';

/** The events of packets that moved money. A payment may have a million. */
const PACKETS = { in: 'incoming_payment.received', out: 'outgoing_payment.sent' } as const satisfies Record<string, EventType>;
/** Whether an event of this type tells of a packet that moved money. */
export const isOfPacket = (type: string): boolean => type === PACKETS.in || type === PACKETS.out;

const others = (kind: string) => EVENT_TYPES.filter((type) => type.startsWith(kind) && !isOfPacket(type));
/** The other things that can happen to a payment. */
const OTHERS = { in: others('incoming_payment.'), out: others('outgoing_payment.') };
/** How many other events are shown. Most payments have a few; a payment that was retried for days may have more. */
const TOLD = 100;
/** A position behind every event. */
const END = 2n ** 63n - 1n;

type Row = Pick<typeof events.$inferSelect, 'position' | 'type' | 'body' | 'at'>;

const $ = sql.placeholder;
const { position, type, body, at } = events;
/** Events of one type, behind one position and before another. */
const between = and(eq(events.subject, $('id')), eq(type, $('type')), gt(position, $('after')), lt(position, $('before')));
const next = (order: (column: typeof position) => SQL, limit: number) =>
  prepared((reader: Reader) =>
    reader.select({ position, type, body, at }).from(events).where(between).orderBy(order(position)).limit(limit).prepare(),
  );
const someBetween = prepared((reader: Reader) => countSome(reader, events, between, MOST_COUNTED).prepare());
const newestOf = next(desc, TOLD);
const firstOf = next(asc, 1);
const lastOf = next(desc, 1);

/**
 * What happened to a payment, oldest first: its beginning, then its newest events. The packets between two other events
 * are one entry with the body of the last packet. The index leads to the first and the last of them. They are counted
 * beside the main thread, and only some of them.
 */
export async function timelineOf(
  { read, readAside }: Pick<Database, 'read' | 'readAside'>,
  id: string,
  direction: 'in' | 'out',
): Promise<TimelineEntry[]> {
  const found: Row[] = [];
  for (const other of OTHERS[direction]) found.push(...(await newestOf(read).execute({ id, type: other, after: 0n, before: END })));
  found.sort(byPosition);
  const rows = found.length <= TOLD ? found : [...found.slice(0, 1), ...found.slice(1 - TOLD)];
  const entries = rows.map((row) => entryOf(row, row, 1));
  const of = { id, type: PACKETS[direction] };
  for (let after = 0n; after < END; ) {
    const [first] = await firstOf(read).execute({ ...of, after, before: END });
    if (first === undefined) break;
    const before = rows.find(({ position }) => position > first.position)?.position ?? END;
    const [last = first] = await lastOf(read).execute({ ...of, after, before });
    const [counted] = await someBetween(readAside).execute({ ...of, after, before });
    entries.push(entryOf(first, last, Number(counted?.rows ?? 1)));
    after = before;
  }
  return entries.sort(byPosition);
}

/**
 * How many packets brought money. Each is an event: `received`, or `completed` with an amount when the packet completed
 * the payment. An early end is a `completed` event without an amount.
 */
export function packetsIn(timeline: readonly TimelineEntry[]): number {
  const brought = timeline.filter(({ type, body }) => isOfPacket(type) || (type === 'incoming_payment.completed' && 'amount' in body));
  return Math.min(
    brought.reduce((sum, entry) => sum + entry.events, 0),
    MOST_COUNTED + 1,
  );
}

const byPosition = (a: Pick<Row, 'position'>, b: Pick<Row, 'position'>): number => (a.position < b.position ? -1 : 1);

const entryOf = (first: Row, last: Row, many: number): TimelineEntry => ({
  position: last.position,
  type: last.type,
  body: last.body,
  since: new Date(first.at),
  at: new Date(last.at),
  events: many,
});
