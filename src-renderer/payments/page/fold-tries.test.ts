import { expect, it } from 'vitest';
import { foldTries } from './fold-tries.ts';

const at = (seconds: number) => new Date(seconds * 1_000);
const entry = (type: string, seconds: number) => ({
  position: BigInt(seconds),
  type: `outgoing_payment.${type}`,
  body: {},
  since: at(seconds),
  at: at(seconds),
  events: 1,
});

it('the timeline tells tries in a row as one, and begins anew after something was sent', () => {
  const types = ['created', 'sending', 'retrying', 'retrying', 'sending', 'retrying', 'sending', 'sent', 'retrying', 'completed'];
  const told = foldTries(types.map(entry));
  expect(told.map(({ type, events }) => `${type.split('.')[1]} ${events}`)).toEqual([
    'created 1',
    'sending 1',
    'retrying 3',
    'sent 1',
    'retrying 1',
    'completed 1',
  ]);
  expect(told[2]).toMatchObject({ position: 2n, since: at(2), at: at(6) });
});
