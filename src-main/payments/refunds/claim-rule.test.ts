import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClaimFacts, claimableOf, isOpenAt, judge, leftOf, mostLeftByClaim } from './claim-rule.ts';
import { leftBy, mostLeftBy, type RefundFacts, refundableOf } from './refund-rule.ts';
import type { ClaimedBy } from './tables.ts';

const END = 1_000;
const claim = (state: ClaimFacts['state'], amount = 100n): ClaimFacts => ({ state, amount, expiresAt: END });

describe('a claim', () => {
  it.each<[ClaimFacts['state'], number, bigint]>([
    ['open', END - 1, 100n],
    ['deciding', END - 1, 100n],
    ['open', END, 0n],
    ['deciding', END, 0n],
    ['refunded', 0, 0n],
    ['cancelled', 0, 0n],
    ['expired', 0, 0n],
    ['refused', 0, 0n],
    ['doubted', END, 100n],
  ])('that is %s counts by the most that may still leave by it', (state, at, most) => {
    expect(mostLeftByClaim(claim(state), at)).toBe(most);
    expect(isOpenAt(claim(state), at)).toBe((state === 'open' || state === 'deciding') && at < END);
    expect(leftOf({ received: 150n, refunds: [], claims: [claim(state)] }, at)).toBe(150n - most);
  });

  it('gives back only what came from nobody who is known', () => {
    expect(claimableOf({ received: 150n, refunds: [], claims: [] }, 100n, 0)).toBe(50n);
    const proven = { state: 'pending' as const, amount: 100n, claimed: null };
    expect(claimableOf({ received: 150n, refunds: [proven], claims: [claim('open', 20n)] }, 100n, 0)).toBe(30n);
    // A payer who was proven after the claim takes nothing away that has left.
    const claimed = { state: 'pending' as const, amount: 120n, claimed: 'wallet' as const };
    expect(claimableOf({ received: 150n, refunds: [claimed], claims: [] }, 150n, 0)).toBe(0n);
    expect(leftOf({ received: 150n, refunds: [claimed], claims: [] }, 0)).toBe(30n);
  });
});

type Refund = RefundFacts & { claimed: ClaimedBy | null; of: number | null };
type Claim = ClaimFacts & { number: number };

/** What happens to one payment of which a part is proven: clicks, wallets, time, and what becomes of the money. */
const step = fc.record({
  what: fc.constantFrom('refund', 'claim', 'confirm', 'confirm', 'cancel', 'decide', 'copy', 'prove', 'wait', 'fail', 'send', 'give up'),
  which: fc.nat(5),
  amount: fc.bigInt({ min: 1n, max: 60n }),
  part: fc.nat(100),
});

class World {
  refunds: Refund[] = [];
  claims: Claim[] = [];
  at = 0;
  proven: bigint;
  readonly received: bigint;

  constructor(received: bigint, proven: bigint) {
    this.received = received;
    this.proven = proven < received ? proven : received;
  }

  take({ what, which, amount, part }: { what: string; which: number; amount: bigint; part: number }): void {
    const one = this.claims[which];
    const refund = this.refunds[which];
    if (what === 'wait') this.at += 300;
    // A payer can be proven later, whatever was claimed.
    if (what === 'prove') this.proven = this.received;
    if (what === 'refund') this.#refund(amount);
    if (what === 'claim') this.#claim(amount);
    if (what === 'confirm' && one !== undefined) this.#confirm(one);
    if (what === 'cancel' && one !== undefined && isOpenAt(one, this.at)) one.state = 'cancelled';
    if (what === 'decide' && one?.state === 'open') one.state = 'deciding';
    if (what === 'copy') for (const each of this.claims) if (isOpenAt(each, this.at)) each.state = 'doubted';
    if (refund !== undefined) moveOn(refund, what, part);
  }

