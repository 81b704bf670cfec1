import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../journal/tables.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { roomOf } from './incoming/incoming-payments.ts';
import { createLocalAcceptance } from './outgoing/local-money.ts';
import { isFinal } from './outgoing/outgoing-payment-rows.ts';
import { packets, outgoingPayments as table } from './tables.ts';
import { ORIGIN, openPayments, type Payments } from './testing/payments.ts';

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
let node: Payments;
let shop: WalletAddress;
let buyer: WalletAddress;

async function open(options: Parameters<typeof openPayments>[0] = {}) {
  node = openPayments(options);
  shop = await node.account('shop', 0n);
  buyer = await node.account('buyer', 10_000n);
}
beforeEach(() => open());
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

async function balance(kind: 'customer' | 'escrow', of: WalletAddress): Promise<bigint | undefined> {
  const [row] = await node.database.read
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, `${kind}:${of.id}`));
  return row?.balance;
}
async function invoice(incomingAmount: bigint | undefined, expiresAt?: number) {
  const made = await node.incomingPayments.create({
    walletAddress: shop,
    client: 'https://shop.example/till',
    incomingAmount: incomingAmount === undefined ? undefined : usd(incomingAmount),
    expiresAt,
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}
const urlOf = (id: string) => `${ORIGIN}/incoming-payments/${id}`;
const payDirectly = (receiver: string, amount: bigint, requestHash?: string) =>
  node.outgoingPayments.createFromIncomingPayment({
    walletAddress: buyer,
    right: null,
    incomingPayment: receiver,
    debitAmount: usd(amount),
    requestHash,
  });
async function created(outcome: ReturnType<typeof payDirectly>) {
  const made = await outcome;
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
const eventsOf = async (id: string) =>
  (await node.database.read.select().from(events).where(eq(events.subject, id)).orderBy(events.position)).map((event) => event.type);

describe('a payment on this node', () => {
  it('goes from quote to completed, and both sides say so', async () => {
    const incoming = await invoice(1_250n);
    const quote = await node.quotes.create({ walletAddress: buyer, client: null, receiver: urlOf(incoming.id) });
    if (!quote.ok) throw new Error(quote.error.code);
    expect(quote.value).toMatchObject({ debitAmount: 1_250n, receiveAmount: 1_250n });
    const made = await node.outgoingPayments.createFromQuote({ walletAddress: buyer, right: null, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    const payment = await node.finished(made.value.id);
    expect(payment).toMatchObject({ state: 'completed', sent: 1_250n, delivered: 1_250n, packets: 1 });
    expect(await node.incomingPayments.find(incoming.id)).toMatchObject({ received: 1_250n, completed: true });
    expect([await balance('customer', buyer), await balance('escrow', buyer), await balance('customer', shop)]).toEqual([
      8_750n,
      0n,
      1_250n,
    ]);
    expect(await eventsOf(payment.id)).toEqual(['outgoing_payment.created', 'outgoing_payment.completed']);
    expect(await eventsOf(incoming.id)).toEqual(['incoming_payment.created', 'incoming_payment.completed']);
  });

  it('leaves in several packets when one may not carry it all, and shows how far it is', async () => {
    await node.close();
    await open({ maxPacketAmount: 300n });
    const incoming = await invoice(1_000n);
    const payment = await node.finished((await created(payDirectly(urlOf(incoming.id), 1_000n))).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 1_000n });
    expect(payment.packets).toBeGreaterThanOrEqual(4);
    expect(await node.database.read.select().from(packets)).toHaveLength(payment.packets);
    expect(await eventsOf(incoming.id)).toEqual([
      'incoming_payment.created',
      ...Array.from({ length: payment.packets - 1 }, () => 'incoming_payment.received'),
      'incoming_payment.completed',
    ]);
  });

  it('does not happen without money, and leaves nothing behind', async () => {
    const incoming = await invoice(undefined);
    expect(await payDirectly(urlOf(incoming.id), 10_001n)).toEqual({ ok: false, error: { code: 'insufficient_balance' } });
    expect(await node.database.read.select().from(table)).toEqual([]);
    expect([await balance('customer', buyer), await balance('escrow', buyer)]).toEqual([10_000n, 0n]);
  });

  it('is refused for a closed, expired, unknown or foreign receiver, and for more than the receiver takes', async () => {
    const closed = await invoice(500n);
    await node.incomingPayments.complete(closed.id, null);
    const expiring = await invoice(500n, node.clock.now() + 1_000);
    node.clock.advance(1_000);
    const open = await invoice(500n);
    const codes = [];
    for (const [url, amount] of [
      [urlOf(closed.id), 1n],
      [urlOf(expiring.id), 1n],
      [urlOf('11111111-1111-4111-8111-111111111111'), 1n],
      ['https://elsewhere.example/incoming-payments/1', 1n],
      [urlOf(open.id), 501n],
      [urlOf(open.id), 0n],
    ] as const) {
      const outcome = await payDirectly(url, amount);
      codes.push(outcome.ok ? 'paid' : outcome.error.code);
    }
    expect(codes).toEqual([
      'receiver_closed',
      'receiver_closed',
      'unknown_receiver',
      'unknown_receiver',
      'invalid_amount',
      'invalid_amount',
    ]);
  });

  it('fails and gives everything back when the receiver closes before the money leaves', async () => {
    const incoming = await invoice(700n);
    await node.worker.stop();
    const payment = await created(payDirectly(urlOf(incoming.id), 700n));
    await node.incomingPayments.complete(incoming.id, 'https://shop.example/till');
    await resume();
    expect(await node.finished(payment.id)).toMatchObject({ state: 'failed', failure: 'receiver_closed', sent: 0n });
    expect([await balance('customer', buyer), await balance('escrow', buyer), await balance('customer', shop)]).toEqual([10_000n, 0n, 0n]);
  });

  it('never overpays, because the second of two payments for one invoice fails and is refunded', async () => {
    const incoming = await invoice(600n);
    const made = await Promise.all([created(payDirectly(urlOf(incoming.id), 600n)), created(payDirectly(urlOf(incoming.id), 600n))]);
    const ended = await Promise.all(made.map((payment) => node.finished(payment.id)));
    expect(ended.map((payment) => payment.state).sort()).toEqual(['completed', 'failed']);
    expect(await node.incomingPayments.find(incoming.id)).toMatchObject({ received: 600n });
    expect(await balance('customer', buyer)).toBe(9_400n);
  });

  it('never overpays by a packet either, because what two payments bring to one invoice stops at its last unit', async () => {
    await node.close();
    await open({ maxPacketAmount: 300n });
    const incoming = await invoice(1_000n);
    await node.worker.stop();
    const made = [await created(payDirectly(urlOf(incoming.id), 1_000n)), await created(payDirectly(urlOf(incoming.id), 800n))];
    await resume();
    const ended = await Promise.all(made.map((payment) => node.finished(payment.id)));
    expect(ended.some(({ failure }) => failure === 'over_amount')).toBe(true);
    const sent = ended.reduce((sum, payment) => sum + payment.sent, 0n);
    expect(sent).toBeLessThanOrEqual(1_000n);
    expect(await node.incomingPayments.find(incoming.id)).toMatchObject({ received: sent });
    expect([await balance('customer', buyer), await balance('escrow', buyer), await balance('customer', shop)]).toEqual([
      10_000n - sent,
      0n,
      sent,
    ]);
  });

  it('moves no packet’s money twice, for an attempt that is over, or beyond what was to be paid', async () => {
    const incoming = await invoice(undefined);
    await node.worker.stop();
    const { id } = await created(payDirectly(urlOf(incoming.id), 100n));
    await node.database.write((tx) => tx.update(table).set({ state: 'sending', attempt: 1 }));
    const accept = createLocalAcceptance({ database: node.database, clock: node.clock });
    const asset = { assetCode: 'USD', assetScale: 2 };
    const packet = {
      ...{ condition: Buffer.alloc(32, 7), sourceAmount: 50n, sourceAsset: asset, amount: 50n, asset, incomingPaymentId: incoming.id },
      sender: { outgoingPaymentId: id, attempt: 1 },
    };
    await expect(accept({ ...packet, amount: 51n })).rejects.toThrow('price');
    expect(await accept(packet)).toEqual({ ok: true, value: undefined });
    expect(await accept(packet)).toEqual({ ok: false, error: 'sender_stopped' });
    expect(await accept({ ...packet, condition: Buffer.alloc(32, 8), sender: { outgoingPaymentId: id, attempt: 0 } })).toEqual({
      ok: false,
      error: 'sender_stopped',
    });
    expect(await accept({ ...packet, condition: Buffer.alloc(32, 9), sourceAmount: 51n, amount: 51n })).toEqual({
      ok: false,
      error: 'sender_stopped',
    });
    expect(await node.outgoingPayments.find(id)).toMatchObject({ sent: 50n, delivered: 50n, packets: 1 });
    expect(await balance('customer', shop)).toBe(50n);
  });

  it('answers the same signed request with the payment it created', async () => {
    const incoming = await invoice(600n);
    const first = await created(payDirectly(urlOf(incoming.id), 600n, 'same'));
    await node.finished(first.id);
    const second = await created(payDirectly(urlOf(incoming.id), 600n, 'same'));
    expect(second.id).toBe(first.id);
    expect(await node.database.read.select().from(table)).toHaveLength(1);
  });

  it('uses a quote once, and says which payment used it', async () => {
    const incoming = await invoice(undefined);
    const quote = await node.quotes.create({ walletAddress: buyer, client: null, receiver: urlOf(incoming.id), debitAmount: usd(5n) });
    if (!quote.ok) throw new Error(quote.error.code);
    const pay = () => node.outgoingPayments.createFromQuote({ walletAddress: buyer, right: null, quoteId: quote.value.id });
    const [first, second] = [await pay(), await pay()];
    if (!first.ok) throw new Error(first.error.code);
    expect(second).toEqual({ ok: false, error: { code: 'quote_used', outgoingPaymentId: first.value.id } });
    await node.finished(first.value.id);
  });

  it('is taken up where it was when the node starts again', async () => {
    await node.close();
    await open({ maxPacketAmount: 100n });
    const incoming = await invoice(1_000n);
    const payment = await created(payDirectly(urlOf(incoming.id), 1_000n));
    for (;;) {
      const now = await node.outgoingPayments.find(payment.id);
      if (now !== undefined && now.sent > 0n) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await node.worker.stop();
    const half = await node.outgoingPayments.find(payment.id);
    expect(half !== undefined && isFinal(half)).toBe(false);
    await resume();
    expect(await node.finished(payment.id)).toMatchObject({ state: 'completed', sent: 1_000n });
    expect(await balance('customer', shop)).toBe(1_000n);
  });

  it('does not complete with the STREAM receiver taken out', async () => {
    node.network.credentials = () => Promise.resolve({ ilpAddress: 'private.test.USD-2.bm9ib2R5', sharedSecret: Buffer.alloc(32, 1) });
    const incoming = await invoice(100n);
    const payment = await node.finished((await created(payDirectly(urlOf(incoming.id), 100n))).id);
    expect(payment).toMatchObject({ state: 'failed', sent: 0n });
    expect(await balance('customer', shop)).toBe(0n);
  });
});

/** Starts a second worker over the same database, as a restart does. */
async function resume() {
  const { PaymentWorker } = await import('./outgoing/payment-worker.ts');
  const { createLogger } = await import('../platform/logs/logger.ts');
  node.worker = new PaymentWorker({ ...node, log: createLogger('silent') });
  await node.worker.start();
}

describe('incoming payments', () => {
  it('complete once, for their own client or the operator only', async () => {
    const incoming = await invoice(100n);
    expect(await node.incomingPayments.complete(incoming.id, 'https://other.example/')).toEqual({ ok: false, error: 'not_found' });
    expect(await node.incomingPayments.complete(incoming.id, 'https://shop.example/till')).toMatchObject({
      ok: true,
      value: { completed: true },
    });
    expect(await node.incomingPayments.complete(incoming.id, 'https://shop.example/till')).toMatchObject({
      ok: true,
      value: { completed: true },
    });
    expect((await eventsOf(incoming.id)).filter((type) => type === 'incoming_payment.completed')).toHaveLength(1);
    const expiring = await invoice(100n, node.clock.now() + 1);
    node.clock.advance(1);
    expect(await node.incomingPayments.complete(expiring.id, null)).toEqual({ ok: false, error: 'expired' });
  });

  it('take no more than they ask for, and no more than can be counted', () => {
    const most = 2n ** 63n - 1n;
    expect(roomOf({ incomingAmount: 10n, received: 4n })).toBe(6n);
    expect(roomOf({ incomingAmount: null, received: most - 4n })).toBe(4n);
    expect(roomOf({ incomingAmount: 2n ** 64n - 1n, received: most })).toBe(0n);
  });

  it('state amounts over the whole unsigned 64-bit range', async () => {
    const incoming = await invoice(2n ** 64n - 1n);
    expect(await node.incomingPayments.find(incoming.id)).toMatchObject({ incomingAmount: 2n ** 64n - 1n });
    expect(await node.quotes.create({ walletAddress: buyer, client: null, receiver: urlOf(incoming.id) })).toEqual({
      ok: false,
      error: { code: 'amount_too_large' },
    });
  });
});
