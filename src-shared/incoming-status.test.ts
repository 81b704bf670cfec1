import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INCOMING_STATUSES, type IncomingFacts, incomingStatus, takesMoney } from './incoming-status.ts';

const NOW = 1_700_000_000_000;
const open: IncomingFacts = { completed: false, received: 0n, asked: 4_800n, endsAt: null, isOwn: true };

it.each<[string, Partial<IncomingFacts>, string]>([
  ['asked for and not paid', {}, 'waiting'],
  ['asked for until later', { endsAt: NOW + 1 }, 'waiting'],
  ['over before anything arrived', { endsAt: NOW }, 'expired'],
  ['paid in part', { received: 1n }, 'partly_paid'],
  ['paid in part when its time was over', { received: 1n, endsAt: NOW }, 'partly_paid'],
  ['completed early with a part', { received: 1n, completed: true }, 'partly_paid'],
  ['paid in full', { received: 4_800n, completed: true }, 'paid'],
  ['for any amount, with some of it', { received: 1n, asked: null }, 'paid'],
  ['for any amount, completed', { received: 1n, asked: null, completed: true }, 'paid'],
  ['completed by the operator with nothing in it', { completed: true }, 'cancelled'],
  ['completed by its app with nothing in it', { completed: true, isOwn: false }, 'nothing_received'],
  ['completed with nothing in it, for any amount', { completed: true, isOwn: false, asked: null }, 'nothing_received'],
])('a payment %s is %o: %s', (_, facts, status) => {
  expect(incomingStatus({ ...open, ...facts }, NOW)).toBe(status);
});

it('no payment is called paid when nothing has arrived, and none is said to wait when it takes no money', () => {
  const facts = fc.record({
    completed: fc.boolean(),
    received: fc.bigInt({ min: 0n, max: 3n }),
    asked: fc.option(fc.bigInt({ min: 1n, max: 3n })),
    endsAt: fc.option(fc.integer({ min: NOW - 1, max: NOW + 1 })),
    isOwn: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (one) => {
      const status = incomingStatus(one, NOW);
      expect(INCOMING_STATUSES).toContain(status);
      expect(['paid', 'partly_paid'].includes(status)).toBe(one.received > 0n);
      expect(status === 'waiting').toBe(one.received === 0n && takesMoney(one, NOW));
    }),
  );
});
