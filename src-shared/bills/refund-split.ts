import type { BillAmounts } from './bill.ts';

/** What a bill comes to: the net and the tax of each rate, the tip, and all together. */
type Sums = Pick<BillAmounts, 'rates' | 'tip' | 'total'>;

/** What refunds have given back of a sale, in smallest units. The parts add up to what was given back. */
export interface GivenBack {
  /** The parts, in the order of the bill's rates. */
  readonly rates: readonly { readonly net: bigint; readonly tax: bigint }[];
  readonly tip: bigint;
  /** What has no tax, and what came beyond the bill. */
  readonly rest: bigint;
}

/**
 * The first units of a whole, given to its parts one at a time: each unit goes to the part that is owed it most (the
 * rule of Sainte-Laguë), and of two that are owed as much to the first. So the units add up, no part is ever given
 * fewer when more are given, and all of them make up each part (decisions.md#D-291).
 * @param parts 0 or more each.
 * @param amount from 0 to their sum; more counts as their sum.
 */
export function unitsOf(parts: readonly bigint[], amount: bigint): bigint[] {
  const whole = parts.reduce((sum, part) => sum + part, 0n);
  if (amount >= whole) return [...parts];
  // Everything that is rounded in this place comes before; only the last few units are given one by one.
  const sure = amount > BigInt(parts.length) ? amount - BigInt(parts.length) : 0n;
  const given = parts.map((part) => (2n * part * sure + whole - 1n) / (2n * whole));
  let left = given.reduce((rest, one) => rest - one, amount);
  for (; left > 0n; left -= 1n) {
    const next = mostOwed(parts, given);
    given[next] = (given[next] ?? 0n) + 1n;
  }
  return given;
}

function mostOwed(parts: readonly bigint[], given: readonly bigint[]): number {
  const at = (all: readonly bigint[], nth: number) => all[nth] ?? 0n;
  return parts.reduce(
    (best, part, nth) => (part * (2n * at(given, best) + 1n) > at(parts, best) * (2n * at(given, nth) + 1n) ? nth : best),
    0,
  );
}

/**
 * The share of a part of a bill in what has come of it, rounded down.
 * @param received what has come, 0 or more; what came beyond the bill counts for no part.
 */
export const shareUpTo = (part: bigint, total: bigint, received: bigint): bigint =>
  total === 0n ? 0n : (part * (received < total ? received : total)) / total;

/**
 * What refunds have given back of a sale of which so much had come. What goes back is divided as what came: once all of
 * it has gone back, each rate has given back exactly what it brought.
 * @param received what came of the sale until then.
 * @param refunded from 0 to `received`.
 */
export function givenBackUpTo({ rates, tip, total }: Sums, received: bigint, refunded: bigint): GivenBack {
  const came = [...rates.flatMap(({ net, taxAmount }) => [net, taxAmount]), tip].map((part) => shareUpTo(part, total, received));
  const rest = came.reduce((left, part) => left - part, received);
  const units = unitsOf([...came, rest > 0n ? rest : 0n], refunded);
  return {
    rates: rates.map((_, nth) => ({ net: units[2 * nth] ?? 0n, tax: units[2 * nth + 1] ?? 0n })),
    tip: units.at(-2) ?? 0n,
    rest: units.at(-1) ?? 0n,
  };
}

/** What one period has given back: what was given back up to its end, less what was given back before. */
export const givenBackBetween = (before: GivenBack, upTo: GivenBack): GivenBack => ({
  rates: upTo.rates.map(({ net, tax }, nth) => ({ net: net - (before.rates[nth]?.net ?? 0n), tax: tax - (before.rates[nth]?.tax ?? 0n) })),
  tip: upTo.tip - before.tip,
  rest: upTo.rest - before.rest,
});
