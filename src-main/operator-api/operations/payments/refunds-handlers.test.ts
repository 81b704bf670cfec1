import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findIncomingPayment, receive } from '../../../payments/incoming/incoming-payments.ts';
import { notePayer } from '../../../payments/refunds/payers.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

const ANN = 'https://wallet.example/ann';

describe.each(Object.entries(TRANSPORTS))('the operator refunds over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let close: () => Promise<void>;
  let shop: WalletAddress;
  let buyer: WalletAddress;
  let paymentId: string;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close } = await connect(desk));
    shop = await desk.account('shop', 0n);
    buyer = await desk.account('bakery', 10_000n);
    const made = await client.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 1_250n });
    paymentId = made.id;
    const quote = await client.payments.quote({ requestId: randomUUID(), accountId: buyer.id, payee: made.link });
    const { id } = await client.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
    await desk.finished(id);
  });
  afterEach(async () => {
    await close();
    await desk.close();
  });

  const refund = (amount: bigint, more: { requestId?: string; payer?: string; reason?: string } = {}) =>
    client.refunds.create({ requestId: randomUUID(), paymentId, amount, ...more });
  const done = async () => {
    await expect.poll(async () => (await client.payments.get({ id: paymentId })).refunds.map(({ state }) => state)).toEqual(['done']);
    return await client.payments.get({ id: paymentId });
  };

  it('to the account that paid, and both payments say so', async () => {
    const asked = await refund(500n, { reason: 'Book returned' });
    expect(asked.refunds).toMatchObject([{ amount: { value: 500n }, reason: 'Book returned', payer: desk.walletAddresses.urlOf(buyer) }]);
    const { refunds, payers, refunded, timeline } = await done();
    expect(refunded.value).toBe(500n);
    expect(payers).toMatchObject([{ accountId: buyer.id, amount: { value: 1_250n }, refundable: { value: 750n } }]);
    expect(timeline.at(-1)).toMatchObject({ type: 'incoming_payment.refunding', body: { amount: '500' } });
    const out = await client.payments.get({ id: refunds[0]?.outgoingPaymentId ?? '' });
    expect(out).toMatchObject({ direction: 'out', refundOf: paymentId, status: 'completed', description: 'Book returned' });
    const [act] = (await client.activity.list({ limit: 1 })).items;
    expect(act).toMatchObject({ operation: 'refunds.create', facts: { amount: '500' } });
  });

  it('never more than came, with an error of its own for each refusal', async () => {
    await expect(refund(1_251n)).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
    await expect(refund(1n, { payer: ANN })).rejects.toMatchObject({ code: 'PAYER_UNKNOWN' });
    const requestId = randomUUID();
    await refund(1_000n, { requestId });
    await refund(1_000n, { requestId });
    await expect(refund(999n, { requestId })).rejects.toMatchObject({ code: 'REQUEST_ID_TAKEN' });
    await expect(refund(251n)).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
    const nothing = client.refunds.create({ requestId: randomUUID(), paymentId: randomUUID(), amount: 1n });
    await expect(nothing).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await done()).refunds).toHaveLength(1);
  });

  it('and finds payments by who paid, in the list and in the export', async () => {
    const other = await client.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 5n });
    await desk.database.write((tx) => notePayer(tx, { incomingPaymentId: other.id, payer: ANN, amount: 5n }, 1));
    await refund(500n);
    await done();
    const found = async (text: string) => (await client.payments.list({ direction: 'in', text })).items.map(({ id }) => id);
    expect(await found('BAKERY')).toContain(paymentId);
    expect(await found('wallet.example/ann')).toEqual([other.id]);
    expect(await found('nobody')).toEqual([]);
    let csv = '';
    for await (const part of await client.payments.export({ direction: 'in' })) csv += part.csv;
    expect(csv).toContain('"payer","refunded","refund_of"');
    expect(csv).toContain(`"${desk.walletAddresses.urlOf(buyer)}","5.00",`);
  });
});

