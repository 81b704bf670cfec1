import { expect, test } from 'vitest';
import { dayInputText, endOfDay } from './day-input.ts';

test.each(['2026-01-31', '2024-02-29', '2026-12-31', '2026-03-29', '2026-10-25'])('the day %s ends when the next day begins', (text) => {
  const end = endOfDay(text);
  if (end === undefined) throw new Error('not read');
  expect([end.getHours(), end.getMinutes(), end.getSeconds(), end.getMilliseconds()]).toEqual([0, 0, 0, 0]);
  expect(dayInputText(new Date(end.getTime() - 1))).toBe(text);
  expect(dayInputText(end)).not.toBe(text);
});

test.each(['', 'tomorrow', '2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '2026-01-01T00:00'])('%j is no day', (text) => {
  expect(endOfDay(text)).toBeUndefined();
});
