import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rateOf } from '../../exchange/testing/rates.ts';
import { ledgerAccounts, ledgerTransfers } from '../../ledger/tables.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import { isFinal } from './outgoing-payment-rows.ts';
import { PaymentWorker } from './payment-worker.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
let node: Payments;
let buyer: WalletAddress;
let shop: WalletAddress;

async function open({ maxPacketAmount, receiveAsset = EUR }: { maxPacketAmount?: bigint; receiveAsset?: typeof EUR } = {}) {
  node = openPayments(maxPacketAmount === undefined ? {} : { maxPacketAmount });
  buyer = await node.account('buyer', 100_000n);
  shop = await node.account('shop', 0n, receiveAsset.assetCode, receiveAsset.assetScale);
  await node.rates.set(rateOf('USD', 'EUR', '0.9137', node.clock.now(), { spreadBps: 50 }));
}
const fund = (asset: typeof EUR, amount: bigint, kind: 'deposit' | 'withdrawal' = 'deposit') =>
  node.exchangeAccounts.move({ id: randomUUID(), kind, asset, amount, note: '' });
beforeEach(() => open());
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

async function invoice(value?: bigint, expiresAt?: number): Promise<string> {
  const { assetCode, assetScale } = shop;
  const incomingAmount = value === undefined ? undefined : { value, assetCode, assetScale };
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount, expiresAt });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}
const urlOf = (id: string) => `${ORIGIN}/incoming-payments/${id}`;
async function quoteFor(incoming: string, debit?: bigint) {
  const debitAmount = debit === undefined ? undefined : { value: debit, ...USD };
  const quote = await node.quotes.create({ walletAddress: buyer, client: null, receiver: urlOf(incoming), debitAmount });
  if (!quote.ok) throw new Error(quote.error.code);
  return quote.value;
}
const payFrom = (quoteId: string) => node.outgoingPayments.createFromQuote({ walletAddress: buyer, right: null, quoteId });
async function pay(incoming: string, debit?: bigint) {
  const made = await payFrom((await quoteFor(incoming, debit)).id);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
async function books(): Promise<Record<string, bigint>> {
  const rows = await node.database.read.select().from(ledgerAccounts);
  const names = new Map([
    [buyer.id, 'buyer'],
    [shop.id, 'shop'],
  ]);
  const named = rows.map(({ id, balance, pending }) => {
    const [kind = '', owner = ''] = id.split(':');
    return [`${kind} ${names.get(owner) ?? owner}`, balance - pending] as const;
  });
  return Object.fromEntries(named.filter(([name]) => /^(customer|escrow|exchange) /.test(name)));
}
/** Starts a second worker over the same database, as a restart does. */
async function resume() {
  node.worker = new PaymentWorker({ ...node, log: createLogger('silent') });
  await node.worker.start();
}

describe('a payment between currencies', () => {
  it('takes one asset into the exchange and pays the other out of it, to the unit', async () => {
    await fund(EUR, 50_000n);
    const incoming = await invoice(10_000n);
    const payment = await pay(incoming);
    // ceil(10000 / (0.9137 · 0.995))
    expect(payment).toMatchObject({ debitAmount: 11_000n, receiveAmount: 10_000n });
    expect(await node.finished(payment.id)).toMatchObject({ state: 'completed', sent: 11_000n, delivered: 10_000n, packets: 1 });
    expect(await node.incomingPayments.find(incoming)).toMatchObject({ received: 10_000n, completed: true });
    expect(await books()).toEqual({
      'customer buyer': 89_000n,
      'escrow buyer': 0n,
      'exchange USD/2': 11_000n,
      'customer shop': 10_000n,
      'escrow shop': 0n,
      'exchange EUR/2': 40_000n,
    });
  });

  it.each([1n, 7n, 100n, 999n])('loses no unit when it is cut into packets of at most %s', async (maxPacketAmount) => {
    await node.close();
    await open({ maxPacketAmount });
    await fund(EUR, 50_000n);
    const debit = maxPacketAmount * 40n + 3n;
    const payment = await pay(await invoice(), debit);
    const ended = await node.finished(payment.id);
    expect(ended).toMatchObject({ state: 'completed', sent: debit, delivered: payment.receiveAmount });
    expect(ended.packets).toBeGreaterThanOrEqual(41);
    expect(payment.receiveAmount).toBe((debit * 9_137n * 9_950n) / 100_000_000n);
    expect(await books()).toMatchObject({
      'exchange USD/2': debit,
      'exchange EUR/2': 50_000n - payment.receiveAmount,
      'customer shop': payment.receiveAmount,
    });
  });

  it('carries packets that bring nothing by themselves into a coarser asset', async () => {
    await node.close();
    await open({ maxPacketAmount: 30n, receiveAsset: { assetCode: 'USD', assetScale: 0 } });
    await fund({ assetCode: 'USD', assetScale: 0 }, 100n);
    const incoming = await invoice();
    const payment = await pay(incoming, 1_250n);
    expect(payment).toMatchObject({ debitAmount: 1_250n, receiveAmount: 12n });
    expect(await node.finished(payment.id)).toMatchObject({ state: 'completed', sent: 1_250n, delivered: 12n });
    expect(await node.incomingPayments.find(incoming)).toMatchObject({ received: 12n });
    expect(await books()).toMatchObject({ 'exchange USD/2': 1_250n, 'exchange USD/0': 88n, 'customer shop': 12n });
  });

  it('keeps the rate of its quote, whatever happens to the rate, and an accepted one its money', async () => {
    await fund(EUR, 10_000n);
    const incoming = await invoice(9_000n);
    const quote = await quoteFor(incoming);
    await node.worker.stop();
    await node.rates.set(rateOf('USD', 'EUR', '0.5', node.clock.now()));
    node.clock.advance(299_999);
    const made = await payFrom(quote.id);
    if (!made.ok) throw new Error(made.error.code);
    expect(made.value).toMatchObject({ debitAmount: quote.debitAmount, receiveAmount: 9_000n });
    await node.rates.remove('USD', 'EUR');
    // What was promised can neither be withdrawn nor be promised again.
    expect(await fund(EUR, 1_001n, 'withdrawal')).toEqual({ ok: false, error: 'insufficient' });
    expect(await fund(EUR, 1_000n, 'withdrawal')).toMatchObject({ ok: true, value: { value: 0n } });
    node.clock.advance(599_999);
    await resume();
    expect(await node.finished(made.value.id)).toMatchObject({ state: 'completed', sent: quote.debitAmount, delivered: 9_000n });
    expect(await books()).toMatchObject({ 'exchange EUR/2': 0n, 'customer shop': 9_000n });
  });

  it('is refused, and nothing of it stored, when two quotes were made for the same money', async () => {
    await fund(EUR, 1_000n);
    await node.worker.stop();
    const [first, second] = [await quoteFor(await invoice(600n)), await quoteFor(await invoice(600n))];
    expect(await payFrom(first.id)).toMatchObject({ ok: true });
    const before = await books();
    expect(await payFrom(second.id)).toEqual({ ok: false, error: { code: 'no_liquidity' } });
    expect(await books()).toEqual(before);
    expect(before['exchange EUR/2']).toBe(400n);
    await fund(EUR, 200n);
    expect(await payFrom(second.id)).toMatchObject({ ok: true });
  });

  it('gives back what was not spent on both sides when it fails on the way', async () => {
    await node.close();
    await open({ maxPacketAmount: 100n });
    await fund(EUR, 50_000n);
    const incoming = await invoice(5_000n);
    const payment = await pay(incoming);
    for (;;) {
      const now = await node.outgoingPayments.find(payment.id);
      if (now !== undefined && now.sent > 0n) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await node.worker.stop();
    await node.incomingPayments.complete(incoming, null);
    await resume();
    const ended = await node.finished(payment.id);
    expect(ended).toMatchObject({ state: 'failed', failure: 'receiver_closed' });
    expect(ended.delivered).toBe((ended.sent * payment.receiveAmount) / payment.debitAmount);
    expect(await books()).toEqual({
      'customer buyer': 100_000n - ended.sent,
      'escrow buyer': 0n,
      'exchange USD/2': ended.sent,
      'customer shop': ended.delivered,
      'escrow shop': 0n,
      'exchange EUR/2': 50_000n - ended.delivered,
    });
  });

  it('is taken up where it was when the node starts again, and still brings every unit', async () => {
    await node.close();
    await open({ maxPacketAmount: 1_009n });
    await fund(EUR, 50_000n);
    const payment = await pay(await invoice(), 10_001n);
    for (let seen = 0n; ; ) {
      const now = await node.outgoingPayments.find(payment.id);
      if (now === undefined || isFinal(now)) break;
      if (now.sent > seen) {
        seen = now.sent;
        await node.worker.stop();
        await resume();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await node.finished(payment.id)).toMatchObject({ state: 'completed', sent: 10_001n, delivered: payment.receiveAmount });
  });

  it('leaves one row for what was held when it came in one packet', async () => {
    await fund(EUR, 50_000n);
    const payment = await pay(await invoice(1_000n));
    await node.finished(payment.id);
    const rows = await node.database.read.select().from(ledgerTransfers).where(eq(ledgerTransfers.paymentId, payment.id));
    expect(rows.map(({ kind, state, debitAccountId }) => `${kind} ${state} ${debitAccountId.split(':')[0]}`).sort()).toEqual([
      'payment posted escrow',
      'payment posted exchange',
      'reservation posted customer',
    ]);
  });
});
