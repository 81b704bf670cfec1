import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './schema.ts';

// What the engines say in words of their own. Queries above this folder use these names.

/** The column's value, for a condition that must not be answered with an index of the column (SQLite's unary plus). */
export const withoutIndex = (column: Column): SQL => sql`+${column}`;

/** Whether the text occurs in the value. Upper and lower case are different. */
export const contains = (value: Column | SQL, text: string | SQL): SQL => sql`instr(${value}, ${text}) > 0`;

/** What names a row within one statement, whatever the primary key of its table is. */
export const rowName: SQL = sql`rowid`;
