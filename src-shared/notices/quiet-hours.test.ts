import { expect, it } from 'vitest';
import { isQuiet } from './quiet-hours.ts';

const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const quiet = (from: string, until: string, now: string) => isQuiet({ from, until }, at(now));

it('quiet hours are the time between two times of one day, without the end', () => {
  const times = ['08:59', '09:00', '12:00', '16:59', '17:00'];
  expect(times.map((now) => quiet('09:00', '17:00', now))).toEqual([false, true, true, true, false]);
});

it('quiet hours may go over midnight', () => {
  const times = ['21:59', '22:00', '23:59', '00:00', '06:59', '07:00', '12:00'];
  expect(times.map((now) => quiet('22:00', '07:00', now))).toEqual([false, true, true, true, true, false, false]);
});

it('there are no quiet hours without a setting', () => {
  expect(isQuiet(null, 0)).toBe(false);
});
