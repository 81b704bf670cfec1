import { parseInterval, type RepeatingInterval } from '../repeating-interval.ts';
import { utcText } from './date-text.ts';
import { inertText } from './inert-text.ts';
import { counted } from './words.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The length of a window in its units. Weeks are named only when the length is a whole number of weeks. */
function parts({ months, ms }: RepeatingInterval): [count: number, unit: string][] {
  const days = Math.floor(ms / DAY);
  const inWeeks = days % 7 === 0;
  const counts: [number, string][] = [
    [Math.floor(months / 12), 'year'],
    [months % 12, 'month'],
    inWeeks ? [days / 7, 'week'] : [days, 'day'],
    [Math.floor((ms % DAY) / HOUR), 'hour'],
    [Math.floor((ms % HOUR) / MINUTE), 'minute'],
    [(ms % MINUTE) / SECOND, 'second'],
  ];
  return counts.filter(([count]) => count > 0);
}

/**
 * @param one how a length of one unit begins, such as "every month" and "one month".
 * @param many how every other length begins.
 */
function lengthText(interval: RepeatingInterval, one: string, many: string): string {
  const told = parts(interval);
  const [first] = told;
  if (told.length === 1 && first?.[0] === 1) return one + first[1];
  return many + told.map(([count, unit]) => counted(count, unit, `${unit}s`)).join(' and ');
}

/**
 * A repeating interval in words, such as "every month, counted from 1 January 2026". The words are made from the
 * numbers by which the node enforces the limit, so they cannot mean anything else. A text that is no interval is shown
 * unchanged.
 */
export function interval(text: string): string {
  const parsed = parseInterval(text);
  if (parsed === undefined) return `repeating as ${inertText(text)}`;
  const from = utcText(new Date(parsed.start));
  if (parsed.windows === 1) return `once, for ${lengthText(parsed, 'one ', '')} from ${from}`;
  const times = parsed.windows === Number.POSITIVE_INFINITY ? '' : `, ${parsed.windows} times`;
  return `${lengthText(parsed, 'every ', 'every ')}, counted from ${from}${times}`;
}
