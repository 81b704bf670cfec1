/** An ISO 8601 duration by its parts; absent ones are 0. */
export interface Duration {
  readonly years: number;
  readonly months: number;
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** A repeating interval as a limit has it: windows of one length, counted from `start`. */
export interface RepeatingInterval {
  /** How many windows there are; undefined when they never end. */
  readonly windows: number | undefined;
  readonly start: Date;
  /** The length of a window; when the interval gives an end instead, the first window's end. */
  readonly length: Duration | { readonly end: Date };
}

const DURATION =
  /^P(?=.)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

function duration(text: string): Duration | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return { years, months, weeks, days, hours, minutes, seconds };
}

function instant(text: string): Date | undefined {
  if (!INSTANT.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Reads `R[n]/start/duration` and `R[n]/start/end` so that they can be told in words. The node decides which intervals it
 * accepts and what they mean; `R0` and `R1` are both one window (decisions, "windows").
 * @returns undefined for every other form: it is shown as it stands
 */
export function parseRepeatingInterval(text: string): RepeatingInterval | undefined {
  const [repeat = '', first = '', second = '', ...rest] = text.split('/');
  const count = /^R(-1|\d{0,9})$/.exec(repeat)?.[1];
  const start = instant(first);
  if (count === undefined || start === undefined || rest.length > 0) return undefined;
  const windows = count === '' || count === '-1' ? undefined : Math.max(1, Number(count));
  const length = duration(second);
  if (length !== undefined) return { windows, start, length };
  const end = instant(second);
  return end === undefined ? undefined : { windows, start, length: { end } };
}
