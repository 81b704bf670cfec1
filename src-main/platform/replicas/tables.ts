import { bool, table, text, timestampMs } from '../database/schema.ts';

/**
 * The processes that run this node over one shared database and live. A process that is gone loses its row, and with it
 * what it had claimed. The table is empty when the books are in a data folder. Times are those of the database server.
 */
export const replicas = table('replicas', {
  id: text('id').primaryKey(),
  /** What the operator calls it. */
  name: text('name').notNull(),
  /** The version of paydesk that it runs. */
  version: text('version').notNull(),
  /** The name of its computer. */
  host: text('host').notNull(),
  /** Its public URL. */
  url: text('url').notNull(),
  /** SHA-256 of the settings that must be the same everywhere, base64url. */
  configuration: text('configuration').notNull(),
  startedAt: timestampMs('started_at').notNull(),
  /** The last time that it was heard of. */
  seenAt: timestampMs('seen_at').notNull(),
  /** Whether it is about to end, and takes nothing new. */
  leaving: bool('leaving').notNull(),
  /** What it tells of itself, as JSON. */
  report: text('report').notNull(),
});
