import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rateOf } from '../../exchange/testing/rates.ts';
import { spendableIn } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { newId } from '../../platform/ids.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { givenBackOf } from './claim-rows.ts';
import { leftOf } from './claim-rule.ts';
import { notePayer, payersOf } from './payers.ts';
import { refundsOf } from './refund-rows.ts';
import { mostLeftBy, refundStateOf } from './refund-rule.ts';

const EUR = { assetCode: 'EUR', assetScale: 2 };
const USD = { assetCode: 'USD', assetScale: 2 };

let node: Payments;
let shop: WalletAddress;
let buyer: WalletAddress;

/** What a euro is worth in dollars from now on, without a margin in either direction. */
async function euroIs(dollars: string, euros: string): Promise<void> {
  await node.rates.set(rateOf('EUR', 'USD', dollars, node.clock.now()));
  await node.rates.set(rateOf('USD', 'EUR', euros, node.clock.now()));
}

beforeEach(async () => {
  node = openPayments({ quiet: true });
  shop = await node.account('shop', 0n);
  buyer = await node.account('buyer', 100_000n, 'EUR');
  await euroIs('1.25', '0.8');
  for (const asset of [EUR, USD])
    await node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset, amount: 10n ** 9n, note: '' });
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

/** The buyer pays with euros, and the shop receives dollars. */
async function paid(dollars: bigint): Promise<string> {
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  const payee = node.urls.incomingPayment(made.value.id);
  const quote = await node.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee, deliver: dollars });
  if (!quote.ok) throw new Error(quote.error.code);
  const payment = await node.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
  if (!payment.ok) throw new Error(payment.error.code);
  await node.finished(payment.value.id);
  return made.value.id;
}
const by = { id: 'owner', role: 'owner' } as const;
const ask = (incomingPaymentId: string, amount: bigint, receive?: bigint, id = newId()) =>
  node.refunds.create({ id, incomingPaymentId, amount, receive, by });
const price = (incomingPaymentId: string, receive: bigint) => node.refunds.price({ incomingPaymentId, receive });
/** All refunds, in the order in which they were made. */
const rows = async (id: string) => (await refundsOf(node.database.read, id, { most: 100 })).toReversed();
const balance = (of: WalletAddress) => spendableIn(node.database.read, `customer:${of.id}`);
async function settle(id: string): Promise<void> {
  for (let turns = 0; turns < 2_000 && (await rows(id)).some(({ state }) => state === 'pending'); turns += 1) {
    await node.refundWorker.runOnce();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { outgoingPaymentId } of await rows(id)) if (outgoingPaymentId !== null) await node.finished(outgoingPaymentId);
}