describe('what they paid in another currency goes back', () => {
  const EUR = { assetCode: 'EUR', assetScale: 2 };
  const USD = { assetCode: 'USD', assetScale: 2 };
  let desk: Desk;
  let paymentId: string;
  let owner: Client;
  const euroIs = async (euros: string) => {
    const rate = { spreadBps: 0, source: 'test', asOf: new Date(desk.clock.now()), maxAgeSeconds: 3_600 };
    await owner.rates.set({ base: 'USD', quote: 'EUR', rate: euros, ...rate });
  };

  beforeEach(async () => {
    desk = openDesk();
    owner = desk.callsAs({ role: 'owner' });
    const shop = await desk.account('shop', 0n);
    const buyer = await owner.accounts.create({
      requestId: randomUUID(),
      name: 'euro',
      ...EUR,
      publicName: 'Euro',
      openingBalance: 10_000n,
    });
    await euroIs('0.8');
    const rate = { spreadBps: 0, source: 'test', asOf: new Date(desk.clock.now()), maxAgeSeconds: 3_600 };
    await owner.rates.set({ base: 'EUR', quote: 'USD', rate: '1.25', ...rate });
    for (const asset of [EUR, USD])
      await owner.rates.fund({ requestId: randomUUID(), ...asset, amount: 1_000_000n, note: 'to trade with' });
    const made = await owner.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 1_250n, madeAt: 'till' });
    paymentId = made.id;
    const quote = await owner.payments.quote({ requestId: randomUUID(), accountId: buyer.id, payee: made.link });
    const { id } = await owner.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
    await desk.finished(id);
  });
  afterEach(() => desk.close());
  const refund = (receive: bigint, amount: bigint) => owner.refunds.create({ requestId: randomUUID(), paymentId, amount, receive });

  it('exactly, for a price that is told before', async () => {
    const [payer] = (await owner.refunds.of({ paymentId })).payers;
    expect(payer).toMatchObject({ paid: { amount: { value: 1_000n, ...EUR }, left: { value: 1_000n } } });
    expect(await owner.refunds.price({ paymentId, receive: 400n })).toEqual({
      ...{ cost: { value: 500n, ...USD }, most: { value: 1_250n, ...USD }, receive: { value: 400n, ...EUR } },
    });
    const { refunds } = await refund(400n, 500n);
    expect(refunds).toMatchObject([{ amount: { value: 500n, ...USD }, receive: { value: 400n, ...EUR } }]);
    await expect.poll(async () => (await owner.refunds.of({ paymentId })).refunds[0]?.state).toBe('done');
    expect((await owner.refunds.of({ paymentId })).payers).toMatchObject([
      { refundable: { value: 750n }, paid: { left: { value: 600n } } },
    ]);
  });

  it('or says what it costs, or that it is more than they paid, or that the price has changed', async () => {
    await expect(refund(1_001n, 9_999n)).rejects.toMatchObject({ code: 'REFUND_MORE_THAN_PAID' });
    await expect(owner.refunds.price({ paymentId, receive: 1_001n })).rejects.toMatchObject({ code: 'REFUND_MORE_THAN_PAID' });
    await expect(refund(400n, 499n)).rejects.toMatchObject({ code: 'REFUND_PRICE_CHANGED' });
    await euroIs('0.76');
    await expect(refund(1_000n, 9_999n)).rejects.toMatchObject({
      code: 'REFUND_COSTS_TOO_MUCH',
      data: { cost: { value: 1_316n, ...USD }, most: { value: 1_250n, ...USD } },
    });
    await owner.rates.remove({ base: 'USD', quote: 'EUR' });
    await expect(owner.refunds.price({ paymentId, receive: 400n })).rejects.toMatchObject({ code: 'NO_RATE' });
    await expect(refund(400n, 9_999n)).rejects.toMatchObject({ code: 'NO_RATE' });
  });

  it('within a cashier’s limit, and with a second person above an amount', async () => {
    const cashier = desk.callsAs({ role: 'cashier', doer: { kind: 'person', id: 'cashier', name: 'Ada', role: 'cashier' } });
    await owner.refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 2_000n, perDay: 499n } });
    expect((await cashier.refunds.price({ paymentId, receive: 400n })).cost.value).toBe(500n);
    const asked = { requestId: randomUUID(), paymentId, amount: 500n, receive: 400n };
    await expect(cashier.refunds.create(asked)).rejects.toMatchObject({ code: 'OVER_DAY_LIMIT' });
  });
});

