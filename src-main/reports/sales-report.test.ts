import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import type { AttemptFailure } from '../../src-shared/attempt-failures.ts';
import { type Bill, type BillLine, countBill } from '../../src-shared/bills/bill.ts';
import { dayAt, daysLater } from '../../src-shared/calendar.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { checkouts } from '../checkout/tables.ts';
import { accountId, transfer } from '../ledger/ledger.ts';
import { openPeerAccount } from '../ledger/peer-accounts.ts';
import { receive } from '../payments/incoming/incoming-payments.ts';
import { refundsOf } from '../payments/refunds/refund-rows.ts';
import { incomingPayments } from '../payments/tables.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { changeShop } from '../shop/shop.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { salesReport } from './sales-report.ts';

const DAYS = { timeZone: 'Europe/Berlin', dayEndsAt: 180 };
const HOUR_MS = 3_600_000;
const USD = { assetCode: 'USD', assetScale: 2 };

let test: Payments;
beforeEach(async () => {
  test = openPayments();
  await test.database.write(async (tx) => {
    await changeShop(tx, { timeZone: DAYS.timeZone, profile: { ...EMPTY_PROFILE, dayEndsAt: DAYS.dayEndsAt } });
    await openPeerAccount(tx, 'p', USD, MAX_MOVED, 0);
  });
});
afterEach(() => test.close());

const today = () => dayAt(test.clock.now(), DAYS);
async function reportOf(account: WalletAddress, from: string, to: string): Promise<SalesReport> {
  const report = await salesReport(test, { accountId: account.id, from, to });
  if (!report.ok) throw new Error(report.error);
  return report.value;
}

const billOf = (lines: readonly Pick<BillLine, 'text' | 'quantity' | 'unitPrice'>[], tip = 0n): Bill => ({
  pricesIncludeTax: false,
  rounding: 'total',
  lines: lines.map((line) => ({ ...line, tax: { name: 'VAT', rate: 19_000 } })),
  tip,
});

