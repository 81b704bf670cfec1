import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/**
 * The place where SQLite counts commits: in the header of the shared index of its write-ahead log (SQLite's page
 * "WAL-mode File Format").
 */
const COMMITS_AT = 8;

/** How many transactions have been committed, modulo 2^32. Each is one fsync of the log. */
export function commits(dataDir: string): number {
  const index = readFileSync(join(dataDir, 'paydesk.db-shm'));
  return new DataView(index.buffer, index.byteOffset).getUint32(COMMITS_AT, true);
}

/** How often the watcher reads the database, in milliseconds. */
const POLL_MS = 1;

/**
 * Sees payments end, by reading the events the node has committed. It reads the database's file from outside, so that
 * watching costs the node nothing.
 */
export class Endings {
  readonly #database: Sqlite.Database;
  readonly #next: Sqlite.Statement<[bigint], { position: bigint; subject: string; type: string }>;
  readonly #endings = new Map<string, PromiseWithResolvers<void>>();
  #position: bigint;
  #polling: NodeJS.Timeout | undefined;
  #awaited = 0;

  constructor(dataDir: string) {
    this.#database = new Sqlite(join(dataDir, 'paydesk.db'), { readonly: true });
    this.#database.defaultSafeIntegers(true);
    this.#next = this.#database.prepare(`select position, subject, type from events
      where position > ? and type in ('outgoing_payment.completed', 'outgoing_payment.failed') order by position`);
    this.#position = this.#database.prepare<[], bigint>('select coalesce(max(position), 0) from events').pluck().get() ?? 0n;
  }

  /** Resolves when the payment has completed. @throws Error when it failed. */
  async of(id: string): Promise<void> {
    this.#awaited += 1;
    this.#polling ??= setInterval(() => this.#look(), POLL_MS);
    try {
      await this.#ending(id).promise;
    } finally {
      this.#endings.delete(id);
      this.#awaited -= 1;
      // Each look passes all events since the last end, and keeps the log from beginning anew.
      if (this.#awaited === 0) this.#rest();
    }
  }

  #rest(): void {
    clearInterval(this.#polling);
    this.#polling = undefined;
  }

  close(): void {
    this.#rest();
    this.#database.close();
  }

  #look(): void {
    for (const { position, subject, type } of this.#next.all(this.#position)) {
      this.#position = position;
      const ending = this.#ending(subject);
      if (type === 'outgoing_payment.completed') ending.resolve();
      else ending.reject(new Error(`the payment ${subject} failed`));
    }
  }

  /** A payment's end may be seen before the answer that tells its id. */
  #ending(id: string): PromiseWithResolvers<void> {
    let ending = this.#endings.get(id);
    if (ending === undefined) {
      ending = Promise.withResolvers<void>();
      // The failure belongs to the caller who asks for this payment, also when the failure is seen before the question.
      ending.promise.catch(() => undefined);
      this.#endings.set(id, ending);
    }
    return ending;
  }
}
