/**
 * Midnight at the start of a day such as `2026-03-14`, or `later` days after it, in the reader's time zone. It is
 * undefined when there is no such day.
 */
export function startOf(day: string | undefined, later = 0): Date | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date);
  const isThatDay = start.getFullYear() === year && start.getMonth() === month - 1 && start.getDate() === date;
  return isThatDay ? new Date(year, month - 1, date + later) : undefined;
}
