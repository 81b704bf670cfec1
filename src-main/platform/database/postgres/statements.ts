import { OF_LIST, WITHOUT_INDEX } from '../dialect.ts';

/** A statement as PostgreSQL wants it. */
interface Statement {
  readonly text: string;
  /** The name under which sessions keep it prepared. A statement that came only once has none. */
  readonly name: string | undefined;
}

/** How many statements are remembered. More than the node has fixed ones; those with lists of values are never many. */
const MOST_KNOWN = 1_000;

/**
 * Turns statements of the query builder, which speaks the dialect of SQLite, into PostgreSQL's. Each is thought about
 * once for each kind of values.
 */
export class Statements {
  /** The statements by their SQL, and by the kinds of the values. */
  readonly #known = new Map<string, Map<string, { text: string; name: string | undefined }>>();
  #names = 0;

  of(sql: string, params: readonly unknown[]): Statement {
    const kinds = kindsOf(params);
    const known = this.#known.get(sql)?.get(kinds);
    if (known === undefined) return this.#add(sql, kinds, params);
    if (known.name === undefined) {
      this.#names += 1;
      known.name = `paydesk_${this.#names}`;
    }
    return known;
  }

  #add(sql: string, kinds: string, params: readonly unknown[]): Statement {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const statement = { text: inPostgres(sql, params), name: undefined };
    const forms = this.#known.get(sql) ?? new Map();
    this.#known.set(sql, forms.set(kinds, statement));
    return statement;
  }
}

/** The cast of a parameter depends on whether its value is an integer, so a null makes another statement. */
function kindsOf(params: readonly unknown[]): string {
  let kinds = '';
  for (const value of params) kinds += typeof value === 'bigint' ? 'i' : '.';
  return kinds;
}

/**
 * What is changed, outside of literals and names. Literals and names come first, so that they are passed over as a
 * whole. A conflict target has only names inside its parentheses.
 */
const PARTS = new RegExp(
  [
    `'(?:[^']|'')*'`,
    `"(?:[^"]|"")*"`,
    WITHOUT_INDEX.replaceAll(/[*+]/g, '\\$&'),
    `\\bon conflict \\([^()'?]*\\)`,
    `\\blower\\(\\?`,
    `\\bas integer\\)`,
    `\\binstr\\(`,
    OF_LIST.replaceAll(/[*(]/g, '\\$&'),
    `\\bjson_each\\(`,
    `\\browid\\b`,
    `\\?`,
  ].join('|'),
  'gi',
);

/** Parts that are always replaced by the same. */
const WORDS = new Map([
  [WITHOUT_INDEX, ''],
  ['as integer)', 'as bigint)'],
  ['instr(', 'strpos('],
  [OF_LIST, 'json_array_elements_text('],
  ['json_each(', 'json_each_text('],
  ['rowid', 'ctid'],
]);

/**
 * @param sql a statement of the query builder, with `?` for each value.
 * @param params its values. One that is a bigint is cast, because a parameter without a type decides no operator.
 */
export function inPostgres(sql: string, params: readonly unknown[]): string {
  let place = 0;
  const parameter = (): string => {
    const value = params[place];
    place += 1;
    return typeof value === 'bigint' ? `$${place}::int8` : `$${place}`;
  };
  return sql.replace(PARTS, (part) => {
    if (part === '?') return parameter();
    if (part.startsWith("'") || part.startsWith('"')) return part;
    const small = part.toLowerCase();
    // The builder names the table with each column, which PostgreSQL does not take here.
    if (small.startsWith('on conflict')) return part.replaceAll(/"(?:[^"]|"")*"\./g, '');
    // A value would be lowered by the language of the database, and columns are lowered as SQLite does: only A to Z.
    if (small.startsWith('lower(')) return `${part.slice(0, -1)}${parameter()} collate "C"`;
    return WORDS.get(small) ?? part;
  });
}
