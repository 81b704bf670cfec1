/** More choices than this help nobody. Packets of one payment mostly carry the same, so there are far fewer. */
const MOST_CHOICES = 200;

/**
 * What can have arrived when a part of several packets did: each sum of some of their amounts, the smallest first.
 * @returns nothing when no part can have arrived, or when too many can.
 */
export function partAmounts(amounts: readonly bigint[]): bigint[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  let sums = new Set([0n]);
  for (const amount of amounts) {
    sums = new Set([...sums].flatMap((sum) => [sum, sum + amount]));
    if (sums.size > MOST_CHOICES) return [];
  }
  return [...sums].filter((sum) => sum > 0n && sum < total).sort((a, b) => (a < b ? -1 : 1));
}
