import { expect, it } from 'vitest';
import { messages } from '../../src-shared/words/console/messages.ts';
import { stageOf } from './grant-state.tsx';

const DECIDED = new Date(0);

it.each([
  ['pending', null, 'asked'],
  ['approved', DECIDED, 'allowed'],
  ['issued', DECIDED, 'allowed'],
  ['frozen', DECIDED, 'allowed'],
  ['expired', DECIDED, 'ended'],
  ['revoked', DECIDED, 'ended'],
  ['revoked', null, 'refused'],
  ['denied', DECIDED, 'refused'],
  ['lapsed', null, 'refused'],
] as const)('a %s permission that was decided at %o is told as %s', (state, decidedAt, stage) => {
  expect(stageOf({ state, decidedAt })).toBe(stage);
});

it('nothing is said to be allowed, or to have no end, while it is only asked for', () => {
  const { asked, allowed } = messages.apps.stages;
  for (const said of ['verb', 'rights', 'noBudgets', 'noEnd'] as const) expect(asked[said]).not.toBe(allowed[said]);
});
