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
  /** How many pages of the log are in the file. */
  #inFile = 0;
  /** How many pages the last checkpoint has moved. */
  #moved = 0;
  /** How many checkpoints in a row have moved many pages, and hardly fewer than the one before them. */
  #hardlyFewer = 0;
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

  /**
   * Whether the next commit has to wait for {@link beginAnew}. It never waits for many pages: neither for those that
   * readers have kept, nor for those that were written while the last checkpoint took long. Further checkpoints move
   * those first, beside the commits, as long as each finds far fewer than the one before it.
   */
  get isLogTooLong(): boolean {
    if (this.#running !== undefined || this.#pages < this.#tooLong) return false;
    return this.#left < LONG_LOG && (this.#moved < LONG_LOG || this.#hardlyFewer >= 2);
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

  /**
   * Moves the rest of the log into the file. To be called when {@link isLogTooLong}, while every commit is on the disk
   * and none is made.
   */
  async beginAnew(): Promise<void> {
    if (!this.isLogTooLong) return;
    this.#running = this.#run();
    await this.#running;
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
    const { pages, inFile } = log ?? { pages: 0, inFile: 0 };
    // A log that has begun anew has fewer pages in the file than it had.
    const moved = inFile < this.#inFile ? inFile : inFile - this.#inFile;
    this.#hardlyFewer = moved >= LONG_LOG && moved > this.#moved / 2 ? this.#hardlyFewer + 1 : 0;
    this.#moved = moved;
    this.#pages = pages;
    this.#inFile = inFile;
    this.#left = pages - inFile;
    if (this.#pages < LONG_LOG) this.#tooLong = LONG_LOG;
  }

  /**
   * Moves what no reader needs any more, and keeps nobody waiting; see
   * https://sqlite.org/pragma.html#pragma_wal_checkpoint.
   * @returns how many pages the log had when this began, and how many of them are in the file.
   */
  async #movePages(): Promise<{ pages: number; inFile: number }> {
    const { rows } = await this.#parts.thread.execute('PRAGMA wal_checkpoint(PASSIVE)', [], 'all');
    const [[, pages, inFile]] = rows as [[busy: bigint, log: bigint, inFile: bigint]];
    return { pages: Number(pages), inFile: Number(inFile) };
  }
}
