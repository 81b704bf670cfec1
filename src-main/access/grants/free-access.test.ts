import { expect, test } from 'vitest';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { needsOperator } from '../grant-rows.ts';
import type { WireAccess } from '../rights/wire-access.ts';

const told = messages.apps.free({ count: 1 });

test.each([
  ['incoming-payment', 'create', false, 'to ask for money to be paid in'],
  ['incoming-payment', 'complete', false, 'to see and close what they asked for'],
  ['incoming-payment', 'list', false, 'to see and close what they asked for'],
  ['incoming-payment', 'read-all', false, 'to read a payment whose link they have'],
  ['quote', 'create', false, 'to ask what a payment would cost'],
  ['incoming-payment', 'list-all', true, 'cannot list your payments'],
  ['outgoing-payment', 'create', true, 'cannot spend'],
] as const)('whether the operator is asked about %s: %s is %s, and the line about free access says so', (type, action, isAsked, words) => {
  expect(needsOperator([{ type, actions: [action] } as WireAccess], undefined)).toBe(isAsked);
  expect(told).toContain(words);
});
