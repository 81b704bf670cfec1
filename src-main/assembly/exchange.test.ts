import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { rateOf } from '../exchange/testing/rates.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { ALICE, BOB, CAROL, EVERYTHING, incomingPayment, pathOf } from './testing/error-cases.ts';
import { type Answer, openTestNode, type TestNode } from './testing/test-node.ts';

const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });
const eur = (value: string) => ({ value, assetCode: 'EUR', assetScale: 2 });
const Amount = z.object({ value: z.string(), assetCode: z.string(), assetScale: z.number() });
const Quote = z.object({ id: z.string(), debitAmount: Amount, receiveAmount: Amount, expiresAt: z.string() });
const Payment = z.object({ id: z.string(), failed: z.boolean(), debitAmount: Amount, receiveAmount: Amount, sentAmount: Amount });
const Problem = z.object({
  error: z.object({ code: z.string(), description: z.string(), details: z.object({ minSendAmount: Amount }).optional() }),
});

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = await openTestNode();
  token = await node.giveToken(EVERYTHING);
});
afterEach(async () => {
  // The worker may still be at work, so that only a write sees one state of the books.
  expect(await node.database.write((tx) => brokenInvariants(tx))).toEqual([]);
  await node.close();
});

const setRate = (rate: string, spreadBps = 0) => node.payments.rates.set(rateOf('USD', 'EUR', rate, node.clock.now(), { spreadBps }));
async function fund(amount: bigint): Promise<void> {
  const asset = { assetCode: 'EUR', assetScale: 2 };
  const moved = await node.payments.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset, amount, note: '' });
  expect(moved.ok).toBe(true);
}
const post = (path: string, body: object, as = token) => node.call({ method: 'POST', path, token: as, body });
const invoice = (incomingAmount?: object) => incomingPayment(node, { walletAddress: BOB, ...(incomingAmount && { incomingAmount }) });
const askQuote = (receiver: string, amounts: object = {}) => post('/quotes', { walletAddress: ALICE, receiver, method: 'ilp', ...amounts });
async function quoteFor(receiver: string, amounts: object = {}) {
  const { status, body } = await askQuote(receiver, amounts);
  expect([status, body]).toMatchObject([201, {}]);
  return Quote.parse(body);
}
const payFrom = (quoteId: string, as = token) => post('/outgoing-payments', { walletAddress: ALICE, quoteId }, as);
const payDirectly = (receiver: string, debit: string) =>
  post('/outgoing-payments', { walletAddress: ALICE, incomingPayment: receiver, debitAmount: usd(debit) });
