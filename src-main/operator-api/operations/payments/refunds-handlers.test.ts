import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
