import { setTimeout as pause } from 'node:timers/promises';
import { storageWords } from '../../../../src-shared/words/storage.ts';
import type { Clock } from '../../clock.ts';
import { failPoint } from '../../fail-points.ts';
import { MOST_WAIT_MS, type Queued, type Waiting, WriteQueue } from '../commits/write-queue.ts';
import { BooksWentBack, DatabaseStopped, NotStored, OutcomeUnknown } from '../database.ts';
import { Batch, runBatch, Slots } from './batch.ts';
import { ConnectionLost, isDamageAtServer, isServerTrouble, mayPass, sqlState } from './errors.ts';
import { ForeignAwait, type Interleaver } from './job-run.ts';
import type { Rehearsal, Times } from './options.ts';
import type { Session } from './session.ts';
import type { Ran } from './side-by-side.ts';
import type { Turn, Turns } from './turns.ts';

/** The most jobs that share a turn. */
const MAX_BATCH = 64;
/** The longest wait of a job while more jobs wait than one turn takes, in milliseconds. */
const CROWDED_WAIT_MS = 500;
/** The longest pause between two tries to get a turn, in milliseconds. */
const LONGEST_PAUSE_MS = 1_000;
/** The SQLSTATE of a statement that the server ended because it took too long, or that somebody ended. */
const CANCELLED = '57014';

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  /** Makes a session that writes. */
  dial: () => Session;
  turns: Turns;
  times: Pick<Times, 'giveUp'>;
  rehearsal: Rehearsal | undefined;
  interleaver: Interleaver | undefined;
  /** The writer calls it after it has answered the callers of a commit. */
  onCommitted: () => void;
  onStopped: (reason: Error) => void;
}

/** The turn did not come: another process has it for longer than a statement may take. */
class NoTurn extends Error {}

/**
 * Writes in turns: the jobs that wait share a transaction, and only one transaction in the whole cluster writes at a
 * time. A turn that fails stores nothing, so its jobs run again in another one. The next turn finds out about a commit
 * whose answer was lost.
 */
