import { dayAt, daysLater, isDay, startOfDay } from '../calendar.ts';
import { shopDays } from './time-zone.ts';

/**
 * The first moment of a day of the shop such as `2026-03-14`, or of the day `later` days after it. It is
 * undefined when the text is no day, such as an empty date field.
 */
export function startOf(text: string | undefined, later = 0): Date | undefined {
  return text !== undefined && isDay(text) ? new Date(startOfDay(daysLater(text, later), shopDays())) : undefined;
}

/** The moment at which a day of the shop ends. It is undefined when the text is no day. */
export const endOfDay = (text: string): Date | undefined => startOf(text, 1);

/** The shop's day of a moment, as a date field holds it. */
export const dayInputText = (date: Date): string => dayAt(date.getTime(), shopDays());
