import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestampMs } from '../database/columns.ts';

/** Origins under which this node has published ids; the newest is the current one, the others stay recognised as its own. */
export const origins = sqliteTable('origins', {
  origin: text('origin').primaryKey(),
  since: timestampMs('since').notNull(),
});
