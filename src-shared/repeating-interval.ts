/**
 * An ISO 8601 repeating interval of duration D. Window k is [start + k·D, start + (k+1)·D) and is always computed
 * from `start` (decisions.md#D-28).
 */
export interface RepeatingInterval {
  /** Milliseconds since the Unix epoch. */
  readonly start: number;
  /** The calendar part of D, in months. */
  readonly months: number;
  /** The rest of D in milliseconds. Days and weeks have a fixed length, because all times are UTC. */
  readonly ms: number;
  /** How many windows there are; Infinity when they never end. */
  readonly windows: number;
}

const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Longer windows are refused. No wallet lives so long, and dates stay far inside what can be computed. */
const MAX_MONTHS = 12 * 10_000;
const MAX_MS = 10_000 * 366 * DAY;

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;
const DURATION =
  /^P(?=[\dT])(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;
const REPETITIONS = /^R(-1|\d{1,15})?$/;

/**
 * Reads `Rn/start/duration`, `Rn/duration/end` or `Rn/start/end` (decisions.md#D-28). `Rn` means n windows, `R0` means
 * one, `R` and `R-1` mean endless ones. The numbers of a duration are whole. An interval of start and end repeats their
 * distance. The node enforces a limit by what this returns, and the lines of consent word the same value.
 * @returns undefined for anything else, also for lengths of zero, ends before starts, and moments without a time zone.
 */
export function parseInterval(text: string): RepeatingInterval | undefined {
  const [repetitions = '', first = '', second = '', ...rest] = text.split('/');
  const repeat = REPETITIONS.exec(repetitions);
  if (!repeat || rest.length > 0) return undefined;
  const windows = repeat[1] === undefined || repeat[1] === '-1' ? Number.POSITIVE_INFINITY : Math.max(1, Number(repeat[1]));
  const stretch = parseStretch(first, second);
  if (stretch === undefined || stretch.months > MAX_MONTHS || stretch.ms > MAX_MS) return undefined;
  return stretch.months > 0 || stretch.ms > 0 ? { ...stretch, windows } : undefined;
}

/**
 * The same time of day that many months later, on the last day of a month that is too short. Milliseconds since the
 * Unix epoch.
 */
export function addMonths(moment: number, months: number): number {
  if (months === 0) return moment;
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(date);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1);
  lastDay.setUTCDate(0);
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return date.getTime();
}

function parseStretch(first: string, second: string): { start: number; months: number; ms: number } | undefined {
  const [start, end] = [parseMoment(first), parseMoment(second)];
  if (start !== undefined && end !== undefined) return { start, months: 0, ms: end - start };
  const duration = parseDuration(start === undefined ? first : second);
  if (duration === undefined) return undefined;
  if (start !== undefined) return { start, ...duration };
  return end === undefined ? undefined : { start: addMonths(end, -duration.months) - duration.ms, ...duration };
}

function parseMoment(text: string): number | undefined {
  const match = MOMENT.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const [zoneHours, zoneMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 || zoneHours > 23 || zoneMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day < 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, fraction);
  const offset = (zoneHours * 60 + zoneMinutes) * 60 * SECOND;
  return match[8] === '-' ? date.getTime() + offset : date.getTime() - offset;
}

function parseDuration(text: string): { months: number; ms: number } | undefined {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return { months: years * 12 + months, ms: (weeks * 7 + days) * DAY + ((hours * 60 + minutes) * 60 + seconds) * SECOND };
}
