import { parseInterval, type RepeatingInterval } from '../repeating-interval.ts';
import { utcText } from './date-text.ts';
import { inertText } from './inert-text.ts';
import { area } from './language/language.ts';
import { listed } from './language/listed.ts';
import { plain } from './words.ts';

const text = area('intervals');

type Unit = keyof typeof text.lengths;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The length of a window in its units. Weeks are named only when the length is a whole number of weeks. */
function parts({ months, ms }: RepeatingInterval): [count: number, unit: Unit][] {
  const days = Math.floor(ms / DAY);
  const inWeeks = days % 7 === 0;
  const counts: [number, Unit][] = [
    [Math.floor(months / 12), 'year'],
    [months % 12, 'month'],
    inWeeks ? [days / 7, 'week'] : [days, 'day'],
    [Math.floor((ms % DAY) / HOUR), 'hour'],
    [Math.floor((ms % HOUR) / MINUTE), 'minute'],
    [(ms % MINUTE) / SECOND, 'second'],
  ];
  return counts.filter(([count]) => count > 0);
}

const lengthText = (told: ReturnType<typeof parts>): string => plain(listed(told.map(([count, unit]) => [text.lengths[unit]({ count })])));

/** How often a window begins, such as "every month" and "every 1 year and 3 months". */
function everyText(interval: RepeatingInterval): string {
  const told = parts(interval);
  const [first] = told;
  if (told.length !== 1 || first === undefined) return text.every({ length: lengthText(told) });
  return text.everies[first[1]]({ count: first[0] });
}

/** How long the only window is, such as "one month" and "90 days". */
function onceText(interval: RepeatingInterval): string {
  const told = parts(interval);
  const [first] = told;
  return told.length === 1 && first?.[0] === 1 ? text.one[first[1]] : lengthText(told);
}

/**
 * A repeating interval in words, such as "every month, counted from 1 January 2026". The words are made from the
 * numbers by which the node enforces the limit, so they cannot mean anything else. A text that is no interval is shown
 * unchanged.
 */
export function interval(written: string): string {
  const parsed = parseInterval(written);
  if (parsed === undefined) return text.raw({ text: inertText(written) });
  const from = utcText(new Date(parsed.start));
  if (parsed.windows === 1) return text.once({ length: onceText(parsed), from });
  const every = everyText(parsed);
  return parsed.windows === Number.POSITIVE_INFINITY
    ? text.counted({ every, from })
    : text.countedTimes({ every, from, times: parsed.windows });
}
