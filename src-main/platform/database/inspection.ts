import Sqlite from 'better-sqlite3';
import { distrust, executeOn } from './connection.ts';
import type { Reader } from './database.ts';
import { builder } from './query-builder/builder.ts';
import { isDamage, isForeignSchema } from './sqlite-errors.ts';

/** The memory for the page cache, in KiB. It is small, because an inspection wants to read what is on the disk. */
const PAGE_CACHE_KIB = 2_048;

/** Looks into a database file from beside the node that writes it, in another thread or process. It changes nothing. */
export class Inspection {
  readonly #connection: Sqlite.Database;
  readonly #reader: Reader;

  /** @throws SqliteError when the file cannot be opened; see {@link isDamage}. */
  constructor(file: string) {
    this.#connection = new Sqlite(file, { readonly: true, fileMustExist: true });
    distrust(this.#connection);
    this.#connection.defaultSafeIntegers(true);
    this.#connection.pragma('busy_timeout = 5000');
    this.#connection.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
    this.#reader = builder(executeOn(this.#connection));
  }

  /** Runs `look`, which awaits only the reader. Everything that it reads belongs to one state of the books. */
  async snapshot<T>(look: (reader: Reader) => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN');
    try {
      return await look(this.#reader);
    } finally {
      if (this.#connection.inTransaction) this.#connection.exec('COMMIT');
    }
  }

  /** A number that is another one after somebody has written to the books. */
  version(): bigint {
    return this.#connection.pragma('data_version', { simple: true }) as bigint;
  }

  /** The names of all tables. */
  tables(): string[] {
    const names = this.#connection.prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    );
    return names.pluck().all() as string[];
  }

  /**
   * Checks the pages of one table and of its indexes.
   * @param thorough also compares each index with the table. It takes several times as long.
   * @returns whether they are as they must be.
   */
  isSound(table: string, thorough: boolean): boolean {
    try {
      return this.#connection.pragma(`${thorough ? 'integrity_check' : 'quick_check'}("${table}")`, { simple: true }) === 'ok';
    } catch (error) {
      if (isDamage(error) || isForeignSchema(error)) return false;
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }
}
