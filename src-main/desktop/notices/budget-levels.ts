import type { Budget } from '../../../src-shared/operator-contract/access.ts';

/** Of a budget, in per cent: at these it is told of. */
export type BudgetLevel = 80 | 100;

const levelOf = (spent: bigint, limit: bigint): 0 | BudgetLevel => {
  if (spent >= limit) return 100;
  return spent * 100n >= limit * 80n ? 80 : 0;
};

/** Remembers which budgets were told of, so that each level of each window is told of once. */
export class BudgetLevels {
  readonly #told = new Map<string, 0 | BudgetLevel>();

  /**
   * @param spentJustNow what the grant has debited since it was looked at last: with it, a budget that was nearly used before the app
   *   was started is not told of again.
   * @returns the level that was reached just now, if any.
   */
  reached(grantId: string, budget: Budget, spentJustNow: bigint): BudgetLevel | undefined {
    const key = `${grantId} ${budget.kind} ${budget.windowStart?.getTime() ?? 0}`;
    const { limit, spent, kind } = budget;
    if (limit.value <= 0n) return undefined;
    // What receivers got of it is not known here: then nothing counts as told.
    const before = kind === 'debit' ? spent.value - spentJustNow : 0n;
    const told = this.#told.get(key) ?? levelOf(before, limit.value);
    const level = levelOf(spent.value, limit.value);
    // Money that came back lowers it; reaching the level once more is no news in the same window.
    this.#told.set(key, level > told ? level : told);
    return level > told && level !== 0 ? level : undefined;
  }
}
