import { type Day, daysLater, isDay } from '../calendar.ts';

/** The days of a statement, both of the shop and both in it. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

const MONTH = /^(\d{4})-(\d\d)$/;
const QUARTER = /^(\d{4})-Q([1-4])$/i;
const YEAR = /^\d{4}$/;

const two = (number: number): string => String(number).padStart(2, '0');

/** The days of so many months from the beginning of a month. It is undefined where there is no such month. */
function months(year: string, first: number, count: number): Period | undefined {
  const from = `${year}-${two(first)}-01`;
  const next = first + count > 12 ? `${String(Number(year) + 1).padStart(4, '0')}-01-01` : `${year}-${two(first + count)}-01`;
  return isDay(from) && isDay(next) ? { from, to: daysLater(next, -1) } : undefined;
}

/** The days of a month, such as 2026-11. */
export function monthPeriod(text: string): Period | undefined {
  const [, year, month] = MONTH.exec(text) ?? [];
  return year === undefined ? undefined : months(year, Number(month), 1);
}

/** The days of a quarter of a year, such as 2026-Q4. */
export function quarterPeriod(text: string): Period | undefined {
  const [, year, quarter] = QUARTER.exec(text) ?? [];
  return year === undefined ? undefined : months(year, 3 * Number(quarter) - 2, 3);
}

/** The days of a year, such as 2026. */
export const yearPeriod = (text: string): Period | undefined => (YEAR.test(text) ? months(text, 1, 12) : undefined);

/** The month of a day, such as 2026-11, or one that lies so many months before. */
export function monthOf(day: Day, before = 0): string {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - before;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${two((month % 12) + 1)}`;
}

/** The quarter of a day, such as 2026-Q4. */
export const quarterOfDay = (day: Day): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

/** The longest period: ten years and a few days. */
const MOST_DAYS = 3_660;

/** Whether two texts are the first and the last day of a period that a statement can have. */
export const isPeriod = (from: string, to: string): boolean => isDay(from) && isDay(to) && from <= to && to <= daysLater(from, MOST_DAYS);
