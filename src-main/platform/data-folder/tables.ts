import { int53, table, text, timestampMs } from '../database/schema.ts';

/** What the node knows of itself; at most one row. */
export const nodeState = table('node_state', {
  /** Always `node`. */
  id: text('id').primaryKey(),
  /** Counts up at every start and now and then; a file beside the database holds it too, so that a database put back from a copy is noticed. */
  generation: int53('generation').notNull(),
  /** Which node key what is sealed in here can be opened with; null for the first one. */
  keyId: text('key_id'),
  /** When it was last put back from a copy. */
  restoredAt: timestampMs('restored_at'),
});
