import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../../journal/tables.ts';
import { spendableIn } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { newId } from '../../platform/ids.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { outgoingPayments } from '../tables.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { doubtRefunds } from './after-copy.ts';
import { givenBackOf } from './claim-rows.ts';
import { leftOf } from './claim-rule.ts';
import { notePayer } from './payers.ts';
import { refundsOf } from './refund-rows.ts';
import { leftBy, mostLeftBy, refundStateOf } from './refund-rule.ts';
import { refunds } from './tables.ts';

const ELSEWHERE = 'https://wallet.example/ann';

let node: Payments;
let shop: WalletAddress;
let buyer: WalletAddress;

beforeEach(async () => {
  node = openPayments({ quiet: true });
  shop = await node.account('shop', 0n);
  buyer = await node.account('buyer', 10_000n);
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

/** A payment of the buyer's account to the shop that has arrived. */
async function paid(amount: bigint): Promise<string> {
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  const payee = node.urls.incomingPayment(made.value.id);
  const quote = await node.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee, send: amount });
  if (!quote.ok) throw new Error(quote.error.code);
  const payment = await node.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
  if (!payment.ok) throw new Error(payment.error.code);
  await node.finished(payment.value.id);
  return made.value.id;
}
const ask = (incomingPaymentId: string, amount: bigint, more: { id?: string; payer?: string; reason?: string } = {}) =>
  node.refunds.create({ id: newId(), incomingPaymentId, amount, by: { id: 'owner', role: 'owner' }, ...more });
/** All refunds, in the order in which they were made. */
const rows = async (id: string) => (await refundsOf(node.database.read, id, { most: 100 })).toReversed();
const states = async (id: string) => (await rows(id)).map(refundStateOf);
/** Lets the worker and all payments come to their end. */
async function settle(id: string): Promise<void> {
  for (let turns = 0; turns < 2_000 && (await rows(id)).some(({ state }) => state === 'pending'); turns += 1) {
    await node.refundWorker.runOnce();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { outgoingPaymentId } of await rows(id)) if (outgoingPaymentId !== null) await node.finished(outgoingPaymentId);
}
/** How much of a payment can still be given back, added up by the database. */
const left = async (id: string, received: bigint) => leftOf(await givenBackOf(node.database.read, { id, received }), node.clock.now());
const balance = (of: WalletAddress) => spendableIn(node.database.read, `customer:${of.id}`);

