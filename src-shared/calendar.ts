/** A calendar day, as YYYY-MM-DD (ISO 8601). Texts of days sort as the days do. */
export type Day = string;

/** The offset of every time zone in use is a whole number of quarters of an hour. */
export const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The calendar and the digits are named, because the reader's own may be others.
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, made);
  return made;
}

/** Whether a text names a time zone of the IANA database, such as `Europe/Berlin`. Older spellings count, too. */
export function isTimeZone(text: string): boolean {
  // An offset such as +01:00 is not the name of a place, and has no summer time.
  if (!/^[A-Za-z][\w+\-/]*$/.test(text)) return false;
  try {
    return formatOf(text) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): text is Day => DAY.test(text) && plainDay(plainMs(text)) === text;

const plainMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const plainDay = (ms: number): Day => (Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10));

/** The day that the calendar on the wall shows at a moment (milliseconds since the Unix epoch) in a time zone. */
export function dayAt(at: number, timeZone: string): Day {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${(parts.year ?? '').padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** The day so many days later. A negative number goes back. */
export const daysLater = (day: Day, days: number): Day => plainDay(plainMs(day) + days * DAY_MS);

/**
 * The first moment of a day in a time zone, in milliseconds since the Unix epoch. It is midnight, or the first moment
 * after it where the clocks are put forward at midnight. A day that a time zone has left out is as long as nothing.
 */
export function startOfDay(day: Day, timeZone: string): number {
  // Between the earliest and the latest time zone lie 26 hours. The first quarter of an hour on that day, or later, is
  // looked for among them.
  let before = plainMs(day) / QUARTER_MS - 15 * 4;
  let reached = plainMs(day) / QUARTER_MS + 13 * 4;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayAt(middle * QUARTER_MS, timeZone) >= day) reached = middle;
    else before = middle;
  }
  return reached * QUARTER_MS;
}
