import type { Core } from '../platform/core.ts';
import { believedRate, isStale, type RateProblem } from './rates.ts';
import { exchangeFees, followedRates, rates } from './tables.ts';

type ByHand = typeof rates.$inferSelect;
type Followed = typeof followedRates.$inferSelect;

/** Everything about one pair of currencies, and what counts of it now. */
export interface Pair {
  readonly base: string;
  readonly quote: string;
  readonly byHand: ByHand | undefined;
  readonly followed: Followed | undefined;
  readonly fee: typeof exchangeFees.$inferSelect | undefined;
  /** Which of the two rates payments are exchanged by, or why none. */
  readonly counts: 'followed' | 'by_hand' | RateProblem;
}

/** Which rate of a pair counts. It says of the screen what `rateBetween` decides for payments. */
function counting(byHand: ByHand | undefined, followed: Followed | undefined, now: number): Pair['counts'] {
  if (followed !== undefined) {
    const believed = believedRate(followed, now);
    if (believed.ok) return 'followed';
    if (!followed.fallsBack) return believed.error;
  }
  if (byHand === undefined) return followed?.rate ? 'rate_stale' : 'no_rate';
  return isStale(byHand, now) ? 'rate_stale' : 'by_hand';
}

/** Every pair that has a rate or a fee, ordered by its currencies. */
export async function listPairs({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<Pair[]> {
  const now = clock.now();
  const [hand, following, fees] = await database.readAtOnce(async (read) => [
    await read.select().from(rates),
    await read.select().from(followedRates),
    await read.select().from(exchangeFees),
  ]);
  const keys = [...new Set([...hand, ...following, ...fees].map(({ base, quote }) => `${base}/${quote}`))].sort();
  return keys.map((key) => {
    const [base = '', quote = ''] = key.split('/');
    const isIt = (row: { base: string; quote: string }) => row.base === base && row.quote === quote;
    const [byHand, followed] = [hand.find(isIt), following.find(isIt)];
    return { base, quote, byHand, followed, fee: fees.find(isIt), counts: counting(byHand, followed, now) };
  });
}
