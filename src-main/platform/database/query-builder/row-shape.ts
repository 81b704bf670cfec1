import { Column, getTableName, is, SQL, Subquery } from 'drizzle-orm';
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core';

/** Where one value of a row goes. */
interface Cell {
  /** The object within the result that takes it. It is absent when that is the result itself. */
  readonly within: string | undefined;
  readonly name: string;
  readonly decoder: { mapFromDriverValue(value: unknown): unknown };
}

/** An object of a result that is null where its table has no row (an outer join). */
interface Joined {
  readonly name: string;
  /** The place of the value that is null then. */
  readonly first: number;
}

/** Turns the rows of one query into objects. */
export interface RowShape {
  readonly cells: readonly Cell[];
  /** The names of the objects within the result. */
  readonly objects: readonly string[];
  readonly joined: readonly Joined[];
}

/**
 * Finds out once what the query builder's own code finds out again for each value of each row.
 * @param always tells of each table in a join whether it always has a row. It is absent without a join.
 * @throws Error for values that lie deeper than in an object of the result, which no query of the node asks for.
 */
export function rowShape(fields: SelectedFieldsOrdered, always: Readonly<Record<string, boolean>> | undefined): RowShape {
  const cells = fields.map(({ path, field }): Cell => {
    const [outer = '', inner, ...deeper] = path;
    if (deeper.length > 0) throw new Error(`a query asks for ${path.join('.')}, which lies too deep`);
    const decoder = decoderOf(field);
    return inner === undefined ? { within: undefined, name: outer, decoder } : { within: outer, name: inner, decoder };
  });
  const objects = [...new Set(cells.flatMap(({ within }) => within ?? []))];
  return { cells, objects, joined: always === undefined ? [] : joinedObjects(fields, always) };
}

/** Turns a row, as the engine gives it, into the object that the query promises. */
export function objectOf({ cells, objects, joined }: RowShape, row: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of objects) result[name] = {};
  for (const [n, { within, name, decoder }] of cells.entries()) {
    const object = within === undefined ? result : (result[within] as Record<string, unknown>);
    const stored = row[n];
    object[name] = stored === null ? null : decoder.mapFromDriverValue(stored);
  }
  for (const { name, first } of joined) if (row[first] === null) result[name] = null;
  return result;
}

function decoderOf(field: SelectedFieldsOrdered[number]['field']): Cell['decoder'] {
  if (is(field, Column)) return field;
  const expression = is(field, SQL) ? field : is(field, Subquery) ? field._.sql : field.sql;
  // The builder keeps the decoder out of its types.
  return (expression as unknown as { decoder: Cell['decoder'] }).decoder;
}

/** The objects that hold columns of one table only, and of one that may have no row. Their first value tells. */
function joinedObjects(fields: SelectedFieldsOrdered, always: Readonly<Record<string, boolean>>): Joined[] {
  const found = new Map<string, { first: number; tables: Set<string> }>();
  for (const [n, { path, field }] of fields.entries()) {
    const [name] = path;
    if (name === undefined || path.length !== 2 || !is(field, Column)) continue;
    const known = found.get(name) ?? { first: n, tables: new Set<string>() };
    known.tables.add(getTableName(field.table));
    found.set(name, known);
  }
  return [...found].flatMap(([name, { first, tables }]) => {
    const [table = '', ...others] = tables;
    return others.length === 0 && !always[table] ? [{ name, first }] : [];
  });
}