describe('a refund of what they paid', () => {
  it('brings back exactly that, in parts and to the last cent, for what the shop was told', async () => {
    const id = await paid(1_250n);
    expect(await balance(buyer)).toBe(99_000n);
    expect((await payersOf(node.database.read, id, { most: 10 }))[0]).toMatchObject({ amount: 1_250n, paid: { value: 1_000n, ...EUR } });
    expect(await price(id, 400n)).toMatchObject({ ok: true, value: { quote: { debitAmount: 500n, receiveAmount: 400n }, most: 1_250n } });
    expect((await ask(id, 500n, 400n)).ok).toBe(true);
    await settle(id);
    expect([await balance(shop), await balance(buyer)]).toEqual([750n, 99_400n]);
    expect(await ask(id, 1_250n, 601n)).toEqual({ ok: false, error: 'more_than_paid' });
    expect((await ask(id, 750n, 600n)).ok).toBe(true);
    await settle(id);
    expect((await rows(id)).map(refundStateOf)).toEqual(['done', 'done']);
    expect([await balance(shop), await balance(buyer)]).toEqual([0n, 100_000n]);
  });

  it('that costs more than was received is refused, and nothing is reserved', async () => {
    const id = await paid(1_250n);
    await euroIs('1.3', '0.76');
    expect(await price(id, 1_000n)).toMatchObject({ ok: true, value: { quote: { debitAmount: 1_316n }, most: 1_250n } });
    expect(await ask(id, 2_000n, 1_000n)).toEqual({ ok: false, error: { costs: 1_316n, most: 1_250n } });
    expect(await rows(id)).toEqual([]);
    expect((await ask(id, 1_250n)).ok).toBe(true);
  });

  it('that costs more than was shown is refused before it is reserved', async () => {
    const id = await paid(1_250n);
    await euroIs('1.3', '0.76');
    expect(await ask(id, 500n, 400n)).toEqual({ ok: false, error: 'price_changed' });
    expect(await rows(id)).toEqual([]);
  });

  it('is paid at the price it was reserved for, and fails where that has ended and it costs more', async () => {
    const id = await paid(1_250n);
    await node.refundWorker.stop();
    await ask(id, 500n, 400n);
    node.clock.advance(301_000);
    await euroIs('1.3', '0.76');
    await node.refundWorker.runOnce();
    expect(await rows(id)).toMatchObject([{ state: 'failed', failure: 'price_changed', outgoingPaymentId: null }]);
    await euroIs('1.25', '0.8');
    await ask(id, 500n, 400n);
    node.clock.advance(301_000);
    await euroIs('1.2', '0.84');
    await settle(id);
    expect(await rows(id)).toMatchObject([{}, { state: 'funded', amount: 500n, payment: { sent: 477n } }]);
  });

  it('is made once for each request id, also where its price has changed since', async () => {
    const id = await paid(1_250n);
    const once = newId();
    expect((await ask(id, 600n, 400n, once)).ok).toBe(true);
    await euroIs('1.3', '0.76');
    expect((await ask(id, 600n, 400n, once)).ok).toBe(true);
    expect(await ask(id, 600n, 401n, once)).toEqual({ ok: false, error: 'id_taken' });
    expect(await ask(id, 600n, undefined, once)).toEqual({ ok: false, error: 'id_taken' });
    await settle(id);
    expect(await rows(id)).toMatchObject([{ amount: 500n, receive: 400n }]);
  });

  it('is refused where nobody knows what they paid, or where they paid in the shop’s currency', async () => {
    const id = await paid(1_250n);
    const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
    const other = made.ok ? made.value.id : '';
    const ann = { incomingPaymentId: other, payer: 'https://wallet.example/ann', amount: 5n };
    expect(await ask(other, 5n, 5n)).toEqual({ ok: false, error: 'payer_unknown' });
    await node.database.write((tx) => notePayer(tx, ann, 1));
    expect(await ask(other, 5n, 5n)).toEqual({ ok: false, error: 'paid_unknown' });
    await node.database.write((tx) => notePayer(tx, { ...ann, paid: { value: 9n, ...EUR } }, 2));
    expect((await payersOf(node.database.read, other, { most: 10 }))[0]).toMatchObject({ amount: 10n, paid: null });
    expect(await price(randomUUID(), 5n)).toEqual({ ok: false, error: 'not_found' });
    expect((await price(id, 5n)).ok).toBe(true);
  });

  it('adds up what a wallet says of each of its payments, in one currency only', async () => {
    const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
    const incomingPaymentId = made.ok ? made.value.id : '';
    const note = (payer: string, paid: { value: bigint; assetCode: string; assetScale: number }) =>
      node.database.write((tx) => notePayer(tx, { incomingPaymentId, payer, amount: 5n, paid }, 1));
    const most = 2n ** 63n - 1n;
    await note('https://wallet.example/ann', { value: 4n, ...EUR });
    await note('https://wallet.example/ann', { value: 6n, ...EUR });
    await note('https://wallet.example/bob', { value: 4n, ...EUR });
    await note('https://wallet.example/bob', { value: 4n, assetCode: 'JPY', assetScale: 0 });
    await note('https://wallet.example/eve', { value: most, ...EUR });
    await note('https://wallet.example/eve', { value: 1n, ...EUR });
    const known = (await payersOf(node.database.read, incomingPaymentId, { most: 10 })).map((one) => [
      one.payer.split('/').at(-1),
      one.paid?.value,
    ]);
    expect(known.sort()).toEqual([
      ['ann', 10n],
      ['bob', undefined],
      ['eve', undefined],
    ]);
  });
});

/** Lets time go on until each refund and its payment has ended. */
async function atTheEnd(id: string) {
  for (let turns = 0; turns < 500; turns += 1) {
    await euroIs('1.25', '0.8');
    await node.refundWorker.runOnce();
    node.worker.wake();
    for (let waits = 0; waits < 20; waits += 1) await new Promise((resolve) => setImmediate(resolve));
    const all = await rows(id);
    if (all.every(({ state, payment }) => state === 'failed' || (payment && ['completed', 'failed'].includes(payment.state)))) return all;
    node.clock.advance(5_000);
  }
  throw new Error('a refund does not end');
}

it('refunds of either kind never take more than was received, and bring back no more than was paid', async () => {
  const step = fc.record({
    what: fc.constantFrom('same', 'theirs', 'theirs', 'work', 'rise', 'fall', 'later'),
    part: fc.bigInt({ min: 1n, max: 70n }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const [before, shopBefore] = [await balance(buyer), (await balance(shop)) ?? 0n];
      const id = await paid(125n);
      const rate: Record<string, [string, string]> = { rise: ['1.3', '0.76'], fall: ['1.2', '0.84'] };
      for (const { what, part } of steps) {
        if (what === 'same') await Promise.all([ask(id, part), ask(id, part)]);
        if (what === 'theirs') await Promise.all([ask(id, 125n, part), ask(id, 125n, part)]);
        if (what === 'work') await node.refundWorker.runOnce();
        if (what === 'later') node.clock.advance(200_000);
        const [dollars, euros] = rate[what] ?? ['1.25', '0.8'];
        await euroIs(dollars, euros);
        // A refund may be paid meanwhile, so both are read as of one moment.
        const [refunds, given] = await node.database.readAtOnce(async (read) => [
          await refundsOf(read, id, { most: 100 }),
          await givenBackOf(read, { id, received: 125n }),
        ]);
        const most = refunds.reduce((sum, refund) => sum + mostLeftBy(refund), 0n);
        expect(leftOf(given, node.clock.now())).toBe(125n - most);
      }
      const all = await atTheEnd(id);
      expect(((await balance(shop)) ?? 0n) >= shopBefore).toBe(true);
      const onlyTheirs = all.every(({ receive }) => receive !== null);
      if (onlyTheirs) expect(((await balance(buyer)) ?? 0n) <= (before ?? 0n)).toBe(true);
    }),
    { numRuns: 15 },
  );
}, 240_000);
