import type { Clock } from '../../clock.ts';
import type { DurableReader } from './durable-reader.ts';
import type { LogSync } from './log-sync.ts';

/** How many commits may be on their way to the disk at a time. While one is, the next can be made. */
export const MAX_SYNCS = 2;
/** A disk is slow when a commit takes this long, in milliseconds. */
const SLOW_MS = 5;
/** The longest wait for more jobs, as a part of the time that a commit takes, and in milliseconds. */
const WAIT_PART = 1 / 2;
const WAIT_MS = 10;
/** From so many callers on, commits begin apart. Fewer take little of the node's time, and need not wait for it. */
const CROWD = 8;

/** A commit that has been made and is not acknowledged yet. */
interface Commit {
  readonly number: number;
  /** The time of the commit, by the monotonic clock. */
  readonly at: number;
  /** Functions that answer the callers. */
  readonly answers: readonly (() => void)[];
  /** Answers the callers when nobody knows whether the commit has reached the disk. */
  readonly refuse: () => void;
}

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  reader: Pick<DurableReader, 'holdAt' | 'show'>;
  log: Pick<LogSync, 'sync' | 'close'>;
  /** How many jobs wait for a commit. */
  queued: () => number;
  /** Called after the callers of a commit have been answered. */
  onAcknowledged: () => void;
  /** Called once when the log could not be brought to the disk. No commit is acknowledged after that. */
  onLost: (error: unknown) => void;
}

/**
 * The commits on their way to the disk. A commit is acknowledged, and can be read, when it has arrived there and not
 * before, in the order in which the commits were made (decisions.md#D-78).
 */
export class CommitsUnderWay {
  readonly #parts: Parts;
  /** The number of the newest commit, and of the newest one on the disk. */
  #newest = 0;
  #durable = 0;
  /** The oldest first. */
  readonly #waiting: Commit[] = [];
  readonly #syncs = new Set<Promise<void>>();
  #isLost = false;
  /** How long the latest commit that reached the disk was on its way, in milliseconds. */
  #latest = 0;
  /** How many callers waited then: for that commit, for others on their way, and for the next one. */
  #crowd = 0;
  /** When the newest commit was made, by the monotonic clock. */
  #begunAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when another commit can be made. Whoever wants to write meanwhile shares that commit. */
  async room(): Promise<void> {
    if (this.#syncs.size === MAX_SYNCS) await Promise.race(this.#syncs);
  }

  /** The time that the oldest commit has been on its way, in milliseconds. */
  get age(): number {
    const [oldest] = this.#waiting;
    return oldest === undefined ? 0 : this.#parts.clock.monotonic() - oldest.at;
  }

  /**
   * What the next commit had better wait for: until `apart` milliseconds have passed, and then for its share of all
   * callers, altogether no longer than `ms`. On a slow disk the callers of one commit come again together. A commit
   * that took only the first of them would keep the others waiting for its sync. Two commits that began together would
   * leave the node idle first, and make it answer the callers of both at a time then (decisions.md#D-84).
   */
  get gathering(): { jobs: number; ms: number; apart: number } {
    if (this.#syncs.size === 0 || this.pace < SLOW_MS) return { jobs: 0, ms: 0, apart: 0 };
    const ms = Math.floor(Math.min(this.pace * WAIT_PART, WAIT_MS));
    const apart = this.#crowd < CROWD ? 0 : Math.max(0, this.#begunAt + ms - this.#parts.clock.monotonic());
    return { jobs: Math.ceil(this.#crowd / MAX_SYNCS), ms, apart };
  }

  /** How long a commit takes at present, in milliseconds. */
  get pace(): number {
    return Math.max(this.#latest, this.age);
  }

  /** Resolves when every commit is on the disk, or lost. */
  async arrived(): Promise<void> {
    await Promise.all(this.#syncs);
  }

  /** The database calls this before a commit that changes something. */
  prepare(): void {
    this.#parts.reader.holdAt(this.#newest, this.#newest === this.#durable);
  }

  /** The database calls this when a commit has failed. */
  abandon(): void {
    this.#parts.reader.show(this.#durable, this.#newest);
  }

  /**
   * Takes a commit that has been made.
   * @param changed whether it has changed anything. Otherwise it waits for the commits whose rows it may have read.
   */
  add({ changed, ...commit }: Omit<Commit, 'number' | 'at'> & { changed: boolean }): void {
    if (changed) this.#newest += 1;
    const at = this.#parts.clock.monotonic();
    this.#waiting.push({ number: this.#newest, at, ...commit });
    if (changed) {
      this.#begunAt = at;
      this.#sync(this.#newest);
    } else this.#acknowledge();
  }

  async close(): Promise<void> {
    await this.arrived();
    await this.#parts.log.close();
  }

  /** Brings the commits up to this one to the disk. */
  #sync(number: number): void {
    const sync: Promise<void> = this.#parts.log
      .sync()
      .then(() => this.#hasArrived(number))
      .catch((error: unknown) => this.#lose(error))
      .finally(() => this.#syncs.delete(sync));
    this.#syncs.add(sync);
  }

  #hasArrived(number: number): void {
    // A later sync took this commit with it, or another one failed: the system tells of lost pages only once.
    if (number <= this.#durable || this.#isLost) return;
    this.#durable = number;
    this.#latest = this.age;
    this.#crowd = this.#waiting.reduce((sum, { answers }) => sum + answers.length, this.#parts.queued());
    this.#parts.reader.show(number, this.#newest);
    this.#acknowledge();
  }

  #lose(error: unknown): void {
    this.#isLost = true;
    this.#parts.onLost(error);
    for (const { refuse } of this.#waiting.splice(0)) refuse();
  }

  /** Answers the callers of the commits on the disk. */
  #acknowledge(): void {
    for (let [oldest] = this.#waiting; oldest !== undefined && oldest.number <= this.#durable; [oldest] = this.#waiting) {
      this.#waiting.shift();
      const { answers } = oldest;
      for (const answer of answers) answer();
      this.#parts.onAcknowledged();
    }
  }
}
