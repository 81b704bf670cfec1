import { type SQL, sql } from 'drizzle-orm';
import type { Column } from './schema.ts';

// SQL that differs between database engines. Queries outside this folder use these names instead. They are written as
// SQLite wants them; `postgres/statements.ts` turns each into what PostgreSQL wants.

/** Marks a unary plus. SQLite skips the comment, and PostgreSQL, which has no such plus for texts, gets neither. */
export const WITHOUT_INDEX = '/* no index */ +';

/** The column's value in a condition for which the engine must not use an index of the column (SQLite's unary plus). */
export const withoutIndex = (column: Column): SQL => sql`${sql.raw(WITHOUT_INDEX)}${column}`;

/** Tells whether the text occurs in the value. Upper and lower case are different. */
export const contains = (value: Column | SQL, text: string | SQL): SQL => sql`instr(${value}, ${text}) > 0`;

/** Identifies a row within one statement. It does not depend on the primary key of the table. */
export const rowName: SQL = sql`rowid`;

/**
 * The members of an object as rows of `key` and `value`: one parameter that brings many rows. Where `on conflict`
 * follows, a condition has to stand before it, because SQLite would take that for the `on` of a join.
 */
export const membersOf = (object: Readonly<Record<string, string>>): SQL => sql`json_each(${JSON.stringify(object)})`;

/** Marks the members of a list. SQLite skips the comment, and has one function for lists and for objects. */
export const OF_LIST = '/* list */ json_each(';

/**
 * Tells whether the value is one of these texts, which are one parameter. A statement with a parameter for each of
 * hundreds takes several times as long to build.
 */
export const isOneOf = (value: Column, texts: Iterable<string>): SQL =>
  sql`${value} in (select value from ${sql.raw(OF_LIST)}${JSON.stringify([...texts])}))`;
