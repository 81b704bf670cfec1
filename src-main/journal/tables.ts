import { sql } from 'drizzle-orm';
import type { EventType } from '../../src-shared/event-types.ts';
import { index, int53, int64, json, table, text, timestampMs } from '../platform/database/schema.ts';
import type { Doer } from './doer.ts';

/**
 * Everything that happened, in order. An event is appended in the same write as the change that it tells of, and never
 * changes (decisions.md#D-56).
 */
export const events = table(
  'events',
  {
    /**
     * Counts from 1. Old events go, and the newest one always stays, so that no position is given twice. Readers
     * remember the last position that they have seen.
     */
    position: int64('position').primaryKey(),
    type: text('type').$type<EventType>().notNull(),
    /** The id of the thing to which it happened. */
    subject: text('subject').notNull(),
    /** The wallet address that the event is about. It is null when there is none. */
    walletAddressId: text('wallet_address_id'),
    body: json<Record<string, string>>('body').notNull(),
    at: timestampMs('at').notNull(),
  },
  (t) => [
    // A payment may have a million packets. What else happened to it is found beside them.
    index('events_subject').on(t.subject, t.type, t.position),
    index('events_passing').on(t.at).where(sql`substr(${t.type}, 1, 8) not in ('incoming', 'outgoing')`),
  ],
);

/** The event belongs to no payment. This repeats the very words of the partial index above. */
export const isPassing = sql`substr(${events.type}, 1, 8) not in ('incoming', 'outgoing')`;

/** The activity log: what the operator did, in order; see activity-log.ts. Rows are only appended. */
export const activities = table(
  'activities',
  {
    /** The number of the entry: 1, 2, 3 … without gaps. */
    number: int53('number').primaryKey(),
    at: timestampMs('at').notNull(),
    /** The operation, such as `accounts.deposit`. */
    operation: text('operation').notNull(),
    type: text('type').$type<EventType>().notNull(),
    subject: text('subject').notNull(),
    walletAddressId: text('wallet_address_id'),
    body: json<Record<string, string>>('body').notNull(),
    /** Who did it. These four are null in entries from before the node knew persons, and where nobody did it. */
    byKind: text('by_kind').$type<Doer['kind']>(),
    byId: text('by_id'),
    /** What they were called then. It is empty for an owner without a name. */
    byName: text('by_name'),
    /** The role in which they did it. */
    byRole: text('by_role').$type<Doer['role']>(),
    /** The SHA-256 over the hash of the entry before and this entry, in hexadecimal. */
    hash: text('hash').notNull(),
  },
  (t) => [index('activities_subject').on(t.subject)],
);

/** The newest entry of the activity log, so that its removal is noticed. The table has at most one row. */
export const activityHead = table('activity_head', {
  /** Always `head`. */
  id: text('id').primaryKey(),
  number: int53('number').notNull(),
  hash: text('hash').notNull(),
});

export const nextPosition = sql<bigint>`(select coalesce(max(position), 0) + 1 from events)`;
