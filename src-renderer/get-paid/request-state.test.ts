import { expect, it } from 'vitest';
import { stateOf } from './request-state.tsx';

const NOW = new Date(1_700_000_000_000);
const [before, after] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];

it.each([
  ['waiting', null, 'Waiting to be paid'],
  ['waiting', after, 'Waiting to be paid'],
  // The node writes no event at that moment, so the page reads nothing again.
  ['waiting', NOW, 'Ended before it was paid'],
  ['receiving', before, 'Ended before it was paid'],
  ['completed', before, 'Paid'],
] as const)('a request that is %s and ends at %o is called %s', (status, expiresAt, text) => {
  expect(stateOf({ status, expiresAt }, NOW).text).toBe(text);
});
