import { fstatSync, write } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';

/** The most characters of the log that wait to be written, about two thousand lines. Lines beyond that are lost. */
const MOST_WAITING = 262_144;
/** The wait of the log after a failed write, in milliseconds. */
const RETRY_MS = 1_000;

/** The time between two looks of somebody who waits until every line is written, in milliseconds. */
const LOOK_MS = 5;

/**
 * Writes some bytes and calls `done` once, with the error or with the number of bytes that it wrote. It must not wait
 * itself.
 */
export type WriteSome = (bytes: Uint8Array, done: (error: Error | null | undefined, written: number) => void) => void;

/** Whether the log can be written. */
export interface LogCondition {
  /** The number of lines that are lost since the start of the process. */
  readonly lost: number;
  /** Whether lines wait because the last write failed, or because nobody reads what was written before. */
  readonly waits: boolean;
}

/**
 * The end of a log. It never throws and never waits: lines that cannot be written now are kept, and tried again. When
 * too many are kept, further lines are lost and counted, until all that were kept are written. A line then says how
 * many are lost, at the place where they are missing.
 */
export class LogOutput implements DestinationStream {
  readonly #writeSome: WriteSome;
  /** The bytes that are being written now. */
  #bytes = new Uint8Array();
  /** The lines after these bytes. */
  #next = '';
  #lost = 0;
  /** The number of lost lines of which no line has told. */
  #untold = 0;
  #failed = false;

  constructor(writeSome: WriteSome = standardError) {
    this.#writeSome = writeSome;
  }

  get condition(): LogCondition {
    return { lost: this.#lost, waits: this.#failed || this.#untold > 0 };
  }

  write(line: string): void {
    if (this.#untold > 0 || this.#bytes.length + this.#next.length + line.length > MOST_WAITING) this.lose();
    else {
      this.#next += line;
      this.#go();
    }
  }

  /** Counts a line that cannot be written. */
  lose(): void {
    this.#lost += 1;
    this.#untold += 1;
    this.#go();
  }

  /** Resolves when every line is written, or after this many milliseconds. Call it before a process is ended. */
  async written(mostMs: number): Promise<void> {
    for (let waited = 0; waited < mostMs && this.#bytes.length > 0; waited += LOOK_MS) await pause(LOOK_MS);
  }

  #go(): void {
    if (this.#bytes.length > 0) return;
    if (this.#next === '' && this.#untold > 0) {
      this.#next = lineOfLost(this.#untold);
      this.#untold = 0;
    }
    if (this.#next === '') return;
    this.#bytes = Buffer.from(this.#next);
    this.#next = '';
    this.#push();
  }

  #push(): void {
    try {
      this.#writeSome(this.#bytes, (error, written) => {
        this.#failed = Boolean(error);
        if (error) return this.#later();
        this.#bytes = this.#bytes.subarray(written);
        if (this.#bytes.length > 0) this.#push();
        else this.#go();
      });
    } catch {
      this.#failed = true;
      this.#later();
    }
  }

  /** The end of the process does not wait for this. */
  #later(): void {
    setTimeout(() => this.#push(), RETRY_MS).unref();
  }
}

const lineOfLost = (lost: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lost, msg: 'lines of the log are lost, because it could not be written' })}\n`;

const STANDARD_ERROR = 2;
/**
 * The output gathers lines for this long after a write, in milliseconds. On a busy node each write wakes a thread of
 * the system, which takes the place of the main thread and costs more than the lines. A quiet node writes a line at
 * once.
 */
const GATHER_MS = 20;

let opened: WriteSome | undefined;

/** Writes to standard error, which all loggers share. */
const standardError: WriteSome = (bytes, done) => {
  opened ??= openStandardError();
  opened(bytes, (error, written) => {
    if (error) done(error, written);
    else setTimeout(done, GATHER_MS, error, written);
  });
};

/**
 * Makes standard error writable without waiting, whatever it is. By itself Node waits for terminals and files.
 */
function openStandardError(): WriteSome {
  const { stderr } = process;
  // Each write here has its own error. Without this listener, what others write there could end the process.
  stderr.on('error', () => undefined);
  if (!isatty(STANDARD_ERROR) && isFile(STANDARD_ERROR)) return (bytes, done) => write(STANDARD_ERROR, bytes, done);
  // A terminal or a pipe, or nothing at all where an app has no console.
  (stderr as { _handle?: { setBlocking?: (on: boolean) => unknown } })._handle?.setBlocking?.(false);
  return (bytes, done) => void stderr.write(bytes, (error) => done(error, bytes.length));
}

/** Tells whether a descriptor belongs to a file or a device. */
function isFile(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return status.isFile() || status.isCharacterDevice();
  } catch {
    return false;
  }
}
