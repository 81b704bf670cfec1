import type { Clock } from '../../clock.ts';
import type { ReadThread } from '../threads/read-thread.ts';

/** How long after a checkpoint the next commit leads to another one, in milliseconds. */
const PAUSE_MS = 1_000;
/** The pages, 16 MB, from which on the log is to begin anew. */
const LONG_LOG = 4_096;

interface Parts {
  /** A thread with a connection of its own, which nobody else keeps busy. */
  thread: Pick<ReadThread, 'execute' | 'rest' | 'stop'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Called once when the thread has ended. SQLite then has to make the checkpoints itself. */
  onEnded: () => void;
}

/**
 * Keeps SQLite's log short. SQLite begins a log anew when all of it is in the file and nobody reads. While the node
 * never stops writing, that moment has to be made: for as long as the last pages take, no commit is made.
 */
export class Checkpoints {
  readonly #parts: Parts;
  #at: number;
  #running: Promise<void> | undefined;
  #pages = 0;
  /** How many pages of the log were not in the file after the last checkpoint. */
  #left = 0;
  /** A log that others read cannot begin anew. The next try is made when it has grown by as much again. */
  #tooLong = LONG_LOG;
  #isEnded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#at = parts.clock.monotonic();
  }

  /** The database calls this after a commit. */
  commitWasMade(): void {
    if (this.#running !== undefined || this.#isEnded || this.#parts.clock.monotonic() - this.#at < PAUSE_MS) return;
    this.#running = this.#run();
  }

  /** Whether the next commit has to wait for {@link beginAnew}. */
  get isLogTooLong(): boolean {
    return this.#pages >= this.#tooLong;
  }

  /** Whether much of the log cannot be moved into the file, because others read. It tries to move it first. */
  async isLogHeld(): Promise<boolean> {
    await this.#running;
    if (this.#left >= LONG_LOG) {
      this.#running ??= this.#run();
      await this.#running;
    }
    return this.#left >= LONG_LOG;
  }

  /** Moves the rest of the log into the file. To be called while every commit is on the disk and none is made. */
  async beginAnew(): Promise<void> {
    await this.#running;
    await this.#run();
    this.#tooLong = this.#pages + LONG_LOG;
    this.#pages = 0;
  }

  /** Ends the thread until the next checkpoint, and so gives its memory back. */
  async rest(): Promise<void> {
    await this.#running;
    await this.#parts.thread.rest();
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#parts.thread.stop();
  }

  async #run(): Promise<void> {
    const log = await this.#movePages().catch(() => undefined);
    this.#running = undefined;
    this.#at = this.#parts.clock.monotonic();
    if (log === undefined) {
      if (!this.#isEnded) this.#parts.onEnded();
      this.#isEnded = true;
    }
    this.#pages = log?.pages ?? 0;
    this.#left = log?.left ?? 0;
    if (this.#pages < LONG_LOG) this.#tooLong = LONG_LOG;
  }

  /**
   * Moves what no reader needs any more, and keeps nobody waiting; see
   * https://sqlite.org/pragma.html#pragma_wal_checkpoint.
   * @returns how many pages the log has, and how many of them are not in the file.
   */
  async #movePages(): Promise<{ pages: number; left: number }> {
    const { rows } = await this.#parts.thread.execute('PRAGMA wal_checkpoint(PASSIVE)', [], 'all');
    const [[, pages, moved]] = rows as [[busy: bigint, log: bigint, moved: bigint]];
    return { pages: Number(pages), left: Number(pages - moved) };
  }
}
