import { storageWords } from '../../../../src-shared/words/storage.ts';
import type { Clock } from '../../clock.ts';
import { DatabaseBusy, type Tx } from '../database.ts';

/** How long a job that may be refused waits at most until it begins, in milliseconds (decisions.md#D-81). */
export const MOST_WAIT_MS = 2_000;

/** A write job that waits for its turn. */
export interface Waiting {
  job: (tx: Tx) => Promise<unknown>;
  /** The caller's context; see `withJobContext`. */
  context: object | undefined;
  /** Whether the job may be refused; see `asRefusable`. */
  isRefusable: boolean;
  /** What the job names; see `Database.write`. */
  touches?: readonly string[] | undefined;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** A job that has been in the queue. */
export interface Queued extends Waiting {
  /** The time since which the job waits, by the monotonic clock. */
  since: number;
}

/**
 * The write jobs that wait for their turn. Those that nobody may refuse come first: payments under way, and what the
 * operator does. The others are refused when they have waited for {@link MOST_WAIT_MS}; nothing of them has begun then.
 */
export class WriteQueue {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #first: Queued[] = [];
  readonly #refusable: Queued[] = [];
  #alarm: NodeJS.Timeout | undefined;
  /** Looks whether enough jobs have been gathered. */
  #look: (() => void) | undefined;
  #hurries = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get length(): number {
    return this.#first.length + this.#refusable.length;
  }

  /** The time that the oldest job has been waiting, in milliseconds. */
  get age(): number {
    if (this.length === 0) return 0;
    const since = (queued: Queued | undefined): number => queued?.since ?? Number.POSITIVE_INFINITY;
    return this.#clock.monotonic() - Math.min(since(this.#first[0]), since(this.#refusable[0]));
  }

  add(waiting: Waiting): void {
    const queued = { ...waiting, since: this.#clock.monotonic() };
    if (!waiting.isRefusable) this.#first.push(queued);
    else {
      this.#refusable.push(queued);
      this.#watch();
    }
    this.#look?.();
  }

  /**
   * Resolves when so many jobs wait and `apart` milliseconds have passed, or after `ms` milliseconds. To be called by
   * one at a time.
   */
  async gather({ jobs, ms, apart }: { jobs: number; ms: number; apart: number }): Promise<void> {
    let isApart = apart === 0;
    const areEnough = (): boolean => this.#hurries || (isApart && this.length >= jobs);
    if (areEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#look = () => {
      if (areEnough()) resolve();
    };
    const timers = [setTimeout(resolve, ms)];
    if (apart > 0)
      timers.push(
        setTimeout(() => {
          isApart = true;
          this.#look?.();
        }, apart),
      );
    await promise;
    for (const timer of timers) clearTimeout(timer);
  }

  /** From now on nothing is gathered, and whoever gathers goes on. */
  hurry(): void {
    this.#hurries = true;
    this.#look?.();
  }

  /** The next jobs, at most so many. */
  take(most: number): Queued[] {
    this.#refuseLate();
    const first = this.#first.splice(0, most);
    return [...first, ...this.#refusable.splice(0, most - first.length)];
  }

  /** Puts jobs of which nothing is stored back to where they were. They have waited since they first came. */
  putBack(jobs: readonly Queued[]): void {
    this.#first.unshift(...jobs.filter(({ isRefusable }) => !isRefusable));
    this.#refusable.unshift(...jobs.filter(({ isRefusable }) => isRefusable));
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    this.#watch();
  }

  /** Also refuses while no job can begin. */
  #watch(): void {
    const [oldest] = this.#refusable;
    if (oldest === undefined || this.#alarm !== undefined) return;
    const ring = (): void => {
      this.#alarm = undefined;
      this.#refuseLate();
      this.#watch();
    };
    this.#alarm = setTimeout(ring, oldest.since + MOST_WAIT_MS - this.#clock.monotonic()).unref();
  }

  #refuseLate(): void {
    const latest = this.#clock.monotonic() - MOST_WAIT_MS;
    const late = this.#refusable.findIndex(({ since }) => since > latest);
    for (const { reject } of this.#refusable.splice(0, late < 0 ? this.#refusable.length : late))
      reject(new DatabaseBusy(storageWords.busy));
  }
}
