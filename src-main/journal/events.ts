import { asc, desc, gt, sql } from 'drizzle-orm';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
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

/**
 * Appends an event, within the write job that makes the change (decisions.md#D-56). If the operator did it, the
 * activity log gets an entry too.
 */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  await append(tx).execute({ ...event, walletAddressId: event.walletAddressId ?? null, body: event.body ?? {} });
  const act = actOf(tx);
  if (act?.event !== event.type) return;
  await act.mayBeDone?.(tx);
  await appendActivity(tx, act, event);
}

/** The time of the newest event, in milliseconds since the Unix epoch. It is undefined when there is none. */
export async function newestEventAt(reader: Reader): Promise<number | undefined> {
  const [newest] = await reader.select({ at: events.at }).from(events).orderBy(desc(events.position)).limit(1);
  return newest?.at;
}

export type EventListener = (batch: readonly StoredEvent[]) => void;

const READ_AT_ONCE = 500;

type Parts = Pick<Core, 'database' | 'log'>;

/**
 * Tells listeners in this process which events were committed, in order. It reads the events from the table, so it
 * tells only stored ones. It reads nothing while nobody listens.
 */
export class EventFeed {
  readonly #parts: Parts;
  readonly #listeners = new Set<EventListener>();
  readonly #closed = new AbortController();
  readonly #stop: () => void;
  readonly #loop = new WakeLoop({ look: () => this.#look() });
  #position = 0n;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stop = parts.database.onCommit(() => this.#wake());
  }

  /** Calls `listener` with every event that is committed from now on. @returns a function that ends the calls. */
  async listen(listener: EventListener): Promise<() => void> {
    if (this.#listeners.size === 0) {
      const last = await lastPosition(this.#parts.database.read);
      // Another listener may have come while the table was read. It must not lose the events for which it waits.
      if (this.#listeners.size === 0) this.#position = last;
    }
    this.#listeners.add(listener);
    // A commit between the reading of the table and this line has not woken the loop.
    this.#wake();
    return () => this.#listeners.delete(listener);
  }

  /** It is aborted when the feed is closed because the node stops. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Ends the feed. It resolves when the feed no longer reads the database, which the caller may then close. */
  async close(): Promise<void> {
    this.#stop();
    this.#listeners.clear();
    this.#closed.abort();
    await this.#loop.stop();
  }

  #wake(): void {
    if (this.#listeners.size > 0) this.#loop.wake();
  }

  /** Does as {@link #readOn}. Events that cannot be read now are told after the next commit. */
  async #look(): Promise<boolean> {
    try {
      return await this.#readOn();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the journal could not be read');
      return false;
    }
  }

  /** Reads the next events and tells them. @returns whether there may be more of them. */
  async #readOn(): Promise<boolean> {
    if (this.#listeners.size === 0) return false;
    const batch = await this.#parts.database.read
      .select()
      .from(events)
      .where(gt(events.position, this.#position))
      .orderBy(asc(events.position))
      .limit(READ_AT_ONCE);
    const last = batch.at(-1);
    if (last === undefined) return false;
    this.#position = last.position;
    for (const listener of [...this.#listeners]) this.#tell(listener, batch);
    // A pause of one turn collects more events per batch on a busy node.
    await new Promise((resolve) => setImmediate(resolve));
    return batch.length === READ_AT_ONCE;
  }

  /** A listener that throws must not end the process, and the other listeners must still be told. */
  #tell(listener: EventListener, batch: readonly StoredEvent[]): void {
    try {
      listener(batch);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a listener could not use the events of the journal');
    }
  }
}

async function lastPosition(read: Reader): Promise<bigint> {
  const [row] = await read.select({ last: sql<bigint>`coalesce(max(${events.position}), 0)` }).from(events);
  return row?.last ?? 0n;
}
