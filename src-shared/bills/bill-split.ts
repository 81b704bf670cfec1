import type { BillAmounts } from './bill.ts';

/** What a bill comes to: the net and the tax of each rate, the tip, and all together. */
type Sums = Pick<BillAmounts, 'rates' | 'tip' | 'total'>;

/** How an amount of a bill is divided among its parts, in smallest units. The parts add up to the amount. */
interface BillSplit {
  /** The parts, in the order of the bill's rates. */
  readonly rates: readonly { readonly net: bigint; readonly tax: bigint }[];
  readonly tip: bigint;
  /** What has no tax, and what goes beyond the bill. */
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
 * The parts of the first units of a bill. What came of it and what was given back of it are divided alike: so whatever
 * comes and goes in between, each rate has given back exactly what it brought once all has gone back.
 * @param amount what came of the bill so far, or what was given back of it so far; below 0 counts as 0.
 */
export function splitUpTo({ rates, tip, total }: Sums, amount: bigint): BillSplit {
  const taxed = [...rates.flatMap(({ net, taxAmount }) => [net, taxAmount]), tip];
  const units = unitsOf([...taxed, taxed.reduce((left, part) => left - part, total)], amount);
  const beyond = amount > total ? amount - total : 0n;
  return {
    rates: rates.map((_, nth) => ({ net: units[2 * nth] ?? 0n, tax: units[2 * nth + 1] ?? 0n })),
    tip: units.at(-2) ?? 0n,
    rest: (units.at(-1) ?? 0n) + beyond,
  };
}

/** The parts of what came of a bill, or was given back of it, in one period. */
export function splitBetween(bill: Sums, before: bigint, upTo: bigint): BillSplit {
  const [one, other] = [splitUpTo(bill, before), splitUpTo(bill, upTo)];
  return {
    rates: other.rates.map(({ net, tax }, nth) => ({ net: net - (one.rates[nth]?.net ?? 0n), tax: tax - (one.rates[nth]?.tax ?? 0n) })),
    tip: other.tip - one.tip,
    rest: other.rest - one.rest,
  };
}

/**
 * What came of each line of a bill up to a moment. Beside the tip the lines are divided by the same rule, so none is
 * ever given fewer, and with the tip they add up to the amount.
 * @param lines what each line comes to with its tax, 0 or more.
 */
export const linesUpTo = (bill: Sums, lines: readonly bigint[], amount: bigint): bigint[] =>
  unitsOf(lines, amount - splitUpTo(bill, amount).tip);
