import type { Budget } from '../../../src-shared/operator-contract/apps.ts';

/** How much of a budget is used, in per cent, when the operator is notified. */
export type BudgetLevel = 80 | 100;

const levelOf = (spent: bigint, limit: bigint): 0 | BudgetLevel => {
  if (spent >= limit) return 100;
  return spent * 100n >= limit * 80n ? 80 : 0;
};

/**
 * Remembers which budgets the operator was notified about, so that there is one notification for each level of each
 * window.
 */
export class BudgetLevels {
  readonly #told = new Map<string, 0 | BudgetLevel>();

  /**
   * @param spentJustNow what the grant has debited since the last look. It tells which level was reached before the app
   *   was started, so that the operator is not notified of that level again.
   * @returns the level that was reached just now, if any
   */
  reached(grantId: string, budget: Budget, spentJustNow: bigint): BudgetLevel | undefined {
    const key = `${grantId} ${budget.kind} ${budget.windowStart?.getTime() ?? 0}`;
    const { limit, spent, kind } = budget;
    if (limit.value <= 0n) return undefined;
    // What receivers have got since is not known here, so no level counts as reached before.
    const before = kind === 'debit' ? spent.value - spentJustNow : 0n;
    const told = this.#told.get(key) ?? levelOf(before, limit.value);
    const level = levelOf(spent.value, limit.value);
    // Returned money lowers what is spent. Reaching a level once more in the same window is no news.
    this.#told.set(key, level > told ? level : told);
    return level > told && level !== 0 ? level : undefined;
  }
}
