import { asc, gt, sql } from 'drizzle-orm';
import { type Database, prepared, type Tx } from '../platform/database/database.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import { WakeLoop } from '../platform/wake-loop.ts';
import { actOf } from './acting.ts';
import { appendActivity } from './activity-log.ts';
import type { NewEvent, StoredEvent } from './stored-events.ts';
import { events, nextPosition } from './tables.ts';

const append = prepared((tx: Tx) =>
  tx
    .insert(events)
    .values({ ...placeholdersOf(events), position: nextPosition })
    .prepare(),
);

/** Records that something happened, in the write that made it happen; what the operator did also goes into the log of activities. */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  await append(tx).execute({ ...event, walletAddressId: event.walletAddressId ?? null, body: event.body ?? {} });
  const act = actOf(tx);
  if (act?.event === event.type) await appendActivity(tx, act, event);
}

export type EventListener = (batch: readonly StoredEvent[]) => void;

const READ_AT_ONCE = 500;

/**
 * Tells listeners in this process what was committed, in order. It reads the table itself, so nothing is told that is not
 * stored, and nothing is read while nobody listens.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #listeners = new Set<EventListener>();
  readonly #closed = new AbortController();
  readonly #stop: () => void;
  readonly #loop = new WakeLoop({ look: () => this.#readOn() });
  #position = 0n;

  constructor(database: Database) {
    this.#database = database;
    this.#stop = database.onCommit(() => this.#wake());
  }

  /** Calls `listener` with everything committed from now on. Returns the way to stop it. */
  async listen(listener: EventListener): Promise<() => void> {
    if (this.#listeners.size === 0) {
      const last = await lastPosition(this.#database);
      // Another listener may have come meanwhile, and must not lose what it still waits for.
      if (this.#listeners.size === 0) this.#position = last;
    }
    this.#listeners.add(listener);
    // A commit between the look at the table and this line woke nobody.
    this.#wake();
    return () => this.#listeners.delete(listener);
  }

  /** Aborted once nobody is told anything any more, because the node stops. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Tells nobody anything any more. Resolves once the database is not read any more, which may be closed then. */
  async close(): Promise<void> {
    this.#stop();
    this.#listeners.clear();
    this.#closed.abort();
    await this.#loop.stop();
  }

  #wake(): void {
    if (this.#listeners.size > 0) this.#loop.wake();
  }

  /** @returns whether more may be stored than was read at once. */
  async #readOn(): Promise<boolean> {
    if (this.#listeners.size === 0) return false;
    const batch = await this.#database.read
      .select()
      .from(events)
      .where(gt(events.position, this.#position))
      .orderBy(asc(events.position))
      .limit(READ_AT_ONCE);
    const last = batch.at(-1);
    if (last === undefined) return false;
    this.#position = last.position;
    for (const listener of [...this.#listeners]) listener(batch);
    // One turn between batches: a busy node tells its listeners less often, not more slowly.
    await new Promise((resolve) => setImmediate(resolve));
    return batch.length === READ_AT_ONCE;
  }
}

async function lastPosition(database: Database): Promise<bigint> {
  const [row] = await database.read.select({ last: sql<bigint>`coalesce(max(${events.position}), 0)` }).from(events);
  return row?.last ?? 0n;
}
