import { expect, test } from 'vitest';
import { distanceText, utcText, whenText } from './date-text.ts';

const now = new Date(2026, 2, 14, 10, 20);

test('a distance is written in its largest whole unit, in the past and in the future', () => {
  const after = (seconds: number) => distanceText(new Date(now.getTime() + seconds * 1000), now, 'en');
  expect(after(45)).toBe('in 45 seconds');
  expect(after(9 * 60 + 59)).toBe('in 9 minutes');
  expect(after(-3600)).toBe('1 hour ago');
  expect(after(3 * 86_400)).toBe('in 3 days');
});

test('the text of a near day is shorter than that of a distant one', () => {
  expect(whenText(new Date(2026, 2, 14, 9, 5), now, 'en-GB')).toBe('09:05');
  expect(whenText(new Date(2026, 1, 3, 9, 5), now, 'en-GB')).toBe('3 Feb, 09:05');
  expect(whenText(new Date(2025, 1, 3, 9, 5), now, 'en-GB')).toBe('3 Feb 2025, 09:05');
});

test('moments that are counted in UTC are written in UTC in every time zone', () => {
  expect(utcText(new Date('2026-01-01T00:00:00Z'), 'en-GB')).toBe('1 January 2026');
  expect(utcText(new Date('2026-01-01T22:30:00Z'), 'en-GB')).toBe('1 January 2026, 22:30 UTC');
});

test('midnight is a day without a time, whatever digits a language has', () => {
  expect(utcText(new Date('2026-01-01T00:00:00Z'), 'ar-EG')).not.toContain('UTC');
  expect(utcText(new Date('2026-01-01T00:01:00Z'), 'ar-EG')).toContain('UTC');
});
