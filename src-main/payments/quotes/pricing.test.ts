import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { ExchangeFees } from '../../exchange/exchange-fees.ts';
import { Rates, termsStillHold } from '../../exchange/rates.ts';
import { rateOf, worthOf } from '../../exchange/testing/rates.ts';
import { Conversion } from '../../ilp/conversion.ts';
import type { PeerRoute } from '../../ilp/peer-links.ts';
import type { Probe, Prober } from '../../ilp/prober.ts';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { ok, refuse } from '../../platform/result.ts';
import { Pricing, type Wish } from './pricing.ts';
import type { Receiver } from './receivers.ts';

const NOW = Date.UTC(2026, 0, 1);
const USD: Asset = { assetCode: 'USD', assetScale: 2 };
const EUR: Asset = { assetCode: 'EUR', assetScale: 2 };
const JPY: Asset = { assetCode: 'JPY', assetScale: 0 };
let test: TestDatabase;
let rates: Rates;
let fees: ExchangeFees;
let available: bigint;
let route: PeerRoute | undefined;
let probe: Prober['probe'];
let probed: Probe[];
let pricing: Pricing;

beforeEach(() => {
  test = openTestDatabase();
  rates = new Rates({ database: test.database, clock: new ManualClock(NOW) });
  fees = new ExchangeFees({ database: test.database, clock: new ManualClock(NOW) });
  available = MAX_MOVED;
  route = undefined;
  probed = [];
  probe = async () => refuse('unreachable');
  pricing = new Pricing({
    rates,
    exchangeAccounts: { available: async () => available },
    routes: { find: () => route, isPaused: () => false },
    prober: {
      probe: (request) => {
        probed.push(request);
        return probe(request);
      },
    },
  });
});
afterEach(() => test.dispose());

/** An open incoming payment on this node, which takes any amount unless told otherwise. */
const here = (asset: Asset, incomingAmount: bigint | null = null, received = 0n): Receiver => ({
  kind: 'own',
  asset,
  incomingPayment: {
    id: 'incoming',
    walletAddressId: 'shop',
    client: null,
    incomingAmount,
    received,
    completed: false,
    expiresAt: null,
    metadata: null,
    createdAt: NOW,
    updatedAt: NOW,
  } as Extract<Receiver, { kind: 'own' }>['incomingPayment'],
});
const elsewhere = (asset: Asset, remaining?: bigint): Receiver => ({
  kind: 'remote',
  url: 'https://other.example/incoming-payments/1',
  asset,
  remaining,
  received: 0n,
  ilpAddress: 'test.other.token',
  sharedSecret: Buffer.alloc(32, 7),
});
const price = async (wish: Omit<Wish, 'deadlineMs'>) => {
  const priced = await pricing.price({ ...wish, deadlineMs: NOW + 4_500 });
  return priced.ok ? ok(priced.value.price) : priced;
};
const send = (value: bigint, payer: Asset, receiver: Receiver) => price({ payer, receiver, debitAmount: { value, ...payer } });
const deliver = (value: bigint, payer: Asset, receiver: Receiver) =>
  price({ payer, receiver, receiveAmount: { value, ...receiver.asset } });

