import { sql } from 'drizzle-orm';
import type { EventType } from '../../src-shared/event-types.ts';
import { index, int53, int64, json, table, text, timestampMs } from '../platform/database/schema.ts';

/** Everything that happened, in order. Appended in the same write as the change it tells of, never changed. */
export const events = table(
  'events',
  {
    /** Dense from 1; readers remember the last one they have seen. */
    position: int64('position').primaryKey(),
    type: text('type').$type<EventType>().notNull(),
    /** The id of the thing it happened to. */
    subject: text('subject').notNull(),
    /** The wallet address it concerns, where there is one. */
    walletAddressId: text('wallet_address_id'),
    body: json<Record<string, string>>('body').notNull(),
    at: timestampMs('at').notNull(),
  },
  (t) => [index('events_subject').on(t.subject, t.position, t.type)],
);

/** What the operator did, in order; see activity-log.ts. Only ever appended to. */
export const activities = table('activities', {
  /** Dense from 1. */
  number: int53('number').primaryKey(),
  at: timestampMs('at').notNull(),
  /** The operation, such as `accounts.deposit`. */
  operation: text('operation').notNull(),
  type: text('type').$type<EventType>().notNull(),
  subject: text('subject').notNull(),
  walletAddressId: text('wallet_address_id'),
  body: json<Record<string, string>>('body').notNull(),
  /** SHA-256 over the entry and the hash before it, hexadecimal. */
  hash: text('hash').notNull(),
});

/** The newest entry of the log of activities, so that its removal is noticed; at most one row. */
export const activityHead = table('activity_head', {
  /** Always `head`. */
  id: text('id').primaryKey(),
  number: int53('number').notNull(),
  hash: text('hash').notNull(),
});

export const nextPosition = sql<bigint>`(select coalesce(max(position), 0) + 1 from events)`;
