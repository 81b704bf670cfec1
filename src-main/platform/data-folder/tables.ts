import { sql } from 'drizzle-orm';
import { bool, int53, table, text, timestampMs } from '../database/schema.ts';

/** The state of the node. The table has at most one row. */
export const nodeState = table('node_state', {
  /** Always `node`. */
  id: text('id').primaryKey(),
  /**
   * A number that goes up at every start and from time to time. A file beside the database holds it too, so that the
   * node notices a database that was put back from a copy.
   */
  generation: int53('generation').notNull(),
  /** The id of the node key with which the texts in this database are sealed. It is null for the first key. */
  keyId: text('key_id'),
  /** The last time that the database was put back from a copy. */
  restoredAt: timestampMs('restored_at'),
  /** Whether packets may be under way that these books have forgotten; see src-main/peers/quiet-after-copy.ts. */
  isQuiet: bool('is_quiet').notNull().default(sql`0`),
});
