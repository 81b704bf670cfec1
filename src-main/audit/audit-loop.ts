import type { Clock } from '../platform/clock.ts';
import { Inspection } from '../platform/database/inspection.ts';
import type { AuditPace } from './pace.ts';
import { auditBalances, auditRound, type Step } from './round.ts';

/** How long the audit only compares the balances before the next round, in milliseconds. */
const LOOKS_MS = 20_000;
/** How long it waits before it compares them again, in milliseconds. While nobody writes, only the disk can err. */
const LOOK_MS = { written: 1_000, quiet: 5_000 };
/** How often a round also compares each index with its table. */
const THOROUGH_MS = 24 * 60 * 60_000;

/** What the audit tells the node. The node answers each step when it has taken it. */
export type AuditNews = { begins: true } | { step: Step } | { ended: number };

interface Parts {
  /** The path of the node's database. */
  file: string;
  clock: Clock;
  tell: (news: AuditNews) => Promise<void>;
  pace: AuditPace;
  rest: (ms: number) => Promise<unknown>;
}

/**
 * Checks the books round after round, for ever. Each round opens the file anew, so that it reads what is on the disk.
 * @throws Error when a round fails for another reason than damage.
 */
export async function auditForEver({ file, clock, tell, pace, rest }: Parts): Promise<never> {
  let thoroughAt = Number.NEGATIVE_INFINITY;
  let isCompared = false;
  for (;;) {
    const [beganAt, start] = [clock.now(), clock.monotonic()];
    const thorough = start - thoroughAt > THOROUGH_MS;
    await tell({ begins: true });
    const books = new Inspection(file);
    const take = async (steps: AsyncIterable<Step>) => {
      let before = clock.monotonic();
      for await (const step of steps) {
        const took = clock.monotonic() - before;
        if (step.findings.length > 0 || step.close !== undefined || step.compared === true) await tell({ step });
        isCompared ||= step.compared === true || step.close !== undefined;
        // The node waits with its start until all balances were compared once, but for no piece to be closed.
        if (isCompared) await rest(pace.restAfter(took));
        before = clock.monotonic();
      }
    };
    try {
      await take(auditRound(books, { pages: thorough ? 'thorough' : 'quick', live: true }));
      await tell({ ended: beganAt });
      if (thorough) thoroughAt = start;
      let version = books.version();
      for (let waited = 0, wait = LOOK_MS.written; waited < LOOKS_MS; waited += wait) {
        await rest(wait);
        await take(auditBalances(books));
        const now = books.version();
        wait = now === version ? LOOK_MS.quiet : LOOK_MS.written;
        version = now;
      }
    } finally {
      books.close();
    }
  }
}
