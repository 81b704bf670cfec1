import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Where SQLite counts commits, in the header of the shared index of its write-ahead log (SQLite documentation, "WAL-mode File Format"). */
const COMMITS_AT = 8;

/** How many transactions have been committed, modulo 2^32. Each is one fsync of the log. */
export function commits(dataDir: string): number {
  const index = readFileSync(join(dataDir, 'paydesk.db-shm'));
  return new DataView(index.buffer, index.byteOffset).getUint32(COMMITS_AT, true);
}

/** How often the database is looked into. */
const POLL_MS = 1;

/**
 * Sees payments end, by reading the events the node has committed. It reads the database's file from outside, so that
 * watching costs the node nothing.
 */
export class Endings {
  readonly #database: Sqlite.Database;
  readonly #next: Sqlite.Statement<[bigint], { position: bigint; subject: string; type: string }>;
  readonly #waiting = new Map<string, () => void>();
  /** Payments whose end was seen before anybody asked. */
  readonly #ended = new Set<string>();
  #position: bigint;
  #polling: NodeJS.Timeout | undefined;

  constructor(dataDir: string) {
    this.#database = new Sqlite(join(dataDir, 'paydesk.db'), { readonly: true });
    this.#database.defaultSafeIntegers(true);
    this.#next = this.#database.prepare(`select position, subject, type from events
      where position > ? and type in ('outgoing_payment.completed', 'outgoing_payment.failed') order by position`);
    this.#position = this.#database.prepare<[], bigint>('select coalesce(max(position), 0) from events').pluck().get() ?? 0n;
  }

  /** Resolves when the payment has completed. @throws (in the timer) when a payment failed: the bench is wrong then. */
  of(id: string): Promise<void> {
    if (this.#ended.delete(id)) return Promise.resolve();
    this.#polling ??= setInterval(() => this.#look(), POLL_MS);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close(): void {
    clearInterval(this.#polling);
    this.#database.close();
  }

  #look(): void {
    for (const { position, subject, type } of this.#next.all(this.#position)) {
      if (type === 'outgoing_payment.failed') throw new Error(`the payment ${subject} failed`);
      this.#position = position;
      const ended = this.#waiting.get(subject);
      this.#waiting.delete(subject);
      if (ended === undefined) this.#ended.add(subject);
      else ended();
    }
  }
}
