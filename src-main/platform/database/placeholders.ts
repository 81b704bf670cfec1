import { getTableColumns, type Placeholder, sql, type Table } from 'drizzle-orm';

/** A placeholder for each column of a table, under the column's name in the code. */
type Placeholders<T extends Table> = { [Name in keyof T['$inferInsert']]-?: Placeholder };

/**
 * The values of a prepared insert: one placeholder for each column of the table, under the column's name in the code. The
 * statement then takes a whole row, and a new column stands in the table only.
 */
export const placeholdersOf = <T extends Table>(table: T): Placeholders<T> =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)])) as Placeholders<T>;
