import type { Clock } from '../platform/clock.ts';
import { Inspection } from '../platform/database/inspection.ts';
import { auditBalances, auditRound, type Step } from './round.ts';

/** How long a step rests at least and at most, in milliseconds. */
const [LEAST_REST_MS, MOST_REST_MS] = [15, 2_000];
/** A rest is so many times as long as the step before it. So the audit takes a tenth of one processor. */
const RESTS = 9;
/** How often the audit compares only the balances before the next round, and how long it waits before each time. */
const [LOOKS, LOOK_MS] = [10, 1_000];
/** How often a round also compares each index with its table. */
const THOROUGH_MS = 24 * 60 * 60_000;

/** What the audit tells the node. The node answers each step when it has taken it. */
export type AuditNews = { begins: true } | { step: Step } | { ended: number };

interface Parts {
  /** The path of the node's database. */
  file: string;
  clock: Clock;
  tell: (news: AuditNews) => Promise<void>;
  rest: (ms: number) => Promise<unknown>;
}

/**
 * Checks the books round after round, for ever. Each round opens the file anew, so that it reads what is on the disk.
 * @throws Error when a round fails for another reason than damage.
 */
export async function auditForEver({ file, clock, tell, rest }: Parts): Promise<never> {
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
        if (isCompared) await rest(Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, RESTS * took)));
        before = clock.monotonic();
      }
    };
    try {
      await take(auditRound(books, { pages: thorough ? 'thorough' : 'quick', closes: true }));
      await tell({ ended: beganAt });
      if (thorough) thoroughAt = start;
      for (let look = 0; look < LOOKS; look += 1) {
        await rest(LOOK_MS);
        await take(auditBalances(books));
      }
    } finally {
      books.close();
    }
  }
}