describe('a refund', () => {
  it('gives the money back to the account that paid, with the reason', async () => {
    const id = await paid(1_250n);
    expect((await ask(id, 500n, { reason: 'Book returned' })).ok).toBe(true);
    await settle(id);
    expect(await states(id)).toEqual(['done']);
    expect([await balance(shop), await balance(buyer)]).toEqual([750n, 9_250n]);
    const [row] = await rows(id);
    expect(await node.outgoingPayments.find(row?.outgoingPaymentId ?? '')).toMatchObject({
      metadata: { description: 'Book returned' },
      sent: 500n,
    });
  });

  it('is made once for each request id, however often it is asked for', async () => {
    const id = await paid(1_000n);
    const once = { id: randomUUID() };
    expect((await Promise.all([ask(id, 600n, once), ask(id, 600n, once), ask(id, 600n, once)])).map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await ask(id, 300n, once)).toEqual({ ok: false, error: 'id_taken' });
    await settle(id);
    expect((await ask(id, 600n, once)).ok).toBe(true);
    expect(await rows(id)).toHaveLength(1);
    expect(await balance(shop)).toBe(400n);
  });

  it('is refused beyond what was received, however many are asked for at the same moment', async () => {
    const id = await paid(1_000n);
    const asked = await Promise.all(Array.from({ length: 5 }, () => ask(id, 400n)));
    expect(asked.filter(({ ok }) => ok)).toHaveLength(2);
    expect(asked.filter((one) => !one.ok && one.error === 'too_much')).toHaveLength(3);
    await settle(id);
    expect(await balance(shop)).toBe(200n);
    expect((await ask(id, 200n)).ok).toBe(true);
    await settle(id);
    expect(await ask(id, 1n)).toEqual({ ok: false, error: 'too_much' });
  });

  it('is refused where nobody knows who paid, and for what is not there', async () => {
    const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
    const empty = made.ok ? made.value.id : '';
    expect(await ask(empty, 1n)).toEqual({ ok: false, error: 'payer_unknown' });
    expect(await ask(randomUUID(), 1n)).toEqual({ ok: false, error: 'not_found' });
    const id = await paid(100n);
    expect(await ask(id, 1n, { payer: ELSEWHERE })).toEqual({ ok: false, error: 'payer_unknown' });
    expect((await ask(id, 1n, { payer: node.walletAddresses.urlOf(buyer) })).ok).toBe(true);
  });

  it('is refused when the account has spent the money', async () => {
    const id = await paid(500n);
    await node.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 300n, note: '' });
    expect(await ask(id, 201n)).toEqual({ ok: false, error: 'insufficient_balance' });
    expect(await rows(id)).toEqual([]);
  });

  it('fails before it has left when the money goes elsewhere first, and can be asked for again', async () => {
    const id = await paid(500n);
    await node.refundWorker.stop();
    await ask(id, 500n);
    await node.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 300n, note: '' });
    await node.refundWorker.runOnce();
    expect(await rows(id)).toMatchObject([{ state: 'failed', failure: 'insufficient_balance', outgoingPaymentId: null }]);
    const told = await node.database.read.select().from(events).where(eq(events.subject, id)).orderBy(events.position);
    expect(told.map(({ type }) => type).slice(-2)).toEqual(['incoming_payment.refunding', 'incoming_payment.refund_failed']);
    expect((await ask(id, 200n)).ok).toBe(true);
  });

  it('is tried again while the payer’s wallet is silent, and fails after a while', async () => {
    const id = await paid(500n);
    await node.refundWorker.stop();
    const gone = { incomingPaymentId: id, payer: ELSEWHERE, amount: 100n };
    await node.database.write((tx) => notePayer(tx, gone, 1));
    await ask(id, 100n, { payer: ELSEWHERE });
    for (let tries = 1; tries < 6; tries += 1) {
      await node.refundWorker.runOnce();
      expect(await rows(id)).toMatchObject([{ state: 'pending', tries }]);
      node.clock.advance(60_001);
    }
    await node.refundWorker.runOnce();
    expect(await rows(id)).toMatchObject([{ state: 'failed', failure: 'receiver_unreachable' }]);
  });

  it('waits no longer when the clock was ahead at the last try and is put right', async () => {
    const id = await paid(500n);
    await node.refundWorker.stop();
    const gone = { incomingPaymentId: id, payer: ELSEWHERE, amount: 100n };
    await node.database.write((tx) => notePayer(tx, gone, 1));
    node.clock.jump(2 * 3_600_000);
    await ask(id, 100n, { payer: ELSEWHERE });
    await node.refundWorker.runOnce();
    node.clock.jump(-2 * 3_600_000);
    node.clock.advance(60_001);
    await node.refundWorker.runOnce();
    expect(await rows(id)).toMatchObject([{ state: 'pending', tries: 2 }]);
  });

  it('that another process has taken up is not funded by the first one', async () => {
    const id = await paid(500n);
    await node.refundWorker.stop();
    await ask(id, 500n);
    const quote = node.operatorPayments.quote.bind(node.operatorPayments);
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    node.operatorPayments.quote = async (wanted) => {
      const quoted = await quote(wanted);
      asked.resolve();
      await goOn.promise;
      return quoted;
    };
    const first = node.refundWorker.runOnce();
    await asked.promise;
    node.operatorPayments.quote = quote;
    await node.database.write((tx) => node.refundWorker.release(tx, node.clock.now()));
    await node.refundWorker.runOnce();
    goOn.resolve();
    await first;
    await settle(id);
    expect(await states(id)).toEqual(['done']);
    expect((await node.database.read.select().from(outgoingPayments)).length).toBe(2);
    expect(await balance(shop)).toBe(0n);
  });

  it('that waited in books which were put back from a copy counts as if it had left', async () => {
    const id = await paid(500n);
    await node.refundWorker.stop();
    await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer: ELSEWHERE, amount: 100n }, 1));
    await ask(id, 100n, { payer: ELSEWHERE });
    await ask(id, 50n, { payer: node.walletAddresses.urlOf(buyer) });
    await node.database.write((tx) => doubtRefunds(tx, node.clock.now()));
    await settle(id);
    expect((await states(id)).sort()).toEqual(['done', 'unknown']);
    expect(await ask(id, 1n, { payer: ELSEWHERE })).toEqual({ ok: false, error: 'too_much' });
    expect(await left(id, 100n)).toBe(0n);
  });
});

it('refunds never give back more than was received, whatever is asked for, tried, closed and taken at once', async () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('ask' as const), amount: fc.bigInt({ min: 1n, max: 70n }), times: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ what: fc.constantFrom('work', 'take', 'put', 'free', 'later') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const id = await paid(100n);
      for (const one of steps) {
        if (one.what === 'ask' && 'times' in one) await Promise.all(Array.from({ length: one.times }, () => ask(id, one.amount)));
        const cash = { id: randomUUID(), walletAddressId: shop.id, amount: 50n, note: '' };
        if (one.what === 'take') await node.walletAddresses.move({ ...cash, kind: 'withdrawal' });
        if (one.what === 'put') await node.walletAddresses.move({ ...cash, kind: 'deposit' });
        if (one.what === 'work') await node.refundWorker.runOnce();
        if (one.what === 'free') await node.database.write((tx) => node.refundWorker.release(tx, node.clock.now()));
        if (one.what === 'later') node.clock.advance(1_000);
        const all = await rows(id);
        expect(100n - (await left(id, 100n))).toBe(all.reduce((sum, refund) => sum + mostLeftBy(refund), 0n));
      }
      await settle(id);
      const all = await rows(id);
      expect(all.map(({ state }) => state)).not.toContain('pending');
      const sent = await node.database.read
        .select()
        .from(outgoingPayments)
        .innerJoin(refunds, eq(refunds.outgoingPaymentId, outgoingPayments.id));
      const ofThis = sent.filter(({ refunds: { incomingPaymentId } }) => incomingPaymentId === id);
      expect(ofThis.reduce((sum, row) => sum + row.outgoing_payments.sent, 0n)).toBe(all.reduce((sum, refund) => sum + leftBy(refund), 0n));
    }),
    { numRuns: 25 },
  );
}, 240_000);