describe('a payment with many payers and refunds', () => {
  const PAYERS = 230;
  let desk: Desk;
  let shop: WalletAddress;
  let paymentId: string;
  const urlOf = (number: number) => `https://wallet.example/p${String(number).padStart(3, '0')}`;

  beforeEach(async () => {
    desk = openDesk();
    shop = await desk.account('shop', 1_000n);
    const made = await desk.incomingPayments.create({ walletAddress: shop, client: null });
    if (!made.ok) throw new Error(made.error);
    paymentId = made.value.id;
    await desk.database.write(async (tx) => {
      const payment = await findIncomingPayment(tx, paymentId);
      if (payment !== undefined) await receive(tx, payment, BigInt(PAYERS), desk.clock.now());
      for (let number = 0; number < PAYERS; number += 1)
        await notePayer(tx, { incomingPaymentId: paymentId, payer: urlOf(number), amount: 1n }, desk.clock.now());
    });
  });
  afterEach(() => desk.close());

  /** Follows a list to its end. @returns its parts */
  async function parts<Item>(read: (cursor?: string) => Promise<{ items: Item[]; nextCursor: string | null }>): Promise<Item[][]> {
    const all: Item[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part = await read(cursor);
      all.push(part.items);
      cursor = part.nextCursor;
    }
    return all;
  }

  it('shows the first of them, and reads all in parts', async () => {
    const calls = desk.callsAs({ role: 'accountant' });
    const { payers, morePayers, moreRefunds } = await calls.payments.get({ id: paymentId });
    expect([payers.map(({ walletAddress }) => walletAddress), morePayers, moreRefunds]).toEqual([
      Array.from({ length: 20 }, (_, number) => urlOf(number)),
      true,
      false,
    ]);
    const all = await parts((cursor) => calls.refunds.payers({ paymentId, cursor }));
    expect(all.map((part) => part.length)).toEqual([100, 100, 30]);
    expect(all.flat().map(({ walletAddress }) => walletAddress)).toEqual(Array.from({ length: PAYERS }, (_, number) => urlOf(number)));
    const found = await calls.refunds.payers({ paymentId, text: 'P22' });
    expect(found.items.map(({ walletAddress }) => walletAddress)).toEqual(Array.from({ length: 10 }, (_, nth) => urlOf(220 + nth)));
    let csv = '';
    for await (const part of await calls.payments.export({})) csv += part.csv;
    expect(csv).toContain(urlOf(19));
    expect(csv).not.toContain(urlOf(20));
  });

  it('refunds the last payer, and shows the newest refunds', async () => {
    const owner = desk.callsAs({ role: 'owner' });
    const refund = (number: number) =>
      owner.refunds.create({ requestId: randomUUID(), paymentId, amount: 1n, payer: urlOf(number), reason: `${number}` });
    for (let number = 0; number < 120; number += 1) {
      await refund(number);
      desk.clock.advance(1);
    }
    const last = await refund(PAYERS - 1);
    await expect(refund(PAYERS - 1)).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
    expect(last.refunds.map(({ reason }) => reason)).toEqual([`${PAYERS - 1}`, ...Array.from({ length: 19 }, (_, nth) => `${119 - nth}`)]);
    expect(last.moreRefunds).toBe(true);
    const all = await parts((cursor) => owner.refunds.list({ paymentId, cursor }));
    expect(all.map((part) => part.length)).toEqual([100, 21]);
    expect(new Set(all.flat().map(({ payer }) => payer)).size).toBe(121);
    const [first, second] = await parts((cursor) => owner.refunds.payers({ paymentId, cursor }));
    const refundable = [...(first ?? []), ...(second ?? [])].map((payer) => payer.refundable.value);
    expect(refundable).toEqual(Array.from({ length: 200 }, (_, number) => (number < 120 ? 0n : 1n)));
    await expect(owner.refunds.create({ requestId: randomUUID(), paymentId, amount: 1n })).rejects.toMatchObject({ code: 'PAYER_UNKNOWN' });
  });

  it('of an app is none of a cashier’s', async () => {
    const made = await desk.incomingPayments.create({ walletAddress: shop, client: 'https://app.example/till' });
    if (!made.ok) throw new Error(made.error);
    const cashier = desk.callsAs({ role: 'cashier' });
    const hidden = { paymentId: made.value.id };
    await expect(cashier.refunds.payers(hidden)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(cashier.refunds.list(hidden)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await cashier.refunds.payers({ paymentId })).items).toHaveLength(100);
    expect(await cashier.refunds.list({ paymentId })).toEqual({ items: [], nextCursor: null });
  });
});

