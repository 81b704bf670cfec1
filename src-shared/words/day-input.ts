const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * The moment at which a day ends in the reader's time zone. It is undefined when the text is no day, such as an empty
 * date field.
 */
export function endOfDay(text: string): Date | undefined {
  const match = DAY.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const next = new Date(year, month - 1, day + 1);
  const before = new Date(year, month - 1, day);
  return before.getMonth() === month - 1 && before.getDate() === day ? next : undefined;
}

/** The day of a moment in the reader's time zone, as a date field holds it. */
export function dayInputText(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