describe('a price between currencies', () => {
  const rate = fc
    .tuple(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 0, max: 18 }), fc.bigInt(1n, 10n ** 18n - 1n))
    .map(([whole, places, digits]) => (places === 0 ? `${whole + 1n}` : `${whole}.${digits.toString().padStart(18, '0').slice(-places)}`))
    .filter((text) => /[1-9]/.test(text));
  const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, MAX_MOVED), fc.constant(MAX_MOVED));
  const asset = (assetCode: string) => fc.integer({ min: 0, max: 18 }).map((assetScale) => ({ assetCode, assetScale }));
  const anything = { rate, spreadBps: fc.integer({ min: 0, max: 9_999 }), payer: asset('USD'), to: asset('EUR'), amount };

  it('is exact and rounded once, in favour of the node, whatever the numbers', async () => {
    const outcomes = { priced: 0, too_small: 0, too_large: 0 };
    await fc.assert(
      fc.asyncProperty(fc.record(anything), async ({ rate, spreadBps, payer, to, amount }) => {
        await rates.set(rateOf('USD', 'EUR', rate, NOW, { spreadBps }));
        // The oracle knows floor and ceiling by their definitions, not by how the code computes them.
        const { numerator: n, denominator: d } = worthOf(rate, spreadBps, payer, to);
        const sent = await send(amount, payer, here(to));
        if (sent.ok) {
          const { debitAmount, receiveAmount } = sent.value;
          expect(debitAmount).toBe(amount);
          expect(receiveAmount * d <= amount * n && amount * n < (receiveAmount + 1n) * d).toBe(true);
          expect(receiveAmount > 0n && receiveAmount <= MAX_MOVED).toBe(true);
          outcomes.priced += 1;
        } else if (sent.error.code === 'too_small') {
          const least = sent.error.minSendAmount.value;
          expect(amount < least && amount * n < d).toBe(true);
          expect(await send(least, payer, here(to))).toMatchObject({ ok: true });
          expect(await send(least - 1n, payer, here(to))).toMatchObject({ ok: false, error: { code: 'too_small' } });
          outcomes.too_small += 1;
        } else if (sent.error.code === 'amount_too_large') {
          expect(amount * n > MAX_MOVED * d).toBe(true);
          outcomes.too_large += 1;
        } else {
          expect(sent.error.code).toBe('no_rate');
          expect(MAX_MOVED * n < d).toBe(true);
        }
        const delivered = await deliver(amount, payer, here(to));
        if (delivered.ok) {
          const { debitAmount, receiveAmount } = delivered.value;
          expect(receiveAmount).toBe(amount);
          expect(debitAmount * n >= amount * d && (debitAmount - 1n) * n < amount * d).toBe(true);
          expect(debitAmount > 0n && debitAmount <= MAX_MOVED).toBe(true);
        } else {
          expect(delivered.error.code).toBe('amount_too_large');
          expect(MAX_MOVED * n < amount * d).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    for (const [outcome, times] of Object.entries(outcomes)) expect(times, outcome).toBeGreaterThan(0);
  });

  it('brings exactly the same however the payment is cut into packets', async () => {
    const cuts = fc.array(fc.bigInt(1n, MAX_MOVED), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.record({ ...anything, cuts }), async ({ rate, spreadBps, payer, to, amount, cuts }) => {
        await rates.set(rateOf('USD', 'EUR', rate, NOW, { spreadBps }));
        const priced = await send(amount, payer, here(to));
        if (!priced.ok) return;
        const { debitAmount: debit, receiveAmount: receive } = priced.value;
        const places = [...new Set(cuts.map((cut) => cut % debit)), debit].sort((a, b) => (a < b ? -1 : 1));
        let moved = { sent: 0n, delivered: 0n };
        for (const place of places) {
          const packet = place - moved.sent;
          if (packet === 0n) continue;
          // Each packet is converted as after a restart: only what has moved is known.
          const arriving = new Conversion({ debit, receive }, moved).arriving(packet);
          moved = { sent: place, delivered: moved.delivered + arriving };
          expect(moved.delivered * debit <= moved.sent * receive && moved.sent * receive < (moved.delivered + 1n) * debit).toBe(true);
        }
        expect(moved).toEqual({ sent: debit, delivered: receive });
      }),
      { numRuns: 300 },
    );
  });

  it('is what the invoice still asks for when nothing else is said, and never more than it takes', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW));
    expect(await price({ payer: USD, receiver: here(EUR, 1_000n, 100n) })).toEqual(ok({ debitAmount: 1_000n, receiveAmount: 900n }));
    expect(await send(1_001n, USD, here(EUR, 1_000n, 100n))).toEqual(ok({ debitAmount: 1_001n, receiveAmount: 900n }));
    expect(await send(1_002n, USD, here(EUR, 1_000n, 100n))).toEqual(refuse({ code: 'invalid_amount' }));
    expect(await deliver(901n, USD, here(EUR, 1_000n, 100n))).toEqual(refuse({ code: 'invalid_amount' }));
    expect(await price({ payer: USD, receiver: here(EUR) })).toEqual(refuse({ code: 'invalid_amount' }));
    expect(await price({ payer: USD, receiver: here(EUR, 2n ** 64n - 1n) })).toEqual(refuse({ code: 'amount_too_large' }));
  });

  it('is refused for what cannot be paid out, and for that pair only', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW));
    available = 900n;
    expect(await send(1_000n, USD, here(EUR))).toMatchObject({ ok: true });
    expect(await deliver(901n, USD, here(EUR))).toEqual(refuse({ code: 'no_liquidity' }));
    available = 0n;
    expect(await send(1_000n, USD, here(USD))).toEqual(ok({ debitAmount: 1_000n, receiveAmount: 1_000n }));
    expect(await send(1_000n, EUR, here(USD))).toEqual(refuse({ code: 'no_rate' }));
    expect(await send(1_000n, USD, here({ ...USD, assetScale: 4 }))).toEqual(refuse({ code: 'no_liquidity' }));
  });

  it('with a fee brings what it promises, never takes more than the fee, and is never below zero', async () => {
    const decimalFee = fc
      .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 999 }))
      .map(([a, b]) => `${a}.${String(b).padStart(3, '0')}`);
    const terms = fc.record({ fixed: decimalFee, minimum: decimalFee, shareBps: fc.integer({ min: 0, max: 9_999 }) });
    const some = fc.oneof(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 10n ** 15n));
    let priced = 0;
    await fc.assert(
      fc.asyncProperty(terms, rate, some, async (fee, rateText, amount) => {
        await rates.set(rateOf('USD', 'EUR', rateText, NOW));
        await fees.set({ base: 'USD', quote: 'EUR', ...fee });
        const { numerator: n, denominator: d } = worthOf(rateText, 0, USD, EUR);
        /** The exact fee of a debit, in millionths of a hundredth of a cent: by its definition. */
        const feeOf = (debit: bigint) => {
          const thousandths = (text: string) => BigInt(text.replace('.', '')) * 100n;
          const usual = thousandths(fee.fixed) * 10_000n + debit * BigInt(fee.shareBps) * 1_000n;
          const least = thousandths(fee.minimum) * 10_000n;
          return usual > least ? usual : least;
        };
        const UNIT = 10_000_000n;
        const sent = await send(amount, USD, here(EUR));
        if (sent.ok) {
          const { debitAmount, receiveAmount } = sent.value;
          expect(debitAmount === amount && receiveAmount > 0n).toBe(true);
          // What arrives is worth at least the debit less the exact fee, but for the one unit of rounding.
          expect((receiveAmount + 1n) * d * UNIT > (debitAmount * UNIT - feeOf(debitAmount)) * n).toBe(true);
          // And the exchange never pays out more than what is left after the fee, rounded up to a unit.
          expect(receiveAmount * d * UNIT < (debitAmount * UNIT - feeOf(debitAmount) + UNIT) * n).toBe(true);
          priced += 1;
        } else if (sent.error.code === 'too_small') {
          const least = sent.error.minSendAmount.value;
          expect(least > amount).toBe(true);
          expect(await send(least, USD, here(EUR))).toMatchObject({ ok: true });
        }
        const delivered = await deliver(amount, USD, here(EUR));
        if (!delivered.ok) return;
        const { debitAmount, receiveAmount } = delivered.value;
        expect(receiveAmount).toBe(amount);
        const same = await send(debitAmount, USD, here(EUR));
        expect(same.ok && same.value.receiveAmount >= amount).toBe(true);
        // One unit less would not bring what was promised.
        const less = await send(debitAmount - 1n, USD, here(EUR));
        expect(less.ok && less.value.receiveAmount >= amount).toBe(false);
      }),
      { numRuns: 150 },
    );
    expect(priced).toBeGreaterThan(20);
  });

  it('holds only while rate and fee are those that it was calculated by', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW));
    const fee = { base: 'USD', quote: 'EUR', fixed: '0.30', minimum: '0', shareBps: 100 };
    await fees.set(fee);
    const priced = await pricing.price({
      payer: USD,
      receiver: here(EUR),
      debitAmount: { value: 1_000n, ...USD },
      deadlineMs: NOW + 4_500,
    });
    if (!priced.ok || priced.value.used === undefined) throw new Error('no price');
    expect(priced.value.price).toEqual({ debitAmount: 1_000n, receiveAmount: 864n });
    const { used } = priced.value;
    const seen = [await termsStillHold(test.database.read, used, NOW)];
    await fees.set({ ...fee, shareBps: 101 });
    seen.push(await termsStillHold(test.database.read, used, NOW));
    await fees.set({ ...fee, fixed: '0.300' });
    seen.push(await termsStillHold(test.database.read, used, NOW));
    await fees.remove('USD', 'EUR');
    seen.push(await termsStillHold(test.database.read, used, NOW));
    expect(seen).toEqual([true, false, true, false]);
  });
});