describe('a cashier and a manager refund', () => {
  const USD = { assetCode: 'USD', assetScale: 2 };
  let desk: Desk;
  let sale: string;
  let order: string;

  beforeEach(async () => {
    desk = openDesk();
    const shop = await desk.account('shop', 0n);
    const buyer = await desk.account('bakery', 10_000n);
    const owner = desk.callsAs({ role: 'owner' });
    const paid = async (madeAt: 'till' | 'desk') => {
      const made = await owner.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 1_250n, madeAt });
      const quote = await owner.payments.quote({ requestId: randomUUID(), accountId: buyer.id, payee: made.link });
      const { id } = await owner.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
      await desk.finished(id);
      return made.id;
    };
    [sale, order] = [await paid('till'), await paid('desk')];
  });
  afterEach(() => desk.close());

  const as = (role: 'owner' | 'manager' | 'cashier' | 'accountant', kind: 'person' | 'key' = 'person') =>
    desk.callsAs({ role, doer: { kind, id: `${kind}-${role}`, name: 'Ada', role } });
  const ask = (amount: bigint, paymentId = sale) => ({ requestId: randomUUID(), paymentId, amount });

  it('up to what the owner sets, and hear what is left and why not', async () => {
    const [cashier, owner] = [as('cashier'), as('owner')];
    await expect(cashier.refunds.create(ask(1n))).rejects.toMatchObject({ code: 'NO_REFUND_LIMIT', status: 403 });
    expect((await cashier.refunds.of({ paymentId: sale })).allowance).toEqual({ refusal: 'no_limit_set', payment: null, day: null });
    await owner.refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 2_000n, perDay: 600n } });
    expect(await owner.refundLimits.list()).toEqual({
      limits: [{ role: 'cashier', ...USD, perPayment: 2_000n, perDay: 600n }],
      currencies: [USD],
    });
    await cashier.refunds.create(ask(500n));
    await expect(cashier.refunds.create(ask(101n))).rejects.toMatchObject({
      code: 'OVER_DAY_LIMIT',
      data: { limit: { value: 600n, ...USD }, left: { value: 100n, ...USD } },
    });
    await expect(cashier.refunds.create(ask(1n, order))).rejects.toMatchObject({ code: 'NOT_TODAYS_SALE' });
    const { allowance, refunds } = await cashier.refunds.of({ paymentId: sale });
    expect(allowance).toMatchObject({ refusal: null, payment: { left: { value: 1_500n } }, day: { left: { value: 100n } } });
    expect(refunds).toMatchObject([{ amount: { value: 500n } }]);
    const acts = (await owner.activity.list({ limit: 5 })).items;
    expect(acts.map(({ operation, by }) => [operation, by?.role])).toContainEqual(['refunds.create', 'cashier']);
    expect(acts).toContainEqual(expect.objectContaining({ operation: 'refundLimits.set' }));
  });

  it('each key of the shop’s own software counts as a person', async () => {
    await as('owner').refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 2_000n, perDay: 300n } });
    await as('cashier').refunds.create(ask(300n));
    const key = as('cashier', 'key');
    await key.refunds.create(ask(300n));
    await expect(key.refunds.create(ask(1n))).rejects.toMatchObject({ code: 'OVER_DAY_LIMIT' });
  });

  it('but neither sets limits, and an accountant refunds nothing', async () => {
    const limit = { role: 'cashier' as const, ...USD, amounts: null };
    for (const role of ['cashier', 'manager', 'accountant'] as const)
      await expect(as(role).refundLimits.set(limit)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(as('accountant').refunds.create(ask(1n))).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(as('accountant').refunds.of({ paymentId: sale })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });
});
