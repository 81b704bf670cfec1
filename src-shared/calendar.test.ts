import { describe, expect, it } from 'vitest';
import { dayAt, daysLater, isDay, isTimeZone, QUARTER_MS, startOfDay } from './calendar.ts';

const midnight = (timeZone: string) => ({ timeZone, dayEndsAt: 0 });
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
    expect(new Date(startOfDay(day, midnight(zone))).toISOString().slice(0, 16)).toBe(start);
    expect(dayAt(utc(start), midnight(zone))).toBe(day);
    expect(dayAt(utc(start) - 1, midnight(zone))).toBe(daysLater(day, -1));
  });

  it('is as long as nothing where the calendar left it out', () => {
    expect(startOfDay('2011-12-30', midnight('Pacific/Apia'))).toBe(startOfDay('2011-12-31', midnight('Pacific/Apia')));
  });

  it.each([
    // The clocks went from 02:00 to 03:00: there was no 02:30.
    ['Europe/Berlin', 150, '2026-03-29', '2026-03-29T01:00', 22.5 + 1],
    ['Europe/Berlin', 180, '2026-03-28', '2026-03-28T02:00', 23],
    // From 03:00 to 02:00: 02:30 came twice, and the day begins at the first.
    ['Europe/Berlin', 150, '2026-10-25', '2026-10-25T00:30', 25],
    ['Europe/Berlin', 180, '2026-10-24', '2026-10-24T01:00', 25],
    ['America/New_York', 705, '2026-11-01', '2026-11-01T16:45', 24],
    ['Australia/Lord_Howe', 120, '2026-04-04', '2026-04-03T15:00', 24.5],
  ])(
    'in %s, with days that end %i minutes after midnight, %s begins at %s UTC and lasts %f hours',
    (timeZone, dayEndsAt, day, start, hours) => {
      const days = { timeZone, dayEndsAt };
      const [begins, ends] = [startOfDay(day, days), startOfDay(daysLater(day, 1), days)];
      expect(new Date(begins).toISOString().slice(0, 16)).toBe(start);
      expect((ends - begins) / 3_600_000).toBe(hours);
      for (let at = begins; at < ends; at += QUARTER_MS) expect(dayAt(at, days)).toBe(day);
    },
  );
});

it('only days of the calendar are days', () => {
  for (const day of ['2026-02-28', '2024-02-29', '0001-01-01']) expect(isDay(day)).toBe(true);
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '', 'today', '2026-02-28T00:00']) expect(isDay(text)).toBe(false);
});

it('only names of time zones are time zones', () => {
  expect(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta'].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(['', 'Berlin', '+01:00', 'Europe/Berlin\n', 'Etc/Nowhere'].map(isTimeZone)).toEqual([false, false, false, false, false]);
});
