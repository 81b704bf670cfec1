import type { Reason } from '../../src-shared/operator-contract/shop/closings.ts';

/** The number of reasons that a paper names. */
const MOST_REASONS = 10;

/** Counts why something failed. */
export class Reasons {
  readonly #counts = new Map<string, number>();

  /** The number of all. */
  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  /** Lists the most frequent reasons, and all others as one. */
  list(): Reason[] {
    const sorted = [...this.#counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    const named = sorted.slice(0, MOST_REASONS).map(([reason, count]) => ({ reason, count }));
    const others = sorted.slice(MOST_REASONS).reduce((sum, [, count]) => sum + count, 0);
    return others === 0 ? named : [...named, { reason: null, count: others }];
  }
}