describe('a price for a receiver at another wallet', () => {
  const leadsTo = (asset: Asset, direct: boolean): PeerRoute => ({
    peerId: 'peer',
    ilpAddress: 'test.other',
    asset,
    maxPacketAmount: undefined,
    deduplicates: true,
    direct,
  });

  it('is pure arithmetic when the next peer hands over what it gets', async () => {
    await rates.set(rateOf('USD', 'EUR', '0.9', NOW));
    route = leadsTo(EUR, true);
    expect(await send(1_000n, EUR, elsewhere(EUR))).toEqual(ok({ debitAmount: 1_000n, receiveAmount: 1_000n }));
    expect(await send(1_000n, USD, elsewhere(EUR))).toEqual(ok({ debitAmount: 1_000n, receiveAmount: 900n }));
    expect(await price({ payer: USD, receiver: elsewhere(EUR, 90n) })).toEqual(ok({ debitAmount: 100n, receiveAmount: 90n }));
    expect(await send(1_000n, USD, elsewhere(EUR, 899n))).toEqual(refuse({ code: 'invalid_amount' }));
    available = 899n;
    expect(await send(1_000n, USD, elsewhere(EUR))).toEqual(refuse({ code: 'no_liquidity' }));
    expect(probed).toEqual([]);
  });

  it('is measured when others exchange on the way, with a margin for what a measurement cannot know', async () => {
    await rates.set(rateOf('USD', 'JPY', '300', NOW));
    const ways: [PeerRoute, bigint][] = [
      [leadsTo(USD, true), 150n],
      // This node exchanges a cent for three yen, and the way exchanges a cent for fifty times as much.
      [leadsTo(JPY, false), 50n],
    ];
    for (const [way, numerator] of ways) {
      route = way;
      probe = async () => ok({ numerator, denominator: 1n });
      expect(await send(100n, USD, elsewhere(JPY))).toEqual(ok({ debitAmount: 100n, receiveAmount: 14_850n }));
      expect(await deliver(14_850n, USD, elsewhere(JPY))).toEqual(ok({ debitAmount: 100n, receiveAmount: 14_850n }));
    }
    expect(probed[0]).toEqual({
      route: leadsTo(USD, true),
      destinationAddress: 'test.other.token',
      sharedSecret: Buffer.alloc(32, 7),
      deadlineMs: NOW + 4_500,
    });
    // The liquidity check counts what this node would pay out to the peer, not what the receiver gets.
    available = 299n;
    expect(await send(100n, USD, elsewhere(JPY))).toEqual(refuse({ code: 'no_liquidity' }));
    available = 300n;
    expect(await send(100n, USD, elsewhere(JPY))).toMatchObject({ ok: true });
  });

  it('is refused without a way, without an answer, and without a rate of this node to the peer', async () => {
    expect(await send(100n, USD, elsewhere(JPY))).toEqual(refuse({ code: 'no_route' }));
    route = leadsTo(EUR, true);
    expect(await send(100n, USD, elsewhere(JPY))).toEqual(refuse({ code: 'no_route' }));
    route = leadsTo(USD, false);
    expect(await send(100n, USD, elsewhere(JPY))).toEqual(refuse({ code: 'route_unreachable' }));
    route = leadsTo(EUR, true);
    expect(await send(100n, USD, elsewhere(EUR))).toEqual(refuse({ code: 'no_rate' }));
    expect(probed).toHaveLength(1);
  });
});
