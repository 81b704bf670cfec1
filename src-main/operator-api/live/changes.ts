import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { EventType } from '../../../src-shared/event-types.ts';
import { type Change, type News, newsAudience, type Topic } from '../../../src-shared/operator-contract/node.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import type { EventFeed } from '../../journal/events.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { events } from '../../journal/tables.ts';
import type { Core } from '../../platform/core.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AppLock } from '../lock/app-lock.ts';
import type { Narrowed } from '../people/narrowed.ts';
import { Inbox, isOfReceived } from './inbox.ts';
import { keyHears, keyHearsNews } from './key-topics.ts';
import { newsOf } from './news.ts';
import { tillTopicsOf, topicsOf } from './topics.ts';

/** The shortest time between two changes that one listener gets, in milliseconds. */
const GATHER_MS = 100;
/** A message leaves out the ids when more things than this have changed. The listener then reads whole lists anyway. */
const FEW = 50;
/** The most notifications in a change. A person reads a few. The list shows the others. */
const MOST_NEWS = 5;

/**
 * Gathers everything that happened since the last value into one change. It stays small, however long its listener is
 * busy.
 */
class Gathered {
  readonly #role: Role | undefined;
  readonly #narrowed: Narrowed | undefined;
  readonly #topicsOf: (type: EventType) => readonly Topic[];
  #position = 0n;
  readonly #topics = new Set<Topic>();
  readonly #subjects = new Set<string>();
  readonly #news: News[] = [];
  /** Whether anything of the topics may have changed, so that no ids are named. */
  #isAny = false;

  /** @param role of the listener. The listener hears only of what it may read. */
  constructor({ role, narrowed, till }: Pick<Source, 'role' | 'narrowed' | 'till'>) {
    this.#role = role;
    this.#narrowed = narrowed;
    this.#topicsOf = till === undefined ? (type) => topicsOf(type, role) : tillTopicsOf;
  }

  get isEmpty(): boolean {
    return this.#topics.size === 0;
  }

  /** Whether an event concerns a listener who hears of payment requests and not of payments, if it concerns one. */
  isOfRequestsOnly(event: StoredEvent): boolean {
    const topics = isOfReceived(event) ? this.#heardOf(event) : [];
    return topics.length === 1 && topics[0] === 'requests';
  }

  #heardOf(event: StoredEvent): readonly Topic[] {
    const narrowed = this.#narrowed;
    return this.#topicsOf(event.type).filter((topic) => narrowed === undefined || keyHears(topic, event, narrowed));
  }

  add(event: StoredEvent): void {
    if (event.position > this.#position) this.#position = event.position;
    const topics = this.#heardOf(event);
    if (topics.length === 0) return;
    for (const topic of topics) this.#topics.add(topic);
    if (this.#subjects.size <= FEW) this.#subjects.add(event.subject);
    const news = newsOf(event);
    if (news !== undefined && this.#isFor(news, event) && this.#news.length < MOST_NEWS) this.#news.push(news);
  }

  #isFor({ kind }: News, event: StoredEvent): boolean {
    if (this.#role === undefined || !newsAudience[kind].includes(this.#role)) return false;
    return this.#narrowed === undefined || keyHearsNews(kind, event, this.#narrowed);
  }

  /** Adds a whole topic, of which anything may have changed. */
  addTopic(topic: Topic): void {
    this.#topics.add(topic);
    this.#isAny = true;
  }

  /** Adds that the lock changed, even when that could not be stored. */
  addLock(): void {
    this.#topics.add('lock');
  }

  take(): Change {
    const subjects = this.#isAny || this.#subjects.size > FEW ? [] : [...this.#subjects];
    const news = this.#news.splice(0);
    const change = { position: this.#position, topics: [...this.#topics], subjects, ...(news.length > 0 && { news }) };
    this.#topics.clear();
    this.#subjects.clear();
    this.#isAny = false;
    return change;
  }
}

interface Source extends Pick<Core, 'database'> {
  events: EventFeed;
  lock: Pick<AppLock, 'locked' | 'watch'>;
  role?: Role | undefined;
  /** What the listener may hear less than its role, when it is a key. */
  narrowed?: Narrowed | undefined;
  /** The session of the listener. The stream ends with it, whichever replica has ended it. */
  session?: string | undefined;
  /** The till whose device listens. It hears of its own sales only. */
  till?: { readonly id: string } | undefined;
}

/**
 * Yields every committed change until `signal` aborts, the listener's session ends or the node stops. While the
 * console is locked, it yields only changes of the lock, except to the device of a till. The first value comes at once
 * and has no topics. After that it yields what has gathered, at most every `gatherMs` milliseconds. A slow listener
 * gets fewer values and misses nothing. Nothing runs while nothing happens.
 */
export async function* changes(
  source: Source,
  callerGone: AbortSignal | undefined,
  gatherMs = GATHER_MS,
): AsyncGenerator<Change, void, void> {
  // A page must notice that the node has stopped, even when only a port connects the two.
  const signal = callerGone === undefined ? source.events.closed : AbortSignal.any([callerGone, source.events.closed]);
  const { till } = source;
  const gathered = new Gathered(source);
  const inbox = new Inbox(source.database, till?.id);
  let wake: () => void = () => undefined;
  let signedOut = false;
  const stop = await source.events.listen((batch) => {
    const isForInbox = (event: StoredEvent) => till !== undefined || gathered.isOfRequestsOnly(event);
    inbox.put(batch.filter(isForInbox));
    for (const event of batch) {
      if (!isForInbox(event)) gathered.add(event);
      signedOut ||= event.type === 'operator.signed_out' && event.subject === source.session;
    }
    wake();
  });
  const lockChanged = () => {
    gathered.addLock();
    wake();
  };
  const stopLock = till === undefined ? source.lock.watch(lockChanged) : () => undefined;
  const wakeUp = () => wake();
  signal.addEventListener('abort', wakeUp);
  const over = () => signal.aborted || signedOut;
  try {
    yield { position: await lastPosition(source.database), topics: [], subjects: [] };
    while (!over()) {
      if (!inbox.isEmpty) {
        await inbox.emptyInto(gathered);
        if (gathered.isEmpty) continue;
      }
      if (gathered.isEmpty) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const change = gathered.take();
      yield* toldOf(change, till === undefined && source.lock.locked);
      await pause(gatherMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    signal.removeEventListener('abort', wakeUp);
    stop();
    stopLock();
  }
}

/** A locked console learns nothing about other changes. A console that is unlocked reads everything again. */
const toldOf = (change: Change, isLocked: boolean): Change[] => {
  if (!isLocked) return [change];
  return change.topics.includes('lock') ? [{ position: change.position, topics: ['lock'], subjects: [] }] : [];
};

async function lastPosition(database: Database): Promise<bigint> {
  const [row] = await database.read.select({ last: sql<bigint>`coalesce(max(${events.position}), 0)` }).from(events);
  return row?.last ?? 0n;
}