  #refund(amount: bigint): void {
    const theirs = this.refunds.filter(({ claimed }) => claimed === null);
    if (amount <= refundableOf(this.proven, theirs) && amount <= leftOf(this, this.at)) {
      this.refunds.push({ state: 'pending', amount, claimed: null, of: null });
    }
  }

  #claim(amount: bigint): void {
    if (this.claims.some((each) => isOpenAt(each, this.at))) return;
    if (amount > claimableOf(this, this.proven, this.at)) return;
    this.claims.push({ state: 'open', amount, expiresAt: this.at + END, number: this.claims.length });
  }

  /** The write that ends a claim looks at everything again. */
  #confirm(one: Claim): void {
    if (!isOpenAt(one, this.at)) return;
    const others = this.claims.filter((each) => each !== one);
    if (one.amount > leftOf({ ...this, claims: others }, this.at)) return;
    one.state = 'refunded';
    this.refunds.push({ state: 'pending', amount: one.amount, claimed: 'wallet', of: one.number });
  }
}

function moveOn(refund: Refund, what: string, part: number): void {
  if (refund.payment === undefined) {
    if (what === 'fail') refund.state = 'failed';
    if (what === 'send' && refund.state === 'pending') {
      refund.state = 'funded';
      refund.payment = { state: 'sending', debitAmount: refund.amount, sent: (refund.amount * BigInt(part)) / 100n };
    }
    return;
  }
  if (what === 'send' && refund.payment.state === 'sending') Object.assign(refund.payment, { state: 'completed', sent: refund.amount });
  if (what === 'give up' && refund.payment.state === 'sending') refund.payment.state = 'failed';
}

it('refunds and claims together never give back more than was received, and a claim has one refund, whatever happens when', () => {
  const received = fc.bigInt({ min: 1n, max: 120n });
  fc.assert(
    fc.property(received, fc.bigInt({ min: 0n, max: 120n }), fc.array(step, { maxLength: 40 }), (all, proven, steps) => {
      const world = new World(all, proven);
      for (const one of steps) {
        world.take(one);
        const left = world.refunds.reduce((sum, refund) => sum + leftBy(refund), 0n);
        const most = world.refunds.reduce((sum, refund) => sum + mostLeftBy(refund), 0n);
        const open = world.claims.reduce((sum, each) => sum + mostLeftByClaim(each, world.at), 0n);
        expect(left <= most && most + open <= all).toBe(true);
        const made = world.refunds.flatMap(({ of }) => of ?? []);
        expect(new Set(made).size).toBe(made.length);
      }
    }),
    { numRuns: 1_500 },
  );
});

describe('a wallet that says that it paid', () => {
  const told = { amount: 1_000n, said: 1_000n, came: 1_000n as bigint | undefined };
  it.each([
    ['is believed when the money goes back the way it came', {}, 'confirmed'],
    ['is believed when it says one percent less', { said: 990n }, 'confirmed'],
    ['is believed for a part of what it paid', { amount: 400n }, 'confirmed'],
    ['is not believed when it says less than is given back', { said: 989n }, 'says_less'],
    ['is not believed when it says more than came that way', { said: 1_001n }, 'says_more'],
    ['is not believed when the money came another way', { came: 0n }, 'other_way'],
    ['is not believed when only a part came that way', { said: 600n, came: 600n }, 'says_less'],
    ['is not believed when nobody knows a way there', { came: undefined }, 'no_way'],
    ['is not asked further when it says no', { said: 0n, came: undefined }, 'not_paid'],
  ])('%s', (_, more, finding) => expect(judge({ ...told, ...more })).toBe(finding));

  it('gives back at most what came that way, whatever it says', () => {
    const amount = fc.bigInt({ min: 1n, max: 10_000n });
    const most = fc.bigInt({ min: 0n, max: 10_000n });
    fc.assert(
      fc.property(amount, most, fc.option(most, { nil: undefined }), (wanted, said, came) => {
        if (judge({ amount: wanted, said, came }) !== 'confirmed') return;
        expect(came !== undefined && wanted <= came && said <= came && said > 0n).toBe(true);
      }),
    );
  });
});
