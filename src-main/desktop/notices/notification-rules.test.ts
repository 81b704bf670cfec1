import { describe, expect, it } from 'vitest';
import { detailNow, isQuiet, type ScreenState } from './notification-rules.ts';

describe('quiet hours', () => {
  const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const quiet = (from: string, until: string, now: string) => isQuiet({ quietHours: { from, until } }, at(now));

  it('are the time between two times of one day, without the end', () => {
    expect(['08:59', '09:00', '12:00', '16:59', '17:00'].map((now) => quiet('09:00', '17:00', now))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('may go over midnight', () => {
    const times = ['21:59', '22:00', '23:59', '00:00', '06:59', '07:00', '12:00'];
    expect(times.map((now) => quiet('22:00', '07:00', now))).toEqual([false, true, true, true, true, false, false]);
  });

  it('are none without a setting', () => {
    expect(isQuiet({ quietHours: null }, 0)).toBe(false);
  });
});

describe('the detail of a notification', () => {
  it.each([
    ['when_locked', 'active', 'everything'],
    ['when_locked', 'idle', 'everything'],
    ['when_locked', 'locked', 'nothing'],
    ['when_locked', 'unknown', 'nothing'],
    ['always', 'active', 'no_amounts'],
    ['always', 'locked', 'nothing'],
    ['always', 'unknown', 'nothing'],
  ] as const)('follows from amounts that are hidden %s and a screen that is %s: %s', (hideAmounts, screen: ScreenState, detail) => {
    expect(detailNow({ hideAmounts }, screen)).toBe(detail);
  });
});
