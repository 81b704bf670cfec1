import { int53, table, text, timestampMs } from '../database/schema.ts';

/** What the node knows about its own clock; see clock-guard.ts. The table has at most one row. */
export const retentionClock = table('retention_clock', {
  /** Always `clock`. */
  id: text('id').primaryKey(),
  /** The latest moment that is trusted. */
  provenAt: timestampMs('proven_at').notNull(),
  /**
   * The time at which a jump of the clock was first seen, by the clock that has jumped. It is null while the clock is
   * trusted.
   */
  heldSince: timestampMs('held_since'),
});

/** How large the database was on the days before; see disk-days.ts. */
export const diskDays = table('disk_days', {
  /** Days since the Unix epoch, in UTC. */
  day: int53('day').primaryKey(),
  bytes: int53('bytes').notNull(),
});
