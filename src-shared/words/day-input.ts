import { dayAt, daysLater, isDay, startOfDay } from '../calendar.ts';
import { timeZone } from './time-zone.ts';

/**
 * Midnight at the start of a day such as `2026-03-14`, or `later` days after it, in the time zone of the texts. It is
 * undefined when the text is no day, such as an empty date field.
 */
export function startOf(text: string | undefined, later = 0): Date | undefined {
  return text !== undefined && isDay(text) ? new Date(startOfDay(daysLater(text, later), timeZone())) : undefined;
}

/** The moment at which a day ends in the time zone of the texts. It is undefined when the text is no day. */
export const endOfDay = (text: string): Date | undefined => startOf(text, 1);

/** The day of a moment in the time zone of the texts, as a date field holds it. */
export const dayInputText = (date: Date): string => dayAt(date.getTime(), timeZone());
