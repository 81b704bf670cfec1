import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Change, News, Topic } from '../../../src-shared/operator-contract/node.ts';
import type { EventFeed } from '../../journal/events.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { events } from '../../journal/tables.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AppLock } from '../lock/app-lock.ts';
import { newsOf } from './news.ts';
import { topicsOf } from './topics.ts';

/** How often one listener is told at most, in milliseconds. */
const GATHER_MS = 100;
/** Above this many changed things their ids are not told: the listener reads whole lists again anyway. */
const FEW = 50;
/** A person reads a few notifications; of more they see the list. */
const MOST_NEWS = 5;

/** Everything that happened since the last value, as one. It stays small however long its listener is busy. */
class Gathered {
  #position = 0n;
  readonly #topics = new Set<Topic>();
  readonly #subjects = new Set<string>();
  readonly #news: News[] = [];

  get isEmpty(): boolean {
    return this.#topics.size === 0;
  }

  add(event: StoredEvent): void {
    this.#position = event.position;
    for (const topic of topicsOf(event.type)) this.#topics.add(topic);
    if (this.#subjects.size <= FEW) this.#subjects.add(event.subject);
    const news = newsOf(event);
    if (news !== undefined && this.#news.length < MOST_NEWS) this.#news.push(news);
  }

  /** The lock changed, whether or not that could be stored. */
  addLock(): void {
    this.#topics.add('lock');
  }

  take(): Change {
    const subjects = this.#subjects.size > FEW ? [] : [...this.#subjects];
    const news = this.#news.splice(0);
    const change = { position: this.#position, topics: [...this.#topics], subjects, ...(news.length > 0 && { news }) };
    this.#topics.clear();
    this.#subjects.clear();
    return change;
  }
}

/**
 * Tells of every committed change until `signal` aborts or the node stops, of the lock alone while the console is locked: a first value without topics at once, then what has gathered, at
 * most every `gatherMs` milliseconds. A slow listener is told less often, and misses nothing. Nothing runs while nothing
 * happens.
 */
export async function* changes(
  source: { database: Database; events: EventFeed; lock: Pick<AppLock, 'locked' | 'watch'> },
  callerGone: AbortSignal | undefined,
  gatherMs = GATHER_MS,
): AsyncGenerator<Change, void, void> {
  // A page has to notice that the node has stopped, also where a port is all that connects the two.
  const signal = callerGone === undefined ? source.events.closed : AbortSignal.any([callerGone, source.events.closed]);
  const gathered = new Gathered();
  let wake: () => void = () => undefined;
  const stop = await source.events.listen((batch) => {
    for (const event of batch) gathered.add(event);
    wake();
  });
  const stopLock = source.lock.watch(() => {
    gathered.addLock();
    wake();
  });
  const wakeUp = () => wake();
  signal.addEventListener('abort', wakeUp);
  const over = () => signal.aborted;
  try {
    yield { position: await lastPosition(source.database), topics: [], subjects: [] };
    while (!over()) {
      if (gathered.isEmpty) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const change = gathered.take();
      // A locked console learns nothing of what happens; whoever unlocks it reads everything anew.
      if (!source.lock.locked) yield change;
      else if (change.topics.includes('lock')) yield { position: change.position, topics: ['lock'], subjects: [] };
      await pause(gatherMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', wakeUp);
    stop();
    stopLock();
  }
}

async function lastPosition(database: Database): Promise<bigint> {
  const [row] = await database.read.select({ last: sql<bigint>`coalesce(max(${events.position}), 0)` }).from(events);
  return row?.last ?? 0n;
}
