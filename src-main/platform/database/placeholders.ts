import { getTableColumns, type Placeholder, sql, type Table } from 'drizzle-orm';

/** One placeholder for each column of a table. Its key is the column's name in the code. */
type Placeholders<T extends Table> = { [Name in keyof T['$inferInsert']]-?: Placeholder };

/**
 * The values of a prepared insert: one placeholder for each column of the table. The statement then takes a whole row,
 * and a new column has to be added to the table only.
 */
export const placeholdersOf = <T extends Table>(table: T): Placeholders<T> =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, sql.placeholder(name)])) as Placeholders<T>;
