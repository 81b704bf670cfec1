import { describe, expect, it } from 'vitest';
import type { EventType } from '../../../src-shared/event-types.ts';
import { gather, type Occasion, occasionOf } from './occasions.ts';

const event = (type: EventType, body: Record<string, string> = {}) => occasionOf({ type, subject: 'x', body });

describe('an occasion for a notification', () => {
  it('is a payment that brought money, unless the operator completed it', () => {
    expect(event('incoming_payment.completed', { received: '5' })).toEqual({ kind: 'paid', paymentId: 'x' });
    expect(event('incoming_payment.completed', { received: '5', by: 'operator' })).toBeUndefined();
    // An app closes its own payment: with something in it that is news, with nothing in it any stranger can do it.
    expect(event('incoming_payment.completed', { received: '5', by: 'https://app.example/till' })).toEqual({
      kind: 'paid',
      paymentId: 'x',
    });
    expect(event('incoming_payment.completed', { received: '0', by: 'https://app.example/till' })).toBeUndefined();
    expect(event('incoming_payment.received', { amount: '5' })).toBeUndefined();
  });

  it('is a payment that failed, a claim that waits, a request that can be decided, and what apps spend', () => {
    expect(event('outgoing_payment.failed')).toEqual({ kind: 'failed', paymentId: 'x' });
    expect(event('incoming_payment.claim_waits')).toEqual({ kind: 'claim', paymentId: 'x' });
    expect(event('grant.opened')).toEqual({ kind: 'approval', requestId: 'x' });
    expect(event('outgoing_payment.created', { amount: '12', grant: 'g' })).toEqual({ kind: 'spent', grantId: 'g', amount: 12n });
  });

  it('is nothing the operator has done, and no request whose page nobody has opened', () => {
    expect(event('outgoing_payment.created', { amount: '12' })).toBeUndefined();
    for (const type of ['grant.requested', 'grant.approved', 'account.deposited', 'token.rotated', 'outgoing_payment.completed'] as const) {
      expect(event(type)).toBeUndefined();
    }
  });
});

describe('the occasions of a while', () => {
  const paid = (count: number): Occasion[] => Array.from({ length: count }, (_, index) => ({ kind: 'paid', paymentId: String(index) }));

  it('are told one by one while they are few', () => {
    expect(gather([...paid(3), { kind: 'approval', requestId: 'r' }])).toEqual([{ kind: 'approval', requestId: 'r' }, ...paid(3)]);
  });

  it('are counted when they are many', () => {
    const failed = Array.from({ length: 5 }, (): Occasion => ({ kind: 'failed', paymentId: 'x' }));
    const claims = Array.from({ length: 4 }, (): Occasion => ({ kind: 'claim', paymentId: 'x' }));
    expect(gather([...paid(4), ...failed, ...claims])).toEqual([
      { kind: 'many_claims', count: 4 },
      { kind: 'many_failed', count: 5 },
      { kind: 'many_paid', count: 4 },
    ]);
    expect(gather(paid(100_000))).toEqual([{ kind: 'many_paid', count: 100_000 }]);
  });

  it('add up what each app has spent', () => {
    const spent = (grantId: string, amount: bigint): Occasion => ({ kind: 'spent', grantId, amount });
    expect(gather([spent('a', 1n), spent('b', 5n), spent('a', 2n)])).toEqual([spent('a', 3n), spent('b', 5n)]);
  });
});
