import type { Core } from '../platform/core.ts';
import type { AuditBook } from './audit-book.ts';
import type { AuditPace } from './pace.ts';
import { type AuditedBooks, auditBalances, auditRound, type Step } from './round.ts';

/** How often a replica looks whether the audit is its own, in milliseconds. */
const LOOK_MS = 5_000;
/** The pause between two comparisons of the balances, and how many there are before the next round. */
const BALANCES_MS = 60_000;
const COMPARISONS = 10;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  book: AuditBook;
  /** Whether this replica does what one of them must do. */
  isMine: () => boolean;
  pace: Pick<AuditPace, 'restAfter'>;
  /** Resolves after so many milliseconds, or when the signal says that the replica ends. */
  rest: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The audit of books in a shared database. One replica does it, and each look of a rule reads one state of the books
 * from the server. The others hear what it has found through the journal. Pages of the disk belong to the server, so
 * nobody checks them here.
 */
export class SharedAudit {
  readonly #parts: Parts;
  readonly #books: AuditedBooks;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#books = { snapshot: (look) => parts.database.readAtOnce((reader) => look(reader)) };
  }

  start(): void {
    this.#running = this.#forEver();
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  get #isOver(): boolean {
    return this.#end.signal.aborted;
  }

  async #forEver(): Promise<void> {
    while (!this.#isOver) {
      try {
        if (this.#parts.isMine()) await this.#round();
      } catch (error) {
        if (!this.#isOver) {
          this.#parts.book.failed();
          this.#parts.log.error({ err: error }, 'the audit of the books has failed');
        }
      }
      await this.#rest(LOOK_MS);
    }
  }

  /** Checks the books once, and then compares the balances only, for a while. */
  async #round(): Promise<void> {
    const { book, clock } = this.#parts;
    // Another replica may have found or taken back damage before.
    await book.load();
    book.beginRound();
    const beganAt = clock.now();
    if (!(await this.#take(auditRound(this.#books, { pages: 'none', live: true })))) return;
    await book.endRound(beganAt);
    for (let done = 0; done < COMPARISONS; done += 1) {
      await this.#rest(BALANCES_MS);
      if (!(await this.#take(auditBalances(this.#books)))) return;
    }
  }

  /** @returns whether all steps were taken, because the audit is still that of this replica. */
  async #take(steps: AsyncIterable<Step>): Promise<boolean> {
    const { book, clock, pace, isMine } = this.#parts;
    let before = clock.monotonic();
    for await (const step of steps) {
      if (this.#isOver || !isMine()) return false;
      const took = clock.monotonic() - before;
      if (step.findings.length > 0 || step.close !== undefined) await book.take(step);
      await this.#rest(pace.restAfter(took));
      before = clock.monotonic();
    }
    return !this.#isOver && isMine();
  }

  async #rest(ms: number): Promise<void> {
    if (!this.#isOver) await this.#parts.rest(ms, this.#end.signal).catch(() => undefined);
  }
}
