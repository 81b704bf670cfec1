import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leftBy, mostLeftBy, paidLeftOf, type RefundFacts, refundableOf, refundStateOf } from './refund-rule.ts';

const funded = (state: 'funded' | 'sending' | 'settling' | 'unknown' | 'completed' | 'failed', sent: bigint): RefundFacts => ({
  state: 'funded',
  amount: 100n,
  payment: { state, debitAmount: 90n, sent },
});

describe('a refund', () => {
  it.each<[string, RefundFacts, bigint, string]>([
    ['is reserved', { state: 'pending', amount: 100n }, 100n, 'pending'],
    ['has set its money aside', funded('funded', 0n), 90n, 'pending'],
    ['is on its way', funded('sending', 30n), 90n, 'pending'],
    ['waits for last answers', funded('settling', 30n), 90n, 'pending'],
    ['is known to nobody', funded('unknown', 30n), 90n, 'unknown'],
    ['has arrived', funded('completed', 88n), 88n, 'done'],
    ['has failed after a part', funded('failed', 30n), 30n, 'failed'],
    ['has failed', funded('failed', 0n), 0n, 'failed'],
    ['has failed before it was funded', { state: 'failed', amount: 100n }, 0n, 'failed'],
    ['waited in books that were put back', { state: 'doubted', amount: 100n }, 100n, 'unknown'],
  ])('that %s counts by the most that can have left', (_, facts, most, state) => {
    expect([mostLeftBy(facts), refundStateOf(facts)]).toEqual([most, state]);
    expect(refundableOf(150n, [facts])).toBe(150n - most);
  });
});

describe('what can still go back of what they paid', () => {
  const left = (...refunds: RefundFacts[]) => paidLeftOf({ paid: 1_000n, amount: 300n }, refunds);

  it('is less by what such a refund brings, and by the share of any other, rounded up', () => {
    expect(left()).toBe(1_000n);
    expect(left({ state: 'pending', amount: 100n })).toBe(666n);
    expect(left({ state: 'pending', amount: 100n, receive: 400n })).toBe(600n);
    expect(left({ ...funded('completed', 80n), receive: 400n })).toBe(600n);
    // Of 90 that were to leave 30 have left, so at most a third has arrived.
    expect(left({ ...funded('failed', 30n), receive: 400n })).toBe(866n);
    expect(left({ state: 'failed', amount: 100n, receive: 400n })).toBe(1_000n);
    expect(left({ state: 'doubted', amount: 100n, receive: 400n })).toBe(600n);
  });

  it('is nothing once all that was received has gone back, and never below that', () => {
    expect(left({ state: 'pending', amount: 300n })).toBe(0n);
    expect(left({ state: 'pending', amount: 200n, receive: 900n }, { state: 'pending', amount: 100n })).toBe(0n);
  });
});

/** What happens to the refunds of one payment: clicks, and what becomes of the money of each refund. */
const step = fc.oneof(
  fc.record({ what: fc.constant('ask' as const), amount: fc.bigInt({ min: 1n, max: 60n }) }),
  fc.record({
    what: fc.constantFrom('fund', 'fail', 'send', 'hold', 'complete', 'lose', 'give up'),
    which: fc.nat(11),
    part: fc.nat(100),
  }),
);

/** Moves one refund a step on, as the worker, the peer or the operator would. */
function moveOn(refund: RefundFacts | undefined, what: string, part: number): void {
  if (refund === undefined) return;
  const { payment } = refund;
  if (payment === undefined) {
    if (refund.state !== 'pending') return;
    if (what === 'fail') refund.state = 'failed';
    if (what !== 'fund') return;
    refund.state = 'funded';
    refund.payment = { state: 'funded', debitAmount: refund.amount, sent: 0n };
    return;
  }
  if (payment.state === 'completed' || payment.state === 'failed') return;
  const rest = payment.debitAmount - payment.sent;
  if (what === 'send') Object.assign(payment, { state: 'sending', sent: payment.sent + (rest * BigInt(part)) / 100n });
  if (what === 'hold') payment.state = 'settling';
  if (what === 'lose') payment.state = 'unknown';
  if (what === 'complete') Object.assign(payment, { state: 'completed', sent: payment.debitAmount });
  if (what === 'give up') payment.state = 'failed';
}

describe('the refunds of a payment', () => {
  it('never give back more than was received, in whatever order they are asked for, sent, settled and given up', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 120n }), fc.array(step, { maxLength: 40 }), (paid, steps) => {
        const refunds: RefundFacts[] = [];
        for (const one of steps) {
          if (one.what !== 'ask') moveOn(refunds[one.which], one.what, one.part);
          else if (one.amount <= refundableOf(paid, refunds)) refunds.push({ state: 'pending', amount: one.amount });
          const left = refunds.reduce((sum, refund) => sum + leftBy(refund), 0n);
          const most = refunds.reduce((sum, refund) => sum + mostLeftBy(refund), 0n);
          expect(left <= most && most <= paid).toBe(true);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('can be asked for again as far as one ended without leaving', () => {
    const refund = funded('failed', 30n);
    expect(refundableOf(90n, [refund])).toBe(60n);
    expect(refundableOf(90n, [refund, { state: 'pending', amount: 60n }])).toBe(0n);
  });
});
