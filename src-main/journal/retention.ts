import { and, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import { DAY_MS, type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { events, isPassing } from './tables.ts';

/** The newest event stays, so that its position is not given to another one. */
const isNotNewest = sql`${events.position} < (select max(position) from events)`;

/**
 * Events of payments stay, because the page of the payment shows them. Nothing reads the others after they were told:
 * what the operator did stands in the activity log.
 * @param goes says of a subject whether its events may go.
 */
export const eventRule = (goes: (subject: typeof events.subject) => SQL): RetentionRule => ({
  kind: 'events',
  tables: [events],
  keptMs: 30 * DAY_MS,
  chosen: true,
  removeSome: (database, before) => removeRows(database, events, and(isPassing, lt(events.at, before), isNotNewest, goes(events.subject))),
});

/** Removes the events of things that are removed, in the same write. */
export async function removeEventsOf(tx: Tx, subjects: string[]): Promise<void> {
  await tx.delete(events).where(and(inArray(events.subject, subjects), isNotNewest));
}
