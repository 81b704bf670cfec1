import type Sqlite from 'better-sqlite3';
import { executeOn } from '../connection.ts';
import type { Execute } from '../query-builder/builder.ts';

/** Holds the connection's view of the database where it is. */
interface View {
  readonly connection: Sqlite.Database;
  readonly execute: Execute;
  readonly hold: () => void;
  readonly release: () => void;
  /** The number of the commit that it shows. It is undefined while it shows the newest one. */
  heldAt: number | undefined;
}

/**
 * Reads what is durable, and nothing newer. A commit can be read by every connection before it is on the disk. Whoever
 * answered from it would tell of something that a power cut still takes away. So before each commit a connection is
 * held at the commit before it, and shows that one until the new one is durable. While everything is durable, nothing
 * is held, and the log can begin anew.
 */
export class DurableReader {
  readonly #views: readonly View[];
  #shown: View;

  /** @param first and `more`: one connection for each commit that may be on its way to the disk at a time. */
  constructor(first: Sqlite.Database, ...more: Sqlite.Database[]) {
    this.#shown = viewOf(first);
    this.#views = [this.#shown, ...more.map(viewOf)];
  }

  readonly execute: Execute = (sql, params, method) => this.#shown.execute(sql, params, method);

  get connection(): Sqlite.Database {
    return this.#shown.connection;
  }

  get connections(): Sqlite.Database[] {
    return this.#views.map(({ connection }) => connection);
  }

  /**
   * The database calls this before a commit.
   * @param newest the number of the commit before it.
   * @param durable whether that one is durable.
   */
  holdAt(newest: number, durable: boolean): void {
    const held = this.#views.find(({ heldAt }) => heldAt === newest);
    const view = held ?? this.#views.find(({ heldAt }) => heldAt === undefined);
    if (view === undefined) throw new Error('more commits are on their way to the disk than there are connections');
    if (held === undefined) {
      view.hold();
      view.heldAt = newest;
    }
    if (durable) this.#shown = view;
  }

  /** Shows the commit `durable`, which has reached the disk, and everything newer when `newest` is the same. */
  show(durable: number, newest: number): void {
    this.#shown = this.#views.find(({ heldAt }) => heldAt === durable) ?? this.#shown;
    for (const view of this.#views) {
      if (view.heldAt === undefined || (view.heldAt >= durable && durable < newest)) continue;
      view.release();
      view.heldAt = undefined;
    }
  }

  close(): void {
    for (const { connection } of this.#views) connection.close();
  }
}

function viewOf(connection: Sqlite.Database): View {
  const [begin, look, end] = ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1', 'COMMIT'].map((sql) => connection.prepare(sql));
  return {
    connection,
    execute: executeOn(connection),
    // A transaction sees what is there at its first read.
    hold: () => {
      begin?.run();
      try {
        look?.get();
      } catch (error) {
        end?.run();
        throw error;
      }
    },
    release: () => void end?.run(),
    heldAt: undefined,
  };
}
