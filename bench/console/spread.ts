import { quantile } from '../support/report.ts';

/** How long something takes: in the middle, for the slowest twentieth, and at most. In milliseconds. */
export interface Spread {
  p50: number;
  p95: number;
  most: number;
}

export function spreadOf(values: Iterable<number>): Spread {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), most: sorted.at(-1) ?? Number.NaN };
}
