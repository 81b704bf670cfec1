import { describe, expect, it } from 'vitest';
import type { Budget } from '../../../src-shared/operator-contract/apps.ts';
import { BudgetLevels } from './budget-levels.ts';

const amount = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });
const budget = (spent: bigint, limit = 100n, window = 0, kind: Budget['kind'] = 'debit'): Budget => ({
  limit: amount(limit),
  spent: amount(spent),
  kind,
  windowStart: new Date(window),
  windowEnd: null,
});

describe('a budget', () => {
  it('is told of once at 80 and once at 100 per cent', () => {
    const levels = new BudgetLevels();
    const seen = [70n, 79n, 80n, 85n, 99n, 100n, 100n].map((spent) => levels.reached('g', budget(spent), 5n));
    expect(seen).toEqual([undefined, undefined, 80, undefined, undefined, 100, undefined]);
  });

  it('is told of at 100 at once when one payment takes all of it', () => {
    expect(new BudgetLevels().reached('g', budget(100n), 100n)).toBe(100);
  });

  it('that was nearly used before the app was started is not told of again', () => {
    const levels = new BudgetLevels();
    expect(levels.reached('g', budget(90n), 5n)).toBeUndefined();
    expect(levels.reached('g', budget(100n), 10n)).toBe(100);
  });

  it('is told of again in its next window only', () => {
    const levels = new BudgetLevels();
    expect(levels.reached('g', budget(85n, 100n, 1), 85n)).toBe(80);
    expect(levels.reached('g', budget(70n, 100n, 1), 0n)).toBeUndefined();
    expect(levels.reached('g', budget(85n, 100n, 1), 15n)).toBeUndefined();
    expect(levels.reached('g', budget(85n, 100n, 2), 85n)).toBe(80);
    expect(levels.reached('other', budget(85n, 100n, 1), 85n)).toBe(80);
  });

  it('is counted exactly at any size, and separately for what leaves and what arrives', () => {
    const levels = new BudgetLevels();
    const limit = 2n ** 64n - 1n;
    const most = (limit * 4n) / 5n;
    expect(levels.reached('g', budget(most - 1n, limit), most - 1n)).toBeUndefined();
    expect(levels.reached('g', budget(most + 1n, limit), 2n)).toBe(80);
    expect(levels.reached('g', budget(80n, 100n, 0, 'receive'), 1n)).toBe(80);
    expect(levels.reached('g', budget(0n, 0n, 9), 0n)).toBeUndefined();
  });
});
