import { setTimeout as pause } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { storageWords } from '../../../src-shared/words/storage.ts';
import { systemClock } from '../clock.ts';
import { failPoint } from '../fail-points.ts';
import { Checkpoints } from './commits/checkpoints.ts';
import { CommitsUnderWay, MAX_SYNCS } from './commits/commits-under-way.ts';
import { DurableReader } from './commits/durable-reader.ts';
import { LogSync } from './commits/log-sync.ts';
import { MOST_WAIT_MS, type Waiting, WriteQueue } from './commits/write-queue.ts';
import { connect, executeOn } from './connection.ts';
import { type Database, DatabaseBusy, DatabaseHeld, DatabaseStopped, NotStored, type Reader, type Tx } from './database.ts';
import { currentJobContext, isRefusable, setJobContext, withoutJobContext } from './job-context.ts';
import { builder, type Execute } from './query-builder/builder.ts';
import { giveBackPages, usedBytes } from './space.ts';
import { isDamage, isDiskTrouble, isHeld } from './sqlite-errors.ts';
import { ReadThread } from './threads/read-thread.ts';

/** The most write jobs that share one commit: enough to amortise the fsync, few enough to keep the event loop free. */
const MAX_BATCH = 64;
/** A write waits for this long while another program holds the database, and tries this often. In milliseconds. */
const HELD_MS = 1_000;
const HELD_STEP_MS = 25;
/**
 * The longest wait of a job while more jobs wait than one commit takes, in milliseconds. With the commit itself,
 * everybody has an answer within a second.
 */
const CROWDED_WAIT_MS = 500;

export interface SqliteOptions {
  /**
   * Tests only: the database runs every job twice, and undoes its first run. It does the same with the jobs of a batch
   * in which one job fails.
   */
  rehearse?: boolean;
  /**
   * The built thread for long reads and, once more, for checkpoints. Without it this thread makes long reads, and
   * SQLite moves its log inside commits, so that the node waits for the disk.
   */
  readWorker?: string;
  /** The database calls it once when it stops taking writes. */
  onStopped?: (reason: Error) => void;
  /** The database calls it with each error that means that nobody can read the file. */
  onDamaged?: (error: unknown) => void;
  /** Brings the log to the disk. Tests give another one. */
  logSync?: Pick<LogSync, 'sync' | 'close'>;
}

/**
 * SQLite in this process, with one connection that writes, two that read, and one for long reads in a thread of its
 * own. Write jobs wait in a queue and share one transaction, and therefore one fsync. The system syncs in a thread of
 * its own, so a slow disk keeps only those waiting who write (decisions.md#D-78).
 */
export class SqliteDatabase implements Database {
  readonly read: Reader;
  readonly readAside: Reader;
  /** Makes a look of several statements. A later statement shows what was committed since the first. */
  readonly readAtOnce: Database['readAtOnce'] = (look) => look(this.read, this.readAside);
  /** Commits and jobs since the start. More jobs than commits show how much sharing commits saves. */
  readonly stats = { commits: 0, jobs: 0 };
  stopped: Error | undefined;

  readonly #writer: Sqlite.Database;
  readonly #readThread: ReadThread | undefined;
  readonly #reader: DurableReader;
  readonly #commits: CommitsUnderWay;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #tx: Tx;
  readonly #options: SqliteOptions;
  readonly #listeners = new Set<() => void>();
  readonly #control: Record<'begin' | 'commit' | 'rollback' | 'save' | 'release' | 'undo' | 'changes', Sqlite.Statement>;
  readonly #waiting = new WriteQueue(systemClock);
  #draining: Promise<void> | undefined;
  #inJob = false;
  #failure: unknown;
  #lastRefusal: NotStored | undefined;
  /** The number of rows that were changed up to the last commit. */
  #changes = 0;

