import { table, text, timestampMs } from '../database/schema.ts';

/**
 * The origins under which this node has published URLs. URLs under a former origin stay recognised as the node's own.
 */
export const origins = table('origins', {
  origin: text('origin').primaryKey(),
  since: timestampMs('since').notNull(),
});
