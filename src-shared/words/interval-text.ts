import { utcText } from './date-text.ts';
import { inertText } from './inert-text.ts';
import { type Duration, parseRepeatingInterval } from './repeating-interval.ts';
import { counted } from './words.ts';

const UNITS = [
  ['years', 'year'],
  ['months', 'month'],
  ['weeks', 'week'],
  ['days', 'day'],
  ['hours', 'hour'],
  ['minutes', 'minute'],
  ['seconds', 'second'],
] as const;

function everyDuration(duration: Duration): string {
  const parts = UNITS.filter(([unit]) => duration[unit] > 0);
  const [only] = parts;
  if (only === undefined) return 'every instant';
  if (parts.length === 1 && duration[only[0]] === 1) return `every ${only[1]}`;
  return `every ${parts.map(([unit, name]) => counted(duration[unit], name, `${name}s`)).join(' and ')}`;
}

/** A repeating interval in words, such as "every month, counted from 1 January 2026"; anything else as it stands. */
export function interval(text: string): string {
  const parsed = parseRepeatingInterval(text);
  if (parsed === undefined) return `repeating as ${inertText(text)}`;
  const { windows, start, length } = parsed;
  const from = utcText(start);
  if ('end' in length) {
    const first = `from ${from} to ${utcText(length.end)}`;
    if (windows === 1) return `once, ${first}`;
    return `${windows === undefined ? 'again and again' : `${windows} times`}, first ${first}`;
  }
  if (windows === 1)
    return `once, for ${everyDuration(length)
      .replace(/^every (?=\D)/, 'one ')
      .replace(/^every /, '')} from ${from}`;
  return `${everyDuration(length)}, counted from ${from}${windows === undefined ? '' : `, ${windows} times`}`;
}
