import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../../../src-shared/amounts.ts';
import { brokenInvariants } from '../../../ledger/testing/invariants.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

const EUR = { assetCode: 'EUR', assetScale: 2 };

describe.each(Object.entries(TRANSPORTS))('rates and exchange money over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    expect(await brokenInvariants(desk.database.read)).toEqual([]);
    await disconnect();
    await desk.close();
  });

  const rate = (base: string, quote: string, text: string) => ({
    base,
    quote,
    rate: text,
    spreadBps: 50,
    source: 'European Central Bank',
    asOf: new Date(desk.clock.now() - 60_000),
    maxAgeSeconds: 3_600,
  });
  const codeOf = async (work: Promise<unknown>) => {
    const { error } = await safe<unknown, Error>(work);
    return error instanceof ORPCError ? error.code : undefined;
  };

  it('are set, replaced, listed and removed', async () => {
    const set = await client.rates.set(rate('USD', 'EUR', '0.913700000000000001'));
    expect(set).toEqual({ ...rate('USD', 'EUR', '0.913700000000000001'), stale: false, updatedAt: new Date(desk.clock.now()) });
    await client.rates.set(rate('EUR', 'USD', '1.09'));
    await client.rates.set(rate('USD', 'EUR', '0.92'));
    expect((await client.rates.list()).map(({ base, quote, rate }) => [base, quote, rate])).toEqual([
      ['EUR', 'USD', '1.09'],
      ['USD', 'EUR', '0.92'],
    ]);
    desk.clock.advance(3_540_001);
    expect((await client.rates.list()).map(({ stale }) => stale)).toEqual([true, true]);
    expect(await client.rates.remove({ base: 'USD', quote: 'EUR' })).toMatchObject({ base: 'USD', rate: '0.92', stale: true });
    expect(await client.rates.list()).toHaveLength(1);
  });

  it('are refused when they make no sense', async () => {
    expect(await codeOf(client.rates.set(rate('USD', 'USD', '1')))).toBe('SAME_CURRENCY');
    expect(await codeOf(client.rates.remove({ base: 'USD', quote: 'EUR' }))).toBe('NOT_FOUND');
    for (const text of ['0', '0.0', '-1', '1e3', '1,5', '01', `1.${'0'.repeat(18)}1`, '']) {
      expect([text, await codeOf(client.rates.set(rate('USD', 'EUR', text)))]).toEqual([text, 'BAD_REQUEST']);
    }
    expect(await codeOf(client.rates.set({ ...rate('USD', 'EUR', '1'), spreadBps: 10_000 }))).toBe('BAD_REQUEST');
    expect(await client.rates.list()).toEqual([]);
  });

  it("are funded and withdrawn from once per request id, in currencies of the node's accounts", async () => {
    await desk.account('shop', 0n, 'EUR');
    const move = (amount: bigint, requestId: string = randomUUID()) => ({ requestId, ...EUR, amount, note: 'From the bank' });
    expect(await client.rates.funds()).toEqual([{ ...EUR, value: 0n }]);
    const deposit = move(500n);
    expect(await client.rates.fund(deposit)).toEqual({ ...EUR, value: 500n });
    expect(await client.rates.fund(deposit)).toEqual({ ...EUR, value: 500n });
    expect(await codeOf(client.rates.withdraw(move(501n)))).toBe('INSUFFICIENT_BALANCE');
    expect(await codeOf(client.rates.fund(move(MAX_MOVED)))).toBe('TOO_LARGE');
    expect(await codeOf(client.rates.fund({ ...move(1n), assetCode: 'JPY' }))).toBe('NOT_FOUND');
    expect(await codeOf(client.rates.withdraw({ ...move(1n), assetScale: 3 }))).toBe('NOT_FOUND');
    const withdrawal = move(200n);
    await Promise.all([client.rates.withdraw(withdrawal), client.rates.withdraw(withdrawal)]);
    expect(await client.rates.funds()).toEqual([{ ...EUR, value: 300n }]);
  });

  it('show in the books of both accounts what each of them paid and received', async () => {
    const shop = await desk.account('shop', 0n, 'EUR');
    // The currency of the oldest account comes first.
    desk.clock.advance(1_000);
    const buyer = await desk.account('buyer', 5_000n);
    await client.rates.set({ ...rate('USD', 'EUR', '0.5'), spreadBps: 0 });
    await client.rates.fund({ requestId: randomUUID(), ...EUR, amount: 700n, note: '' });
    const incoming = await desk.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount: { ...EUR, value: 600n } });
    if (!incoming.ok) throw new Error(incoming.error);
    const receiver = desk.urls.incomingPayment(incoming.value.id);
    // The order of lines with the same time is undefined.
    desk.clock.advance(1_000);
    const made = await desk.outgoingPayments.createFromIncomingPayment({
      walletAddress: buyer,
      right: null,
      incomingPayment: receiver,
      debitAmount: { value: 1_200n, assetCode: 'USD', assetScale: 2 },
    });
    if (!made.ok) throw new Error(made.error.code);
    await desk.finished(made.value.id);
    const book = async (id: string) =>
      (await client.accounts.movements({ id })).items.map(({ kind, change, paymentId }) => [kind, change, paymentId]);
    expect(await book(buyer.id)).toEqual([
      ['reserved', -1_200n, made.value.id],
      ['deposit', 5_000n, null],
    ]);
    expect(await book(shop.id)).toEqual([['received', 600n, incoming.value.id]]);
    expect(await client.rates.funds()).toEqual([
      { ...EUR, value: 100n },
      { assetCode: 'USD', assetScale: 2, value: 1_200n },
    ]);
    expect(await client.payments.get({ id: made.value.id })).toMatchObject({
      status: 'completed',
      receiveAmount: { ...EUR, value: 600n },
      delivered: { ...EUR, value: 600n },
    });
    expect((await client.node.overview()).today).toEqual([
      { ...EUR, received: 600n, sent: 0n },
      { assetCode: 'USD', assetScale: 2, received: 0n, sent: 1_200n },
    ]);
  });
});
