import type { Core } from '../platform/core.ts';
import { Inspection } from '../platform/database/inspection.ts';
import { isDamage } from '../platform/database/sqlite-errors.ts';
import type { AuditPace } from './pace.ts';
import { auditBalances, auditRound, type Step, UNREADABLE_FILE } from './round.ts';

/** How long the audit only compares the balances before the next round, in milliseconds. */
const LOOKS_MS = 20_000;
/** How long it waits before it compares them again, in milliseconds. While nobody writes, only the disk can err. */
const LOOK_MS = { written: 1_000, quiet: 5_000 };
/** How often a round also compares each index with its table. */
const THOROUGH_MS = 24 * 60 * 60_000;

/** What the audit tells the node. The node answers each step when it has taken it. */
export type AuditNews = { begins: true } | { step: Step } | { ended: number };

interface Parts extends Pick<Core, 'clock'> {
  /** The path of the node's database. */
  file: string;
  tell: (news: AuditNews) => Promise<void>;
  pace: AuditPace;
  rest: (ms: number) => Promise<unknown>;
}

/**
 * Checks the books round after round, for ever. Each round opens the file anew, so that it reads what is on the disk. A
 * file that does not open is damage, too.
 * @throws Error when a round fails for another reason than damage.
 */
export async function auditForEver(parts: Parts): Promise<never> {
  const rounds = new Rounds(parts);
  for (;;) {
    try {
      await rounds.next();
    } catch (error) {
      if (!isDamage(error)) throw error;
      await parts.tell({ step: UNREADABLE_FILE });
      await parts.rest(LOOK_MS.quiet);
    }
  }
}

class Rounds {
  readonly #parts: Parts;
  #thoroughAt = Number.NEGATIVE_INFINITY;
  #isCompared = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Checks the books once, and then compares the balances only, for a while. */
  async next(): Promise<void> {
    const { file, clock, tell, rest } = this.#parts;
    const [beganAt, start] = [clock.now(), clock.monotonic()];
    const thorough = start - this.#thoroughAt > THOROUGH_MS;
    await tell({ begins: true });
    const books = new Inspection(file);
    try {
      await this.#take(auditRound(books, { pages: { of: books, thorough }, live: true }));
      await tell({ ended: beganAt });
      if (thorough) this.#thoroughAt = start;
      let version = books.version();
      for (let waited = 0, wait = LOOK_MS.written; waited < LOOKS_MS; waited += wait) {
        await rest(wait);
        await this.#take(auditBalances(books));
        const now = books.version();
        wait = now === version ? LOOK_MS.quiet : LOOK_MS.written;
        version = now;
      }
    } finally {
      books.close();
    }
  }

  async #take(steps: AsyncIterable<Step>): Promise<void> {
    const { clock, tell, pace, rest } = this.#parts;
    let before = clock.monotonic();
    for await (const step of steps) {
      const took = clock.monotonic() - before;
      if (step.findings.length > 0 || step.close !== undefined || step.compared === true) await tell({ step });
      this.#isCompared ||= step.compared === true || step.close !== undefined;
      // The node waits with its start until all balances were compared once, but for no piece to be closed.
      if (this.#isCompared) await rest(pace.restAfter(took));
      before = clock.monotonic();
    }
  }
}
