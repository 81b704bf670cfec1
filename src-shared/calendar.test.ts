import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAt, daysLater, isDay, isTimeZone, QUARTER_MS, startOfDay } from './calendar.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);

describe('a day in a time zone', () => {
  it.each([
    ['UTC', '2026-03-01', '2026-03-01T00:00'],
    ['Asia/Tokyo', '2026-03-01', '2026-02-28T15:00'],
    ['America/New_York', '2026-03-01', '2026-03-01T05:00'],
    ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15'],
    ['Pacific/Kiritimati', '2026-03-01', '2026-02-28T10:00'],
    ['Pacific/Pago_Pago', '2026-03-01', '2026-03-01T11:00'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00'],
    // The clocks went from 00:00 to 01:00, so this day began at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00'],
  ])('begins in %s on %s at %s UTC', (zone, day, start) => {
    expect(new Date(startOfDay(day, zone)).toISOString().slice(0, 16)).toBe(start);
    expect(dayAt(utc(start), zone)).toBe(day);
    expect(dayAt(utc(start) - 1, zone)).toBe(daysLater(day, -1));
  });

  it('is as long as nothing where the calendar left it out', () => {
    expect(startOfDay('2011-12-30', 'Pacific/Apia')).toBe(startOfDay('2011-12-31', 'Pacific/Apia'));
  });

  it('holds every moment exactly once, in every time zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const moments = fc.integer({ min: utc('1990-01-01T00:00') / QUARTER_MS, max: utc('2060-01-01T00:00') / QUARTER_MS });
    fc.assert(
      fc.property(zones, moments, (zone, quarter) => {
        const at = quarter * QUARTER_MS;
        const day = dayAt(at, zone);
        expect(startOfDay(day, zone)).toBeLessThanOrEqual(at);
        expect(startOfDay(daysLater(day, 1), zone)).toBeGreaterThan(at);
      }),
    );
  });
});

it('only days of the calendar are days', () => {
  for (const day of ['2026-02-28', '2024-02-29', '0001-01-01']) expect(isDay(day)).toBe(true);
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '', 'today', '2026-02-28T00:00']) expect(isDay(text)).toBe(false);
});

it('only names of time zones are time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta'].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(['', 'Berlin', '+01:00', 'Europe/Berlin\n', 'Etc/Nowhere'].map(isTimeZone)).toEqual([false, false, false, false, false]);
});
