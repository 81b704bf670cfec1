/**
 * A day of the shop, as YYYY-MM-DD (ISO 8601): the calendar day on which it begins. Texts of days sort as the days
 * do.
 */
export type Day = string;

/** How a shop counts its days. */
export interface ShopDays {
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /**
   * The time when a day ends and the next one begins, in minutes after midnight, in whole quarters of an hour: with
   * 180, a sale at 02:30 belongs to the day before.
   */
  readonly dayEndsAt: number;
}

/** The offset of every time zone in use is a whole number of quarters of an hour. */
export const QUARTER_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The clocks of the earliest and of the latest time zone show times that are 26 hours apart. */
const EAST_MS = 14 * HOUR_MS;
const WEST_MS = 12 * HOUR_MS;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The calendar and the digits are named, because the reader's own may be others.
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  });
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

/** What the clock on the wall shows at a moment, as the milliseconds of a clock that shows the same in UTC. */
function wallAt(at: number, timeZone: string): number {
  const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(at))
    if (Object.hasOwn(shown, type)) Object.assign(shown, { [type]: +value });
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
}

/**
 * The milliseconds by which the clock on the wall is ahead of UTC at a moment. Fractions of a second are the same
 * everywhere.
 */
export const offsetAt = (at: number, timeZone: string): number => wallAt(at, timeZone) - (at - (((at % 1_000) + 1_000) % 1_000));

/** The beginnings of days that were asked for. Sums of a year ask for the same few again and again. */
const starts = new Map<string, number>();
const MOST_STARTS = 20_000;

/** The day so many days later. A negative number goes back. */
export const daysLater = (day: Day, days: number): Day => plainDay(plainMs(day) + days * DAY_MS);

/**
 * The first moment of a day of the shop, in milliseconds since the Unix epoch: when the clock on the wall reaches the
 * end of the day before for the first time, or jumps over it. It is on a quarter of an hour, as the sums of the
 * ledger are. The days follow each other without a gap. A day that a time zone has left out is as long as nothing.
 */
export function startOfDay(day: Day, { timeZone, dayEndsAt }: ShopDays): number {
  const key = `${timeZone} ${dayEndsAt} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  if (starts.size >= MOST_STARTS) starts.clear();
  const start = Math.ceil(firstReached(plainMs(day) + dayEndsAt * MINUTE_MS, timeZone) / QUARTER_MS) * QUARTER_MS;
  starts.set(key, start);
  return start;
}

/** The moment at which the clock on the wall first shows `wall` or more. */
function firstReached(wall: number, timeZone: string): number {
  const [from, to] = [wall - EAST_MS - HOUR_MS, wall + WEST_MS + HOUR_MS];
  const [before, after] = [offsetAt(from, timeZone), offsetAt(to, timeZone)];
  if (before === after) return wall - before;
  const change = changeBetween(from, to, timeZone);
  if (wall - before < change) return wall - before;
  return Math.max(wall - after, change);
}

/** The moment between two others at which the clocks are changed. They are changed on a whole minute. */
function changeBetween(from: number, to: number, timeZone: string): number {
  const old = offsetAt(from, timeZone);
  let [before, reached] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (offsetAt(middle * MINUTE_MS, timeZone) === old) before = middle;
    else reached = middle;
  }
  return reached * MINUTE_MS;
}

/** The day of the shop to which a moment belongs (milliseconds since the Unix epoch). */
export function dayAt(at: number, days: ShopDays): Day {
  let day = plainDay(wallAt(at, days.timeZone) - days.dayEndsAt * MINUTE_MS);
  // An hour that the clocks repeat belongs to the day that had begun before.
  while (startOfDay(daysLater(day, 1), days) <= at) day = daysLater(day, 1);
  while (startOfDay(day, days) > at) day = daysLater(day, -1);
  return day;
}
