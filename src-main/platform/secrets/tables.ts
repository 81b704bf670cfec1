import { table, text, timestampMs } from '../database/schema.ts';

/**
 * The keys of a node with a shared database. There is at most one row of keys. A node with books of its own has a file.
 * Beside the keys, a row may say that these books do not count; see move-marks.ts.
 */
export const nodeKeys = table('node_keys', {
  /** `node`, or what move-marks.ts says. */
  id: text('id').primaryKey(),
  /** The keys as JSON, sealed with the key that the operator gives to each replica. */
  sealed: text('sealed').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});