  constructor(file: string, options: SqliteOptions = {}) {
    this.#options = options;
    this.#writer = connect(file);
    this.#writer.pragma('foreign_keys = ON');
    this.#writer.pragma('synchronous = NORMAL');
    this.#reader = new DurableReader(connect(file, 'reading'), connect(file, 'reading'));
    this.#commits = new CommitsUnderWay({
      clock: systemClock,
      reader: this.#reader,
      log: options.logSync ?? new LogSync(file),
      queued: () => this.#waiting.length,
      onAcknowledged: () => {
        for (const listener of this.#listeners) listener();
      },
      onLost: (error) => this.#stop(error),
    });
    const run = executeOn(this.#writer);
    this.#tx = builder(async (sql, params, method) => {
      if (!this.#inJob) throw new Error('a write job used its transaction after it had ended');
      try {
        return await run(sql, params, method);
      } catch (error) {
        this.#failure ??= error;
        throw error;
      }
    });
    this.read = builder(this.#watched(this.#reader.execute));
    const startThread = () => (options.readWorker === undefined ? undefined : new ReadThread(options.readWorker, file));
    this.#readThread = startThread();
    const checkpointThread = startThread();
    this.#checkpoints = checkpointThread && this.#checkpointsBy(checkpointThread);
    this.readAside = this.#readThread === undefined ? this.read : builder(this.#watched(this.#durably(this.#readThread.execute)));
    this.#control = {
      begin: this.#writer.prepare('BEGIN IMMEDIATE'),
      commit: this.#writer.prepare('COMMIT'),
      rollback: this.#writer.prepare('ROLLBACK'),
      save: this.#writer.prepare('SAVEPOINT job'),
      release: this.#writer.prepare('RELEASE job'),
      undo: this.#writer.prepare('ROLLBACK TO job'),
      changes: this.#writer.prepare('SELECT total_changes()').pluck(),
    };
  }

  /** Tells when a read meets a page that nobody can read. */
  #watched(execute: Execute): Execute {
    return async (sql, params, method) => {
      try {
        return await execute(sql, params, method);
      } catch (error) {
        if (isDamage(error)) this.#options.onDamaged?.(error);
        throw error;
      }
    };
  }

  /** The writer's connection, for migrations, backups and tests. Everything else writes rows through {@link write}. */
  get connection(): Sqlite.Database {
    return this.#writer;
  }

  get notStored(): Error | undefined {
    return this.stopped ?? this.#lastRefusal;
  }

  get isBusy(): boolean {
    const batches = Math.floor(this.#waiting.length / MAX_BATCH);
    const wait = Math.max(this.#waiting.age, this.#commits.age, (this.#commits.pace * batches) / MAX_SYNCS);
    return wait >= (batches > 0 ? CROWDED_WAIT_MS : MOST_WAIT_MS);
  }

  write<T>(job: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.stopped) return Promise.reject(this.stopped);
    const refusable = isRefusable();
    if (refusable && this.isBusy) return Promise.reject(new DatabaseBusy(storageWords.busy));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add({
        ...{ job, context: currentJobContext(), isRefusable: refusable },
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#draining ??= withoutJobContext(() => this.#drain());
    });
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async giveBack(): Promise<boolean> {
    // A batch ends in the turn in which it begins, so no transaction is open in a turn of its own.
    await nextTurn();
    if (this.stopped || this.#writer.inTransaction) return false;
    try {
      return giveBackPages(this.#writer);
    } catch (error) {
      this.#refused(error);
      return false;
    }
  }

  async isLogHeld(): Promise<boolean> {
    return (await this.#checkpoints?.isLogHeld()) ?? false;
  }

  async rest(): Promise<void> {
    for (const connection of [this.#writer, ...this.#reader.connections]) connection.pragma('shrink_memory');
    await this.#readThread?.rest();
    await this.#checkpoints?.rest();
  }

  async usedBytes(): Promise<number> {
    return usedBytes(this.#reader.connection);
  }

  async close(): Promise<void> {
    this.#waiting.hurry();
    await this.#draining;
    await this.#commits.close();
    await this.#checkpoints?.close();
    this.stopped ??= new DatabaseStopped(storageWords.closed);
    await this.#readThread?.stop();
    this.#writer.close();
    this.#reader.close();
  }

  /** Holds the answers of reads back that may see a commit on its way to the disk, until it has arrived there. */
  #durably(execute: Execute): Execute {
    return async (...query) => {
      const found = await execute(...query);
      await this.#commits.arrived();
      return found;
    };
  }

  #checkpointsBy(thread: ReadThread): Checkpoints {
    this.#writer.pragma('wal_autocheckpoint = 0');
    return new Checkpoints({ thread, clock: systemClock, onEnded: () => this.#writer.pragma('wal_autocheckpoint = 1000') });
  }

  async #drain(): Promise<void> {
    // After one turn of the event loop, every request that has already arrived has joined the first batch.
    await nextTurn();
    while (this.#waiting.length > 0) {
      await this.#commits.room();
      await this.#waiting.gather(this.#commits.gathering);
      if (this.#checkpoints?.isLogTooLong) {
        await this.#commits.arrived();
        await this.#checkpoints.beginAnew();
      }
      const batch = this.#waiting.take(MAX_BATCH);
      if (batch.length > 0) await this.#runBatch(batch);
      if (this.#waiting.length > 0) await nextTurn();
    }
    this.#draining = undefined;
  }

  async #runBatch(batch: Waiting[]): Promise<void> {
    let answers: (() => void)[];
    let changed: boolean;
    try {
      if (this.#options.rehearse) await this.#rehearse(batch);
      // A savepoint copies every page that its job changes. Jobs hardly ever fail, so the batch first runs without
      // savepoints.
      answers = (await this.#inTransaction(() => this.#runTogether(batch))) ?? (await this.#inTransaction(() => this.#runApart(batch)));
      changed = this.#commit();
    } catch (error) {
      // Nothing of the batch is durable, so none of its jobs may be acknowledged.
      this.#rollback();
      this.#commits.abandon();
      const reason = this.#refused(error);
      for (const waiting of batch) waiting.reject(reason);
      return;
    }
    this.stats.commits += 1;
    this.stats.jobs += batch.length;
    const refuse = () => {
      for (const waiting of batch) waiting.reject(this.stopped);
    };
    this.#commits.add({ changed, answers, refuse });
    this.#checkpoints?.commitWasMade();
  }

  /** Ends the transaction that has begun. @returns whether it has changed anything. */
  #commit(): boolean {
    failPoint('before-commit');
    const changes = Number(this.#control.changes.get());
    const changed = changes !== this.#changes;
    this.#changes = changes;
    if (changed) this.#commits.prepare();
    this.#control.commit.run();
    failPoint('after-commit');
    if (this.#lastRefusal !== undefined) this.#tryDisk();
    return changed;
  }

  /** @returns the error for the callers whose writes were not stored. */
  #refused(error: unknown): Error {
    if (isDiskTrouble(error)) this.#stop(error);
    this.#lastRefusal = isHeld(error)
      ? new DatabaseHeld(storageWords.held, { cause: error })
      : new NotStored(storageWords.notStored, { cause: error });
    return this.stopped ?? this.#lastRefusal;
  }

  /**
   * Finds out whether the disk has room again. A commit that changes nothing, such as a look for work that finds none,
   * succeeds on a full disk too, so this transaction writes something.
   */
  #tryDisk(): void {
    try {
      this.#control.begin.run();
      this.#writer.exec('CREATE TABLE room (x); INSERT INTO room VALUES (zeroblob(65536)); DROP TABLE room');
      this.#control.commit.run();
      this.#lastRefusal = undefined;
    } catch (error) {
      this.#rollback();
      this.#refused(error);
    }
  }

  async #rehearse(batch: Waiting[]): Promise<void> {
    await this.#inTransaction(() => this.#runApart(batch)).catch(() => undefined);
    this.#rollback();
  }

  /**
   * Runs the jobs in the transaction that has begun.
   * @returns functions that answer the callers, to be called after the commit. It returns undefined when a job failed;
   * all jobs are undone then.
   */
  async #runTogether(batch: Waiting[]): Promise<(() => void)[] | undefined> {
    const answers: (() => void)[] = [];
    for (const waiting of batch) {
      try {
        const value = await this.#runJob(waiting);
        answers.push(() => waiting.resolve(value));
      } catch (error) {
        if (this.stopped || isDiskTrouble(error)) throw error;
        this.#rollback();
        return undefined;
      }
    }
    return answers;
  }

  /**
   * Does the same as {@link #runTogether}, with a savepoint for each job, so that only the job that fails is undone.
   * @throws when the whole batch is lost.
   */
  async #runApart(batch: Waiting[]): Promise<(() => void)[]> {
    const answers: (() => void)[] = [];
    for (const waiting of batch) {
      this.#control.save.run();
      try {
        const value = await this.#runJob(waiting);
        answers.push(() => waiting.resolve(value));
      } catch (error) {
        // When the disk is full, SQLite ends the whole transaction at the failed statement. The jobs before it are
        // undone too. A stop ends the transaction as well.
        if (!this.#writer.inTransaction || isDiskTrouble(error)) throw error;
        this.#control.undo.run();
        answers.push(() => waiting.reject(error));
      }
      this.#control.release.run();
    }
    return answers;
  }

  async #runJob({ job, context }: Waiting): Promise<unknown> {
    setJobContext(this.#tx, context);
    this.#failure = undefined;
    const value = await job(this.#tx);
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#writer.inTransaction) throw new Error('the transaction ended inside a job');
    return value;
  }

  async #inTransaction<T>(run: () => Promise<T>): Promise<T> {
    await this.#begin();
    return await this.#inTime(run);
  }

  /**
   * Begins a transaction. While another program holds the database it tries again, and the node does everything else
   * meanwhile. After a refusal for that reason nobody waits any more, until a transaction can begin.
   * @throws when the database has stopped, also while this waited.
   */
  async #begin(): Promise<void> {
    for (let waited = 0; ; waited += HELD_STEP_MS) {
      if (this.stopped) throw this.stopped;
      try {
        this.#control.begin.run();
        return;
      } catch (error) {
        if (!isHeld(error) || waited >= HELD_MS || this.#lastRefusal instanceof DatabaseHeld) throw error;
      }
      await pause(HELD_STEP_MS);
    }
  }

  /**
   * Stops the database when the jobs still run after one turn of the event loop. On this engine jobs need only
   * microtasks, so one of them waits for something other than the database, which is a bug.
   */
  async #inTime<T>(run: () => Promise<T>): Promise<T> {
    this.#inJob = true;
    const late = Promise.withResolvers<never>();
    const alarm = setImmediate(() => {
      this.#stop(new Error('a write job awaited something other than the database'));
      late.reject(this.stopped);
    });
    try {
      return await Promise.race([run(), late.promise]);
    } finally {
      clearImmediate(alarm);
      this.#inJob = false;
    }
  }

  #rollback(): void {
    if (this.#writer.open && this.#writer.inTransaction) this.#control.rollback.run();
  }

  #stop(reason: unknown): void {
    if (this.stopped) return;
    this.stopped = new DatabaseStopped(isDamage(reason) ? storageWords.damaged : storageWords.stopped, { cause: reason });
    this.#options.onStopped?.(this.stopped);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
