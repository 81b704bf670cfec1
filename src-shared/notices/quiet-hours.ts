/** Two different times of a day, such as `22:00` and `07:00`. They may span midnight. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/** Whether no notification is shown now. @param now local time of this computer, in minutes since midnight, 0–1439 */
export function isQuiet(quietHours: QuietHours | null, now: number): boolean {
  if (quietHours === null) return false;
  const from = minutesOf(quietHours.from);
  const until = minutesOf(quietHours.until);
  return from < until ? now >= from && now < until : now >= from || now < until;
}

/** @param time such as `07:30` */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Local time of this computer, in minutes since midnight. @param now milliseconds since the Unix epoch */
export function minuteOfDay(now: number): number {
  const local = new Date(now);
  return local.getHours() * 60 + local.getMinutes();
}
