import { type SQL, sql } from 'drizzle-orm';
import type { Builder } from './query-builder/builder.ts';

/** Reads committed rows. It offers only select. */
export type Reader = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with'>;

/** What a write job reads and writes with. Its reads see the job's own writes. */
export type Tx = Pick<Builder, 'select' | 'selectDistinct' | '$with' | 'with' | 'insert' | 'update' | 'delete'>;

/** The node's one database. No caller needs to know which engine runs it. */
export interface Database {
  /**
   * Runs `job` as if it were alone, and resolves once its changes are durable.
   *
   * A job awaits only `tx`, changes nothing but the database, and never calls `write`. It may run more than once, so
   * the caller makes ids, reads the clock and does other I/O before or after it. A job that throws is undone. A job in
   * which a statement failed is undone too, even when it caught the error.
   *
   * @param touches what the job reads before it decides, and what it writes because of that, as words such as
   * `grant:<id>`. What one statement checks and changes by itself needs no word. An engine may run jobs side by side
   * that have no word in common. A job that names nothing, or `[]`, runs alone, so a job that could name something and
   * does not is slow and never wrong.
   * @throws NotStored when the disk does not take the changes; nothing of the job is stored then.
   * @throws DatabaseBusy when the job may be refused (`asRefusable`) and would wait too long; it has not begun then.
   * @throws DatabaseHeld when another program has been writing for a second; nothing of the job is stored then.
   * @throws OutcomeUnknown when the database server went away during the commit and has not come back.
   * @throws DatabaseStopped after an I/O error; the node takes no more writes until it is restarted.
   * @throws BooksWentBack when the database has lost writes that were acknowledged; it is a DatabaseStopped.
   */
  write<T>(job: (tx: Tx) => Promise<T>, touches?: readonly string[]): Promise<T>;
  /** Whether a job that may be refused would be refused now, because it would wait too long. */
  readonly isBusy: boolean;
  /** Reads committed rows. */
  readonly read: Reader;
  /**
   * Reads committed rows beside the main thread. It is for the operator's questions that no index answers: requests and
   * payments go on meanwhile. A question that an index answers is answered sooner by {@link read}.
   */
  readonly readAside: Reader;
  /**
   * Reads what belongs together. Where other processes write as well, all of it is as of one moment. Both readers are
   * only for that look, and take the place of {@link read} and {@link readAside}. The look may run again.
   */
  readAtOnce<T>(look: (read: Reader, aside: Reader) => Promise<T>): Promise<T>;
  /** Calls `listener` after each commit, never inside one. @returns a function that ends the calls. */
  onCommit(listener: () => void): () => void;
  /** Why the database takes no more writes. It is undefined while the database takes them. */
  readonly stopped: Error | undefined;
  /**
   * Why the last writes could not be stored. It is undefined again once writes can be stored. After the database has
   * stopped it stays.
   */
  readonly notStored: Error | undefined;
  /**
   * Gives a little of the space that removed rows have left back to the file system.
   * @returns whether there is more to give back.
   */
  giveBack(): Promise<boolean>;
  /**
   * Whether what is written now makes the log beside the books longer and longer, because somebody reads older rows: a
   * backup does so for a while. Work that can wait then waits.
   */
  isLogHeld(): Promise<boolean>;
  /** Gives back the memory that only makes answers quicker: pages that were read, and threads with nothing to do. */
  rest(): Promise<void>;
  /** How many bytes the rows and their indexes take. Reading it costs little. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A write, and the writes that shared its commit, could not be stored, for example because the disk is full. The same
 * write may work later.
 */
export class NotStored extends Error {}

/**
 * A write was refused before it began, because too many wait or the disk takes too long. The same write may work soon.
 */
export class DatabaseBusy extends NotStored {}

/** A write could not be stored because another program writes into the database, which only the node should do. */
export class DatabaseHeld extends NotStored {}

/** Nobody knows whether a write was stored, because the database server went away and does not answer. */
export class OutcomeUnknown extends NotStored {}

/** The database refused a write because an earlier one could not be stored safely. */
export class DatabaseStopped extends NotStored {}

/**
 * The database has lost writes that it had acknowledged: it was put back from a copy, or a standby server without the
 * last commits took over. Writing on would pay again what was paid, so a person has to look first.
 */
export class BooksWentBack extends DatabaseStopped {}

/**
 * Builds a query once per connection, because building one costs about ten times as much as running it. The query uses
 * `sql.placeholder` for what changes from call to call.
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
 * A placeholder for text in frequent queries that are more than a look-up by one unique index. SQLite looks at the
 * value of a bare parameter when it plans such a query, and plans again for each new value. Planning takes longer than
 * running.
 */
export const unpeeked = (name: string): SQL => sql`cast(${sql.placeholder(name)} as text)`;
