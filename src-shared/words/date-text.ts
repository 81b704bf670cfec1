import { type Day, dayAt } from '../calendar.ts';
import { locale } from './language/locale.ts';
import { shopDays, timeZone } from './time-zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formatter = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (date: Date, tag: string): string => {
    const zone = options.timeZone ?? timeZone();
    const key = `${tag} ${zone}`;
    let format = formats.get(key);
    if (format === undefined) {
      format = new Intl.DateTimeFormat(tag, { ...options, timeZone: zone });
      formats.set(key, format);
    }
    return format.format(date);
  };
};

const full = formatter({ dateStyle: 'medium', timeStyle: 'medium' });
const day = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const dayOfYear = formatter({ day: 'numeric', month: 'short' });
const time = formatter({ timeStyle: 'short' });
const utcDay = formatter({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const utcMonth = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortUtcDay = formatter({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const utcClock = formatter({ timeStyle: 'short', timeZone: 'UTC' });
const utcTime = formatter({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC', hourCycle: 'h23' });

/** Date and time to the second, in the time zone of the texts. */
export const dateTimeText = (date: Date, tag: string = locale()): string => full(date, tag);

/** A time of day, such as 03:00. @param minutes after midnight */
export const clockText = (minutes: number, tag: string = locale()): string => utcClock(new Date(minutes * MINUTE), tag);

/** The date without a time, such as 3 May 2026. */
export const dateText = (date: Date, tag: string = locale()): string => day(date, tag);

/** The time without a date, such as 14:05. */
export const timeText = (date: Date, tag: string = locale()): string => time(date, tag);

/**
 * A moment in the shortest form that is clear at `now`: the time for the shop's today, the day for this year, and the
 * date otherwise.
 */
export function whenText(date: Date, now: Date, tag: string = locale()): string {
  const [its, today] = [date, now].map((moment) => dayAt(moment.getTime(), shopDays()));
  if (its === today) return time(date, tag);
  const text = its?.slice(0, 4) === today?.slice(0, 4) ? dayOfYear(date, tag) : day(date, tag);
  return `${text}, ${time(date, tag)}`;
}

/**
 * A moment that the rules count in UTC, such as the start of a window. The time is named only when it is not midnight.
 */
export function utcText(date: Date, tag: string = locale()): string {
  const isMidnight = date.getUTCHours() === 0 && date.getUTCMinutes() === 0;
  return isMidnight ? utcDay(date, tag) : `${utcDay(date, tag)}, ${utcTime(date, tag)} UTC`;
}

/** A day of the calendar, such as 3 May. */
export const dayText = (day: Day, tag: string = locale()): string => shortUtcDay(new Date(`${day}T00:00:00Z`), tag);

/** A day of the calendar with its year, such as 3 May 2026. */
export const yearDayText = (day: Day, tag: string = locale()): string => utcDay(new Date(`${day}T00:00:00Z`), tag);

/** The month of a day, with the year. */
export const monthText = (day: Day, tag: string = locale()): string => utcMonth(new Date(`${day}T00:00:00Z`), tag);

/** The distance between two moments in its largest whole unit, such as "in 9 minutes" or "2 days ago". */
export function distanceText(to: Date, now: Date, tag: string = locale()): string {
  const ms = to.getTime() - now.getTime();
  const size = Math.abs(ms);
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'always' });
  if (size < MINUTE) return format.format(Math.trunc(ms / 1000), 'second');
  if (size < HOUR) return format.format(Math.trunc(ms / MINUTE), 'minute');
  if (size < DAY) return format.format(Math.trunc(ms / HOUR), 'hour');
  return format.format(Math.trunc(ms / DAY), 'day');
}
