import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAt, daysLater, QUARTER_MS, type ShopDays, startOfDay } from '../../src-shared/calendar.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 1);
const isLong = process.env.PAYDESK_TEST_LONG === '1';
const HOUR = 3_600_000;
/** Islands that changed to the other side of the date line left a day out. */
const LEFT_OUT = new Set(['Pacific/Apia', 'Pacific/Fakaofo']);

/** What the clock on the wall shows, by another way than the calendar's. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function wall(at: number, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock.format(at);
}

/** What is strange about the days of a year. */
function strangeDays(year: number, days: ShopDays, salt: number): string[] {
  const end = new Date(days.dayEndsAt * 60_000).toISOString().slice(11, 16);
  const strange: string[] = [];
  let [day, start] = [`${year}-01-01`, startOfDay(`${year}-01-01`, days)];
  while (day <= `${year}-12-31`) {
    const [next, after] = [daysLater(day, 1), startOfDay(daysLater(day, 1), days)];
    const hours = (after - start) / HOUR;
    const inside = start + ((salt * 97) % Math.max(1, after - start));
    const isFound = hours === 0 || [start, inside, after - 1].every((at) => dayAt(at, days) === day);
    // A station in Antarctica moves its clocks by three hours.
    const isLength = (hours >= 21 && hours <= 27) || (year === 2011 && LEFT_OUT.has(days.timeZone));
    // Where the clocks jump over the end, the day begins with the jump, or at the next quarter of an hour.
    const [shown, before] = [wall(start, days.timeZone), wall(start - QUARTER_MS, days.timeZone)];
    const isBegin = shown === `${day} ${end}` || (before < `${day} ${end}` && shown > `${day} ${end}`);
    if (!isFound || !isLength || !(isBegin || hours === 0)) strange.push(`${day}: ${hours} h from ${shown}`);
    [day, start] = [next, after];
  }
  return strange;
}

describe('a day of the shop', () => {
  // Every moment is in exactly one day, because a day ends where the next one begins. What is left to see: no day
  // begins before the one before, a moment is found in its own day, and the clock on the wall shows the end of the
  // day there.
  it('follows the day before, in every time zone and year', { timeout: 3_600_000 }, () => {
    const random = fc.sample(fc.nat(1_000_000), { seed: SEED, numRuns: 3 * ZONES.length });
    for (const [index, timeZone] of ZONES.entries()) {
      const years = isLong ? Array.from({ length: 101 }, (_, year) => 2000 + year) : [2000 + ((random[3 * index] ?? 0) % 101)];
      const dayEndsAt = ((random[3 * index + 1] ?? 0) % 48) * 15;
      for (const year of years) {
        const found = { timeZone, dayEndsAt, year, strange: strangeDays(year, { timeZone, dayEndsAt }, random[3 * index + 2] ?? 0) };
        expect(found).toEqual({ timeZone, dayEndsAt, year, strange: [] });
      }
    }
  });
});
