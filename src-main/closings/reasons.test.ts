import { expect, it } from 'vitest';
import { Reasons } from './reasons.ts';

it('names the ten most frequent reasons, and counts the others together', () => {
  const reasons = new Reasons();
  for (let n = 0; n < 13; n += 1) for (let times = 0; times <= n; times += 1) reasons.add(`reason ${String(n).padStart(2, '0')}`);
  reasons.add('reason 00', 4);
  const listed = reasons.list();
  expect(listed.slice(0, 3)).toEqual([
    { reason: 'reason 12', count: 13 },
    { reason: 'reason 11', count: 12 },
    { reason: 'reason 10', count: 11 },
  ]);
  expect(listed.slice(8)).toEqual([
    { reason: 'reason 00', count: 5 },
    { reason: 'reason 04', count: 5 },
    { reason: null, count: 2 + 3 + 4 },
  ]);
  expect(reasons.count).toBe(91 + 4);
});
