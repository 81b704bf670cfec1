import type { Queued } from '../commits/write-queue.ts';
import { isAfterFailure, isDamageAtServer, isServerTrouble, mayPass } from './errors.ts';
import { ForeignAwait, type Interleaver, JobTx, type Way } from './job-run.ts';
import type { Session } from './session.ts';
import { type Ran, sideBySide } from './side-by-side.ts';

/** Each job gets a savepoint after this many runs of a batch in which yet another job fails. */
const MOST_ROUNDS = 4;

interface Parts {
  session: Session;
  slots: Slots;
  interleaver?: Interleaver | undefined;
}

/** Runs jobs in the transaction of a turn. */
export class Batch {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs the jobs side by side. When one fails, nothing of them may be stored.
   * @throws what is no fault of a job; see {@link isTrouble}.
   */
  async together(jobs: readonly Queued[], interleaver = this.#parts.interleaver): Promise<Ran[]> {
    const way: Way = { send: (sql, params) => this.#parts.session.execute(sql, params), interleaver };
    const ran = await sideBySide(jobs, (waiting, place) => this.#parts.slots.at(place).start(waiting, way, place));
    for (const { outcome } of ran) this.#throwTrouble(outcome);
    return ran;
  }

  /**
   * Runs the jobs one after the other, each with a savepoint, so that only the job that fails is undone.
   * @throws what is no fault of a job; see {@link isTrouble}.
   */
  async apart(jobs: readonly Queued[]): Promise<Ran[]> {
    const way: Way = { send: (sql, params) => this.#parts.session.execute(sql, params) };
    const ran: Ran[] = [];
    for (const waiting of jobs) {
      const saved = this.#unwatched('savepoint job');
      const run = this.#parts.slots.at(0).start(waiting, way, 0);
      const outcome = await run.outcome;
      this.#throwTrouble(outcome);
      await saved;
      if ('error' in outcome) await this.#parts.session.send('rollback to savepoint job');
      void this.#unwatched('release savepoint job');
      ran.push({ waiting, outcome, hasWritten: run.hasWritten });
    }
    return ran;
  }

  /** Runs `work` and undoes what it has changed. */
  async undone<T>(work: () => Promise<T>): Promise<T> {
    void this.#unwatched('savepoint trial');
    try {
      return await work();
    } finally {
      if (this.#parts.session.lost === undefined) await this.#parts.session.send('rollback to savepoint trial; release savepoint trial');
    }
  }

  /** Sends a statement whose failure shows at the next one. */
  #unwatched(sql: string): Promise<unknown> {
    return this.#parts.session.send(sql).catch(() => undefined);
  }

  #throwTrouble(outcome: Ran['outcome']): void {
    if (this.#parts.session.lost !== undefined) throw this.#parts.session.lost;
    if ('error' in outcome && isTrouble(outcome.error)) throw outcome.error;
  }
}

/**
 * Tells whether an error means that the whole batch cannot be stored now, rather than that its job was refused. A page
 * that nobody can read concerns the jobs that need it, and not those that record the damage.
 */
const isTrouble = (error: unknown): boolean =>
  error instanceof ForeignAwait || mayPass(error) || (isServerTrouble(error) && !isDamageAtServer(error));

/** The transactions that jobs of a batch work with, one for each place in the batch. */
export class Slots {
  readonly #slots: JobTx[] = [];

  at(place: number): JobTx {
    this.#slots[place] ??= new JobTx();
    return this.#slots[place];
  }
}

/**
 * Runs a batch until what is in the transaction may be committed. All jobs run side by side at first. When some fail,
 * everything is undone, the others run again together, and those that failed run at the end with a savepoint each. So a
 * job that is refused costs the others one more run, and not one wait for each of its statements.
 * @param anew undoes the transaction and begins the next one.
 * @returns how each job went. When none has succeeded, nothing may be committed.
 */
export async function runBatch(jobs: readonly Queued[], batch: Batch, anew: () => Promise<void>): Promise<Ran[]> {
  const aside = new Set<Queued>();
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const ran = await batch.together(jobs.filter((waiting) => !aside.has(waiting)));
    const failed = ran.filter(({ outcome }) => 'error' in outcome);
    if (failed.length === 0) return [...ran, ...(await batch.apart([...aside]))];
    if (jobs.length === 1) return ran;
    // Once a statement has failed, every other of the transaction does, for no fault of its job.
    const own = failed.filter(({ outcome }) => 'error' in outcome && !isAfterFailure(outcome.error));
    for (const { waiting } of own) aside.add(waiting);
    await anew();
    if (own.length === 0) break;
  }
  return await batch.apart(jobs);
}