/** Waits as a client does, until everything is sent or the payment has failed. */
async function whenEnded({ status, body }: Answer) {
  expect([status, body]).toMatchObject([201, {}]);
  const { id } = Payment.parse(body);
  for (;;) {
    const payment = Payment.parse((await node.call({ method: 'GET', path: pathOf(id), token })).body);
    if (payment.failed || payment.sentAmount.value === payment.debitAmount.value) return payment;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const received = async (receiver: string) => (await node.call({ method: 'GET', path: pathOf(receiver), token })).body;
const codeOf = ({ status, body }: Answer) => `${status} ${Problem.parse(body).error.code}`;

describe('a payment between currencies', () => {
  test('is quoted to the client, who then pays and sees the invoice paid to the cent', async () => {
    await setRate('0.9137', 50);
    await fund(50_000n);
    const receiver = await invoice(eur('10000'));
    const quote = await quoteFor(receiver);
    // 100.00 EUR / (0.9137 · 0.995) = 109.995…, rounded up to a cent.
    expect(quote).toMatchObject({ debitAmount: usd('11000'), receiveAmount: eur('10000') });
    const payment = await whenEnded(await payFrom(quote.id));
    expect(payment).toMatchObject({ failed: false, sentAmount: usd('11000'), debitAmount: usd('11000'), receiveAmount: eur('10000') });
    expect(await received(receiver)).toMatchObject({ completed: true, receivedAmount: eur('10000') });
  });

  test('can name what is taken, what arrives, or the invoice alone, in each of its forms', async () => {
    await setRate('0.9137');
    await fund(50_000n);
    const debit = await quoteFor(await invoice(), { debitAmount: usd('10000') });
    expect(debit).toMatchObject({ debitAmount: usd('10000'), receiveAmount: eur('9137') });
    const receive = await quoteFor(await invoice(), { receiveAmount: eur('9137') });
    expect(receive).toMatchObject({ debitAmount: usd('10000'), receiveAmount: eur('9137') });
    const asked = await quoteFor(await invoice(eur('9136')));
    expect(asked).toMatchObject({ debitAmount: usd('9999'), receiveAmount: eur('9136') });
    const receiver = await invoice();
    expect(await whenEnded(await payDirectly(receiver, '10001'))).toMatchObject({ failed: false, receiveAmount: eur('9137') });
    expect(await received(receiver)).toMatchObject({ receivedAmount: eur('9137') });
    expect(codeOf(await askQuote(receiver, { debitAmount: eur('1') }))).toBe('400 invalid_amount');
    expect(codeOf(await askQuote(receiver, { receiveAmount: usd('1') }))).toBe('400 invalid_amount');
  });

  test('is refused when it is too small to arrive, with the least amount that does arrive', async () => {
    await setRate('0.0045');
    await fund(50_000n);
    const receiver = await invoice();
    for (const ask of [
      (value: string) => askQuote(receiver, { debitAmount: usd(value) }),
      (value: string) => payDirectly(receiver, value),
    ]) {
      for (const value of ['1', '222']) {
        const { status, body } = await ask(value);
        expect(status).toBe(400);
        expect(Problem.parse(body).error).toEqual({
          code: 'non_positive_receive_amount',
          description: 'non-positive receive amount: the smallest amount that can be sent is 2.23 USD',
          details: { minSendAmount: usd('223') },
        });
      }
      const least = await ask('223');
      expect([least.status, least.body]).toMatchObject([201, { debitAmount: usd('223'), receiveAmount: eur('1') }]);
    }
  });

  test('is refused when it is more than the invoice still takes, or more than can move', async () => {
    await setRate('2');
    await fund(50_000n);
    const receiver = await invoice(eur('100'));
    expect(codeOf(await askQuote(receiver, { debitAmount: usd('51') }))).toBe('400 invalid_amount');
    expect(codeOf(await payDirectly(receiver, '51'))).toBe('400 invalid_amount');
    const half = (2n ** 62n).toString();
    expect(codeOf(await askQuote(await invoice(), { debitAmount: usd(half) }))).toBe('400 amount_too_large');
    expect((await askQuote(receiver, { debitAmount: usd('50') })).status).toBe(201);
  });

  test('is stopped by a missing or old rate, or an empty exchange account, for that pair only', async () => {
    const receiver = await invoice();
    const inDollars = await incomingPayment(node, { walletAddress: CAROL });
    const both = async () => [
      codeOf(await payDirectly(receiver, '100')),
      codeOf(await askQuote(receiver, { debitAmount: usd('100') })),
      (await askQuote(inDollars, { debitAmount: usd('100') })).status,
    ];
    expect(await both()).toEqual(['400 no_rate', '400 no_rate', 201]);
    await setRate('0.9');
    expect(await both()).toEqual(['400 no_liquidity', '400 no_liquidity', 201]);
    await fund(90n);
    expect((await askQuote(receiver, { debitAmount: usd('100') })).status).toBe(201);
    expect(codeOf(await askQuote(receiver, { debitAmount: usd('102') }))).toBe('400 no_liquidity');
    node.clock.advance(3_600_001);
    token = await node.giveToken(EVERYTHING);
    expect(await both()).toEqual(['400 rate_stale', '400 rate_stale', 201]);
  });

  test('keeps the rate of its quote for five minutes, whatever happens to the rate', async () => {
    await setRate('0.9');
    await fund(50_000n);
    const [receiver, late] = [await invoice(), await invoice()];
    const quote = await quoteFor(receiver, { debitAmount: usd('1000') });
    expect(Date.parse(quote.expiresAt)).toBe(node.clock.now() + 300_000);
    const lateQuote = await quoteFor(late, { debitAmount: usd('1000') });
    await setRate('0.5');
    expect(await quoteFor(receiver, { debitAmount: usd('1000') })).toMatchObject({ receiveAmount: eur('500') });
    node.clock.advance(299_999);
    expect(await whenEnded(await payFrom(quote.id))).toMatchObject({ failed: false, receiveAmount: eur('900') });
    expect(await received(receiver)).toMatchObject({ receivedAmount: eur('900') });
    node.clock.advance(1);
    expect(codeOf(await payFrom(lateQuote.id))).toBe('400 invalid_quote');
  });

  test('cannot use a quote whose invoice has ended', async () => {
    await setRate('0.9');
    await fund(50_000n);
    const expiresAt = new Date(node.clock.now() + 10_000).toISOString();
    const quote = await quoteFor(await incomingPayment(node, { walletAddress: BOB, expiresAt }), { debitAmount: usd('1000') });
    expect(quote.expiresAt).toBe(expiresAt);
  });

  test('counts in the grant what is taken and what arrives, each in its own currency', async () => {
    await setRate('0.9');
    await fund(50_000n);
    const spending = (limits: { debitAmount?: object; receiveAmount?: object }) =>
      node.giveToken([{ type: 'outgoing-payment', actions: ['create', 'read'], identifier: ALICE, limits } as (typeof EVERYTHING)[number]]);
    const pay = async (as: string, debit: string) => await payFrom((await quoteFor(await invoice(), { debitAmount: usd(debit) })).id, as);
    const byDebit = await spending({ debitAmount: usd('1500'), receiveAmount: eur('5000') });
    expect((await pay(byDebit, '1000')).status).toBe(201);
    expect(codeOf(await pay(byDebit, '501'))).toBe('403 limit_exceeded');
    const byReceive = await spending({ debitAmount: usd('5000'), receiveAmount: eur('1350') });
    expect((await pay(byReceive, '1000')).status).toBe(201);
    expect(codeOf(await pay(byReceive, '502'))).toBe('403 limit_exceeded');
    expect((await pay(byReceive, '500')).status).toBe(201);
    const { body } = await node.call({ method: 'GET', path: '/outgoing-payment-grant', token: byReceive });
    expect(body).toEqual({ spentDebitAmount: usd('1500'), spentReceiveAmount: eur('1350') });
  });
});