/** Makes a request of the shop. A request without a bill asks for no amount. */
async function ask(account: WalletAddress, bill?: Bill, reference: string | null = null) {
  const value = bill && countBill(bill)?.total;
  const made = await test.incomingPayments.create({
    walletAddress: account,
    client: null,
    ...(value !== undefined && { incomingAmount: { value, ...USD } }),
    kept: { madeAt: 'till', reference, ...(bill && { bill }) },
  });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

/** Brings money to a request, as a peer does. */
async function bring(account: WalletAddress, payment: Awaited<ReturnType<typeof ask>>, amount: bigint, isFurther = false): Promise<void> {
  await test.database.write(async (tx) => {
    const moved = { debit: accountId('peer', 'p'), credit: accountId('customer', account.id), amount, paymentId: payment.id };
    const done = await transfer(tx, { kind: 'payment', ...moved, isFurther, at: test.clock.now() });
    if (!done.ok) throw new Error(done.error);
    await receive(tx, payment, amount, test.clock.now());
  });
}

const sum = (rows: readonly { value: bigint }[]) => rows.reduce((all, { value }) => all + value, 0n);
/** How much each product brought, by its name. */
const byProduct = ({ products }: SalesReport) => new Map(products.map(({ kind, text, value }) => [`${kind} ${text}`, value]));

const line = fc.record({
  text: fc.constantFrom('Tea', 'Loaf', 'Rose', ''),
  quantity: fc.integer({ min: 1, max: 5_000 }),
  unitPrice: fc.bigInt({ min: 0n, max: 2_000n }),
});
const sale = fc.record({
  lines: fc.option(fc.array(line, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  tip: fc.bigInt({ min: 0n, max: 50n }),
  reference: fc.constantFrom(null, 'Table 4', 'R-1'),
  /** The number of parts in which it is paid, how much of it in percent, and how long after each other. */
  parts: fc.integer({ min: 1, max: 3 }),
  paid: fc.integer({ min: 10, max: 100 }),
  hours: fc.integer({ min: 0, max: 40 }),
});

describe('a report', () => {
  it('has lists that all add up to what came, and two periods add up to both, to the unit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 1, maxLength: 8 }), async (story) => {
        const account = await test.account(`a-${randomUUID().slice(0, 8)}`, 0n);
        const begin = today();
        let [came, middle] = [0n, begin];
        for (const { lines, tip, reference, parts, paid, hours } of story) {
          const bill = lines && billOf(lines, tip);
          const asked = bill === undefined ? 700n : (countBill(bill)?.total ?? 0n);
          if (asked === 0n) continue;
          const payment = await ask(account, bill, reference);
          let left = (asked * BigInt(paid)) / 100n;
          for (let part = 0; part < parts && left > 0n; part += 1) {
            const amount = part === parts - 1 ? left : (left + 1n) / 2n;
            await bring(account, payment, amount, part > 0);
            left -= amount;
            came += amount;
            test.clock.advance(hours * HOUR_MS);
          }
          middle = today();
        }
        const end = today();
        const whole = await reportOf(account, begin, end);
        expect(whole.received.value).toBe(came);
        expect(whole.refunded).toEqual({ value: 0n, count: 0 });
        for (const list of [whole.days, whole.products, whole.places, whole.references]) expect(sum(list)).toBe(came);
        for (const list of [whole.days, whole.places, whole.references])
          expect(list.reduce((all, { count }) => all + count, 0)).toBe(whole.received.count);
        if (middle === begin) return;
        const [before, after] = [await reportOf(account, begin, daysLater(middle, -1)), await reportOf(account, middle, end)];
        expect(before.received.value + after.received.value).toBe(came);
        expect([...before.days, ...after.days].map(({ day, value }) => [day, value])).toEqual(
          whole.days.map(({ day, value }) => [day, value]),
        );
        const [one, other] = [byProduct(before), byProduct(after)];
        for (const [name, value] of byProduct(whole)) expect((one.get(name) ?? 0n) + (other.get(name) ?? 0n), name).toBe(value);
      }),
      { numRuns: 25 },
    );
  });

  it('says who asked for it and where, and what became of the requests', async () => {
    const shop = await test.account('shop', 0n);
    await bring(shop, await ask(shop, billOf([{ text: 'Tea', quantity: 2_000, unitPrice: 250n }]), 'Table 4'), 595n);
    const half = await ask(shop, billOf([{ text: 'Tea', quantity: 1_000, unitPrice: 1_000n }]));
    await bring(shop, half, 595n);
    await ask(shop);
    const report = await reportOf(shop, today(), today());
    expect(report).toMatchObject({
      ...{ isEnded: false, received: { value: 1_190n, count: 2 } },
      products: [{ kind: 'product', text: 'Tea', value: 1_190n, count: 2, quantity: 2_500 }],
      places: [{ source: { madeBy: 'till', app: null, till: null, person: null }, value: 1_190n, count: 2 }],
      references: [
        { kind: 'reference', reference: 'Table 4', value: 595n, count: 1 },
        { kind: 'none', value: 595n, count: 1 },
      ],
      requests: [
        { status: 'waiting', count: 1 },
        { status: 'partly_paid', count: 1 },
        { status: 'paid', count: 1 },
      ],
    });
  });

  it('counts no request of others that nobody has paid, before and after the node forgets it', async () => {
    const shop = await test.account('shop', 0n);
    await ask(shop);
    const { requests: own } = await reportOf(shop, today(), today());
    expect(own).toEqual([{ status: 'waiting', count: 1 }]);
    const asked = { walletAddress: shop, client: 'https://stranger.example/x', incomingAmount: { value: 100n, ...USD } };
    for (let n = 0; n < 9; n += 1) {
      const made = await test.incomingPayments.create({ ...asked, expiresAt: test.clock.now() + 60_000 });
      if (!made.ok) throw new Error(made.error);
      if (n === 0) await bring(shop, made.value, 100n);
    }
    expect((await reportOf(shop, today(), today())).requests).toEqual([...own, { status: 'paid', count: 1 }]);
  });

  it('says why customers could not pay, why the shop cancelled, and why payments that were sent failed', async () => {
    const [shop, other] = [await test.account('shop', 5_000n), await test.account('other', 0n)];
    const asked = await ask(shop, billOf([{ text: 'Tea', quantity: 1_000, unitPrice: 1_000n }]));
    const elsewhere = await ask(other);
    const attempt = (incomingPaymentId: string, reason: AttemptFailure | null) =>
      test.database.write((tx) =>
        tx.insert(checkouts).values({
          ...{ id: randomUUID(), incomingPaymentId, state: reason === null ? 'paid' : 'failed', reason, visitorHash: 'v' },
          ...{ walletAddress: 'https://w.example/a', amount: 1n, tries: 0, createdAt: 0, lapsesAt: 0, updatedAt: 0 },
        }),
      );
    for (const reason of ['rejected', 'too_late', 'rejected', null] as const) await attempt(asked.id, reason);
    await attempt(elsewhere.id, 'no_rate');
    for (const reason of ['Sold out', 'Sold out', undefined]) {
      const { id } = await ask(shop);
      const ended = await test.incomingPayments.complete(id, null, reason);
      if (!ended.ok) throw new Error(ended.error);
    }
    for (const isOpen of [true, false]) {
      const payee = await ask(other, billOf([{ text: 'Rent', quantity: 1_000, unitPrice: 100n }]));
      const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: shop, payee: test.urls.incomingPayment(payee.id) });
      if (!quote.ok) throw new Error(quote.error.code);
      const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: shop, quoteId: quote.value.id });
      if (!made.ok) throw new Error(made.error.code);
      if (!isOpen)
        await test.database.write((tx) => tx.update(incomingPayments).set({ completed: true }).where(eq(incomingPayments.id, payee.id)));
      await test.finished(made.value.id);
    }
    expect(await reportOf(shop, today(), today())).toMatchObject({
      requests: [
        { status: 'waiting', count: 1 },
        { status: 'cancelled', count: 3 },
      ],
      attempts: [
        { reason: 'rejected', count: 2 },
        { reason: 'too_late', count: 1 },
      ],
      cancellations: [
        { reason: 'Sold out', count: 2 },
        { reason: '', count: 1 },
      ],
      sent: { count: 2, failures: [{ reason: 'receiver_closed', count: 1 }] },
    });
    test.clock.advance(48 * HOUR_MS);
    const later = { requests: [], attempts: [], cancellations: [], sent: { count: 0, failures: [] } };
    expect(await reportOf(shop, today(), today())).toMatchObject(later);
  });

  it('names the fifty products that brought most, and adds up the others', async () => {
    const shop = await test.account('shop', 0n);
    const lines = Array.from({ length: 60 }, (_, nth) => ({ text: `Book ${nth}`, quantity: 1_000, unitPrice: BigInt(100 + nth) }));
    const bill = billOf(lines);
    const total = countBill(bill)?.total ?? 0n;
    await bring(shop, await ask(shop, bill), total);
    const { products } = await reportOf(shop, today(), today());
    expect(products.map(({ kind }) => kind)).toEqual([...Array.from({ length: 50 }, () => 'product'), 'others']);
    expect(products[0]?.text).toBe('Book 59');
    expect(sum(products)).toBe(total);
  });

  it('says what was given back, on the day of the refund', async () => {
    const [shop, buyer] = [await test.account('shop', 0n), await test.account('buyer', 5_000n)];
    const payment = await ask(shop, billOf([{ text: 'Rose', quantity: 1_000, unitPrice: 1_000n }]));
    const payee = test.urls.incomingPayment(payment.id);
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.finished(made.value.id);
    const refund = { id: randomUUID(), incomingPaymentId: payment.id, amount: 200n, reason: 'Withered' };
    expect(await test.refunds.create({ ...refund, by: { id: 'owner', role: 'owner' } })).toMatchObject({ ok: true });
    const givenBack = async () => (await refundsOf(test.database.read, payment.id, { most: 10 }))[0]?.outgoingPaymentId ?? undefined;
    for (let turns = 0; turns < 2_000 && (await givenBack()) === undefined; turns += 1) {
      await test.refundWorker.runOnce();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await test.finished((await givenBack()) ?? '');
    const report = await reportOf(shop, today(), today());
    expect(report).toMatchObject({ received: { value: 1_190n, count: 1 }, refunded: { value: 200n, count: 1 } });
    expect(report.days).toEqual([{ day: today(), value: 1_190n, count: 1, refunded: 200n }]);
    const tax = { name: 'VAT', rate: 19_000, net: 1_000n, tax: 190n };
    expect(report.taxes).toEqual([{ ...tax, refundedNet: 168n, refundedTax: 32n }]);
    // What the buyer paid is nothing that the buyer received, and the refund is no sale.
    expect((await reportOf(buyer, today(), today())).received).toEqual({ value: 200n, count: 1 });
    // On a day on which nothing was sold there is only what went back.
    test.clock.advance(48 * HOUR_MS);
    await test.refunds.create({ ...refund, id: randomUUID(), amount: 990n, by: { id: 'owner', role: 'owner' } });
    const second = async () => (await refundsOf(test.database.read, payment.id, { most: 1 }))[0]?.payment?.state;
    for (let turns = 0; turns < 2_000 && (await second()) !== 'completed'; turns += 1) {
      await test.refundWorker.runOnce();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const later = await reportOf(shop, today(), today());
    expect(later.taxes).toEqual([{ ...tax, net: 0n, tax: 0n, refundedNet: 832n, refundedTax: 158n }]);
    expect(later.refunded).toEqual({ value: 990n, count: 1 });
  });

  it('is refused for no account, for days that are none or lie ahead, and where too much has moved', async () => {
    const shop = await test.account('shop', 0n);
    await bring(shop, await ask(shop), 100n);
    const asked = { accountId: shop.id, from: today(), to: today() };
    expect(await salesReport(test, { ...asked, accountId: randomUUID() })).toEqual({ ok: false, error: 'not_found' });
    expect(await salesReport(test, { ...asked, from: '2026-02-30' })).toEqual({ ok: false, error: 'bad_period' });
    const ahead = daysLater(today(), 1);
    expect(await salesReport(test, { ...asked, from: ahead, to: ahead })).toEqual({ ok: false, error: 'bad_period' });
    expect(await salesReport(test, asked, 0)).toEqual({ ok: false, error: 'too_many' });
    expect((await salesReport(test, asked, 1)).ok).toBe(true);
  });
});