export class Writer {
  /** Commits and jobs since the start. */
  readonly stats = { commits: 0, jobs: 0 };
  stopped: Error | undefined;
  readonly #parts: Parts;
  readonly #queue: WriteQueue;
  readonly #slots = new Slots();
  #session: Session | undefined;
  #draining: Promise<void> | undefined;
  /** The jobs of the commit whose answer was lost. */
  #doubtful: readonly Ran[] | undefined;
  /**
   * The jobs of such a commit that has happened. The writer acknowledges them after the next commit: a server that
   * crashed may show a commit that its standby does not have yet, and the standby takes commits in their order.
   */
  #found: readonly Ran[] | undefined;
  #lastRefusal: NotStored | undefined;
  #isClosing = false;
  /** The time since which no turn succeeds, by the monotonic clock, and how many have failed. */
  #failing: { since: number; tries: number } | undefined;
  /** The time at which the present turn was asked for, and how long the latest took. */
  #askedAt: number | undefined;
  #latest = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#queue = new WriteQueue(parts.clock);
  }

  get notStored(): Error | undefined {
    return this.stopped ?? this.#lastRefusal;
  }

  get isBusy(): boolean {
    const batches = Math.floor(this.#queue.length / MAX_BATCH);
    const age = this.#askedAt === undefined ? 0 : this.#parts.clock.monotonic() - this.#askedAt;
    const wait = Math.max(this.#queue.age, age, Math.max(this.#latest, age) * batches);
    return wait >= (batches > 0 ? CROWDED_WAIT_MS : MOST_WAIT_MS);
  }

  /** The time for which no turn has ended though one is wanted, in milliseconds. It is 0 while none is wanted. */
  get turnless(): number {
    const since = this.#failing?.since ?? this.#askedAt;
    return since === undefined ? 0 : this.#parts.clock.monotonic() - since;
  }

  add(waiting: Waiting): void {
    this.#queue.add(waiting);
    this.#draining ??= this.#drain();
  }

  /** Ends when all that waits is stored or refused. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#draining;
    this.stopped ??= new DatabaseStopped(storageWords.closed);
    await this.#session?.end();
  }

  /** Takes no more writes. */
  stop(reason: Error): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.#parts.onStopped(reason);
  }

  async #drain(): Promise<void> {
    // After one turn of the event loop, every request that has already arrived has joined the first batch.
    await nextTurn();
    while (this.#queue.length > 0 || this.#hasUnanswered) {
      if (this.stopped === undefined) await this.#turn();
      if (this.stopped !== undefined) this.#refuseAll(this.stopped);
      await nextTurn();
    }
    this.#draining = undefined;
  }

  /** Takes one turn. It never fails: a job that could not be stored is refused, or waits for another turn. */
  async #turn(): Promise<void> {
    let jobs: Queued[] = [];
    let session: Session | undefined;
    try {
      this.#askedAt ??= this.#parts.clock.monotonic();
      session = await this.#connected();
      const turn = await this.#take(session);
      // Who came while the turn was waited for comes along.
      jobs = this.#queue.take(MAX_BATCH);
      await this.#store(session, turn, jobs);
      this.#latest = this.#parts.clock.monotonic() - this.#askedAt;
      this.#failing = undefined;
    } catch (error) {
      if (session?.lost === undefined) await session?.send('rollback').catch(() => undefined);
      await this.#hasFailed(error, jobs);
    } finally {
      this.#askedAt = undefined;
    }
  }

  /** Whether somebody still waits for the outcome of a commit whose answer was lost. */
  get #hasUnanswered(): boolean {
    return this.#doubtful !== undefined || this.#found !== undefined;
  }

  async #connected(): Promise<Session> {
    if (this.#session?.isSpent === true) {
      void this.#session.end();
      this.#session = undefined;
    }
    this.#session ??= this.#parts.dial();
    await this.#session.opened();
    return this.#session;
  }

  async #take(session: Session): Promise<Turn> {
    const turn = await this.#parts.turns.take(session).catch((error: unknown) => {
      throw sqlState(error) === CANCELLED ? new NoTurn('the turn did not come', { cause: error }) : error;
    });
    const doubtful = this.#doubtful;
    this.#doubtful = undefined;
    if (doubtful === undefined) return turn;
    if (turn.doubtfulHappened === true) this.#found = [...(this.#found ?? []), ...doubtful];
    else this.#queue.putBack(doubtful.map(({ waiting }) => waiting));
    return turn;
  }

  async #store(session: Session, first: Turn, jobs: readonly Queued[]): Promise<void> {
    let turn = first;
    const { rehearsal, interleaver } = this.#parts;
    const batch = new Batch({ session, slots: this.#slots, interleaver });
    if (rehearsal !== undefined) await rehearsal(jobs, batch, session);
    const ran = await runBatch(jobs, batch, async () => {
      await session.send('rollback');
      turn = await this.#take(session);
    });
    // Nothing has changed, so there is nothing to bring to the disk, and the count of turns stays.
    if (this.#found === undefined && !ran.some(({ outcome, hasWritten }) => hasWritten && 'value' in outcome)) {
      await session.send('rollback');
      for (const one of ran) answer(one);
      return;
    }
    failPoint('before-commit');
    await this.#commit(session, turn, ran);
  }

  async #commit(session: Session, turn: Turn, ran: readonly Ran[]): Promise<void> {
    try {
      const command = await session.send('commit');
      if (command !== 'COMMIT') throw new Error('the transaction was undone at its commit');
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.#parts.turns.mayHaveCommitted(turn);
        this.#doubtful = ran;
      }
      throw error;
    }
    failPoint('after-commit');
    this.#parts.turns.hasCommitted(turn);
    const found = this.#found;
    this.#found = undefined;
    if (found !== undefined) this.#acknowledge(found);
    this.#acknowledge(ran);
  }

  #acknowledge(ran: readonly Ran[]): void {
    this.#lastRefusal = undefined;
    this.stats.commits += 1;
    this.stats.jobs += ran.length;
    for (const one of ran) answer(one);
    this.#parts.onCommitted();
  }

  /** @param jobs the jobs of the turn, of which nothing is stored unless their commit is doubtful. */
  async #hasFailed(error: unknown, jobs: readonly Queued[]): Promise<void> {
    const isOver = error instanceof BooksWentBack || error instanceof ForeignAwait;
    const again = error instanceof ConnectionLost || error instanceof NoTurn || mayPass(error);
    if ((isOver || again) && this.#doubtful === undefined) this.#queue.putBack(jobs);
    if (error instanceof BooksWentBack) this.stop(error);
    else if (isOver) this.stop(new DatabaseStopped(storageWords.stopped, { cause: error }));
    else if (isServerTrouble(error)) {
      this.#refuse([...jobs, ...this.#queue.take(Number.POSITIVE_INFINITY)], error);
      // The jobs of a lost commit cannot be refused with the others. They wait for the turn that finds out.
      if (this.#hasUnanswered) await this.#wait(error);
    } else if (again || jobs.length === 0) await this.#wait(error);
    else this.#refuse(jobs, error);
  }

  /** Waits before the next try, or refuses all that waits when it has waited too long. */
  async #wait(error: unknown): Promise<void> {
    const now = this.#parts.clock.monotonic();
    this.#failing ??= { since: now, tries: 0 };
    this.#failing.tries += 1;
    // After a refusal for that reason nobody waits any more, until a turn succeeds.
    if (this.#isClosing || now - this.#failing.since >= this.#parts.times.giveUp) this.#refuseAll(this.#refusal(error));
    else if (this.#failing.tries > 1) await pause(Math.min(LONGEST_PAUSE_MS, 10 * 2 ** this.#failing.tries));
  }

  #refuse(jobs: readonly Queued[], cause: unknown): void {
    const refusal = this.#refusal(cause);
    for (const { reject } of jobs) reject(refusal);
  }

  #refusal(cause: unknown): NotStored {
    this.#lastRefusal = new NotStored(wordsFor(cause), { cause });
    return this.#lastRefusal;
  }

  #refuseAll(reason: Error): void {
    for (const { reject } of this.#queue.take(Number.POSITIVE_INFINITY)) reject(reason);
    const unknown = new OutcomeUnknown(storageWords.unknown, { cause: reason });
    for (const { waiting } of [...(this.#doubtful ?? []), ...(this.#found ?? [])]) waiting.reject(unknown);
    this.#doubtful = undefined;
    this.#found = undefined;
  }
}

function wordsFor(cause: unknown): string {
  if (isDamageAtServer(cause)) return storageWords.damagedAtServer;
  return isServerTrouble(cause) ? storageWords.notStored : storageWords.unreachable;
}

function answer({ waiting, outcome }: Ran): void {
  if ('error' in outcome) waiting.reject(outcome.error);
  else waiting.resolve(outcome.value);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
