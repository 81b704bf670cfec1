import { type Day, daysLater } from '../../src-shared/calendar.ts';
import type { ReportDay } from '../../src-shared/operator-contract/shop/reports.ts';

export const SPANS = ['day', 'week', 'month'] as const;
export type Span = (typeof SPANS)[number];

/** What moved in a day, a week or a month. */
export interface SpanSums extends Omit<ReportDay, 'day'> {
  /** Its first day. A week begins on Monday (ISO 8601). */
  readonly first: Day;
}

const DAYS_OF_WEEK = 7;

/** The first day of the span that a day is in. */
export function firstDayOf(day: Day, span: Span): Day {
  if (span === 'day') return day;
  if (span === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  return daysLater(day, -weekday);
}

const nextSpan = (first: Day, span: Span): Day =>
  span === 'day' ? daysLater(first, 1) : span === 'week' ? daysLater(first, DAYS_OF_WEEK) : `${daysLater(first, 31).slice(0, 7)}-01`;

/** Adds days up to spans, oldest first. Those between two days in which nothing moved are there, with nothing. */
export function sumsBySpan(days: readonly ReportDay[], span: Span, { from, to }: { from: Day; to: Day }): SpanSums[] {
  const sums = new Map<Day, SpanSums>();
  for (let first = firstDayOf(from, span); first <= to; first = nextSpan(first, span)) sums.set(first, { first, ...NOTHING });
  for (const { day, value, count, refunded } of days) {
    const first = firstDayOf(day, span);
    const sum = sums.get(first) ?? { first, ...NOTHING };
    sums.set(first, { first, value: sum.value + value, count: sum.count + count, refunded: sum.refunded + refunded });
  }
  return [...sums.values()];
}

const NOTHING = { value: 0n, count: 0, refunded: 0n };

/** More columns than these are too narrow to be seen. */
const MOST_COLUMNS = 120;

/** The shortest spans that a picture of a period has room for. */
export const suitedTo = ({ from, to }: { from: Day; to: Day }): Span[] =>
  SPANS.filter((span) => span === 'month' || daysLater(from, MOST_COLUMNS * (span === 'week' ? DAYS_OF_WEEK : 1)) > to);
