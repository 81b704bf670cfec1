/** A row in the form that both engines can give and take: an integer is its decimal digits. */
export type PlainRow = readonly (string | null)[];

/** What both engines must agree on before rows can go from one to the other. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: 'integer' | 'text' }[];
  /** The columns of the primary key. Rows are read in its order, which is the same with both engines. */
  readonly key: readonly string[];
}

/** The rows of a database. All of them are as of one moment. */
export interface RowSource {
  count(table: TableShape): Promise<number>;
  /** The rows in the order of the primary key, some at a time. */
  rows(table: TableShape): AsyncIterable<PlainRow[]>;
}

/** A database that takes rows. It can be read afterwards. */
export interface RowTarget extends RowSource {
  insert(table: TableShape, rows: readonly PlainRow[]): Promise<void>;
}

/** How many rows are read and written at once. */
export const ROWS_AT_ONCE = 2_000;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Reads a table in the order of its key. */
export const selectAll = ({ name, columns, key }: TableShape): string =>
  `select ${columns.map((one) => quoted(one.name)).join(', ')} from ${quoted(name)} order by ${key.map(quoted).join(', ')}`;

/** What belongs to the processes of a node or to the way in which its keys are kept, and not to its books. */
export const NOT_MOVED: ReadonlySet<string> = new Set(['replicas', 'node_keys', 'operator_token']);
