import type { Queued } from '../commits/write-queue.ts';
import type { Tx } from '../database.ts';
import { setJobContext } from '../job-context.ts';
import { builder, type Execute } from '../query-builder/builder.ts';

/** Sends one statement. @returns its rows. */
type Send = (sql: string, params: unknown[]) => Promise<unknown[][]>;

/** Tests only: decides when a statement of a job is sent. */
export interface Interleaver {
  /** Calls `send` when the statement's time has come. @param place that of its job in the batch. */
  pass(place: number, send: () => Promise<unknown[][]>, sql: string, params: readonly unknown[]): Promise<unknown[][]>;
}

/** The way of a run's statements to the server. */
export interface Way {
  send: Send;
  interleaver?: Interleaver | undefined;
}

/** The outcome of a job: its value, or why it failed. */
export type Outcome = { value: unknown } | { error: unknown };

/** The transaction of a write job. It serves one job after the other, so that the queries prepared for it stay. */
export class JobTx {
  readonly tx: Tx;
  #run: JobRun | undefined;

  constructor() {
    const execute: Execute = async (sql, params, method) => {
      if (this.#run === undefined) throw new Error('a write job used its transaction after it had ended');
      return await this.#run.execute(sql, params, method);
    };
    this.tx = builder(execute);
  }

  /** Runs a job. @param place its place in the batch. */
  start(waiting: Queued, way: Way, place: number): JobRun {
    setJobContext(this.tx, waiting.context);
    const run = new JobRun(way, place);
    this.#run = run;
    run.start(
      () => waiting.job(this.tx),
      () => {
        this.#run = undefined;
      },
    );
    return run;
  }
}

/** The error of a job that awaits something other than its transaction. It is a mistake in the code. */
export class ForeignAwait extends Error {}

/** Whether a statement of the query builder only reads. */
export const isRead = (sql: string): boolean => /^\s*\(?\s*select\b/i.test(sql);

/** One run of a job. */
export class JobRun {
  /** The first of its statements that failed. It dooms the job, even when the job has caught the error. */
  failure: unknown;
  /** Whether it has sent a statement that may change something. */
  hasWritten = false;
  /** Resolves when the job has sent all its statements, so that the next job may send its own. It never fails. */
  readonly spoken: Promise<void>;
  /** Resolves when the job and all its statements have ended. It never fails. */
  readonly outcome: Promise<Outcome>;
  readonly #way: Way;
  readonly #place: number;
  readonly #open = new Set<Promise<unknown>>();
  readonly #foreign = Promise.withResolvers<never>();
  readonly #returned = Promise.withResolvers<Outcome>();
  #isOver = false;

  constructor(way: Way, place: number) {
    this.#way = way;
    this.#place = place;
    // An interleaver holds statements back, so a job has spoken when they are answered.
    this.spoken = this.#returned.promise.then(() => (way.interleaver === undefined ? undefined : this.#settled()));
    this.outcome = this.#returned.promise.then(async (outcome) => {
      await this.#settled();
      return this.failure === undefined ? outcome : { error: this.failure };
    });
    this.#foreign.promise.catch(() => undefined);
  }

  start(job: () => Promise<unknown>, ended: () => void): void {
    this.#watch();
    void Promise.race([call(job), this.#foreign.promise])
      .then(
        (value): Outcome => ({ value }),
        (error: unknown): Outcome => ({ error }),
      )
      .then((outcome) => {
        this.#isOver = true;
        ended();
        this.#returned.resolve(outcome);
      });
  }

  /**
   * Sends a statement. The job does not wait for one whose rows nobody asks for. If such a statement fails, the job is
   * doomed and learns of it at its end.
   */
  readonly execute: Execute = async (sql, params, method) => {
    if (!isRead(sql)) this.hasWritten = true;
    const answer = this.#sent(sql, params);
    if (method === 'run') return { rows: [] };
    const rows = await answer;
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
  };

  #sent(sql: string, params: unknown[]): Promise<unknown[][]> {
    const { send, interleaver } = this.#way;
    const now = () => send(sql, params);
    const answer = interleaver === undefined ? now() : interleaver.pass(this.#place, now, sql, params);
    const closed = answer
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .then(() => {
        this.#open.delete(closed);
        this.#watch();
      });
    this.#open.add(closed);
    return answer;
  }

  async #settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  /**
   * Watches the job. A job without a statement under way needs only microtasks to end or to send the next one. After a
   * turn of the event loop it waits for something else.
   */
  #watch(): void {
    if (this.#open.size > 0 || this.#isOver) return;
    setImmediate(() => {
      if (this.#open.size > 0 || this.#isOver) return;
      this.#foreign.reject(new ForeignAwait('a write job awaited something other than the database'));
    });
  }
}

/** Calls a job. One that throws before it returns a promise fails as any other. */
async function call(job: () => Promise<unknown>): Promise<unknown> {
  return await job();
}
