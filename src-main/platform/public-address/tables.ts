import { table, text, timestampMs } from '../database/schema.ts';

/** Origins under which this node has published ids; the newest is the current one, the others stay recognised as its own. */
export const origins = table('origins', {
  origin: text('origin').primaryKey(),
  since: timestampMs('since').notNull(),
});
