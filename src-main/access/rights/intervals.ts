import { addMonths, type RepeatingInterval } from '../../../src-shared/repeating-interval.ts';

/** A stretch of time from `start` (included) to `end` (excluded), in milliseconds since the Unix epoch. */
export interface Window {
  start: number;
  end: number;
}

const DAY = 86_400_000;
const MEAN_MONTH = (146_097 * DAY) / 4800;

/**
 * The window that holds `now`. It is undefined before the first window and after the last. The earlier ones are not
 * counted through.
 */
export function windowAt(interval: RepeatingInterval, now: number): Window | undefined {
  if (now < interval.start) return undefined;
  const k = indexAt(interval, now);
  return k < interval.windows ? windowOf(interval, k) : undefined;
}

/** The window that holds `now`, if there is one, and those after it: at most `count`. */
export function nextWindows(interval: RepeatingInterval, now: number, count: number): Window[] {
  const first = now < interval.start ? 0 : indexAt(interval, now);
  const last = Math.min(first + count, interval.windows);
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => windowOf(interval, first + i));
}

const windowOf = (interval: RepeatingInterval, k: number): Window => ({ start: boundary(interval, k), end: boundary(interval, k + 1) });

/** start + k·D. The months come first, with the last day of a month that is too short, then the rest. */
const boundary = ({ start, months, ms }: RepeatingInterval, k: number): number => addMonths(start, k * months) + k * ms;

function indexAt(interval: RepeatingInterval, now: number): number {
  const estimate = Math.floor((now - interval.start) / (interval.months * MEAN_MONTH + interval.ms));
  // Calendar months differ from the mean by less than one window, so this corrects by a step or two.
  let k = Math.max(0, estimate);
  while (k > 0 && boundary(interval, k) > now) k -= 1;
  while (boundary(interval, k + 1) <= now) k += 1;
  return k;
}
