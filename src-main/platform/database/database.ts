import { type SQL, sql } from 'drizzle-orm';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { drizzle, type SqliteRemoteResult } from 'drizzle-orm/sqlite-proxy';

type Builder = BaseSQLiteDatabase<'async', SqliteRemoteResult, Record<string, never>>;

/** Select only, over committed rows. */
export type Reader = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with'>;

/** What a write job gets: reads see the job's own writes. */
export type Tx = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with' | 'insert' | 'update' | 'delete'>;

/** The node's one database, whichever engine runs it. */
export interface Database {
  /**
   * Runs `job` alone and resolves once its changes are durable.
   *
   * A job awaits only `tx`, changes nothing but the database, never calls `write`, and may run more than once: take ids,
   * times and I/O before or after it. A failed statement dooms the job. A job that throws is undone.
   *
   * @throws NotStored when the disk would not take it (nothing of the job is stored), DatabaseStopped after an I/O error: the
   * node takes no more writes until it is restarted.
   */
  write<T>(job: (tx: Tx) => Promise<T>): Promise<T>;
  /** Committed rows. */
  readonly read: Reader;
  /** Calls `listener` after each commit, never inside one. Returns the way to stop it. */
  onCommit(listener: () => void): () => void;
  /** Why the database takes no more writes, or undefined while it does. */
  readonly stopped: Error | undefined;
  /** Why the last writes could not be stored, until some are again; for as long as it lives once it has stopped. */
  readonly notStored: Error | undefined;
  close(): Promise<void>;
}

/** A write, and those that shared its commit, could not be stored: the disk is full, say. The same may work later. */
export class NotStored extends Error {}

/** The database refused a write because an earlier one could not be stored safely. */
export class DatabaseStopped extends NotStored {}

export type Execute = (sql: string, params: unknown[], method: 'run' | 'all' | 'get' | 'values') => Promise<{ rows: unknown[] }>;

export const builder = (execute: Execute): Builder => drizzle(execute as Parameters<typeof drizzle>[0]);

/**
 * A query built once per connection: building one costs about ten times what running it does. Use `sql.placeholder` for
 * what changes from call to call.
 */
export function prepared<B extends object, Q>(build: (on: B) => Q): (on: B) => Q {
  const built = new WeakMap<object, Q>();
  return (on) => {
    let query = built.get(on);
    if (query === undefined) {
      query = build(on);
      built.set(on, query);
    }
    return query;
  };
}

/**
 * A placeholder for text, for hot queries that are more than a look-up by one unique index. SQLite looks at the value of a
 * bare parameter when it plans those, and plans again for each new value, which takes longer than running them.
 */
export const unpeeked = (name: string): SQL => sql`cast(${sql.placeholder(name)} as text)`;
