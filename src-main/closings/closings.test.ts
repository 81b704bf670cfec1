import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { appendEvent } from '../journal/events.ts';
import { events } from '../journal/tables.ts';
import { accountId, drawHeld, heldUnder, holdTransfer, transfer, voidHeld } from '../ledger/ledger.ts';
import { findIncomingPayment, receive } from '../payments/incoming/incoming-payments.ts';
import { REFUND_FAILED, refundsOf } from '../payments/refunds/refund-rows.ts';
import { incomingPayments } from '../payments/tables.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { Database } from '../platform/database/database.ts';
import { builder } from '../platform/database/query-builder/builder.ts';
import { changeShop } from '../shop/shop.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { closeDay, currentFigures } from './closings.ts';
import { closingNumbered, listClosings } from './papers.ts';

let test: Payments;
let shop: WalletAddress;
let buyer: WalletAddress;
beforeEach(async () => {
  test = openPayments();
  shop = await test.account('shop', 0n);
  buyer = await test.account('buyer', 100_000n);
});
afterEach(() => test.close());

const close = (last: number, requestId: string = randomUUID()) => closeDay(test, { requestId, last, by: { name: 'Ann', role: 'owner' } });
const closing = async (number: number) => {
  const found = await closingNumbered(test.database.read, number);
  if (found === undefined) throw new Error(`no closing ${number}`);
  return found;
};

/** A payment from the buyer to the shop, which the ledger sees as the payments wing moves it. */
const paid = (amount: bigint, paymentId: string, isFurther = false) =>
  test.database.write((tx) =>
    transfer(tx, {
      ...{ kind: 'payment', debit: accountId('customer', buyer.id), credit: accountId('customer', shop.id) },
      ...{ amount, paymentId, isFurther, at: test.clock.now() },
    }),
  );

describe('a day closing', () => {
  it('has what has moved since the one before, and the balances at both ends', async () => {
    const request = await test.incomingPayments.create({
      walletAddress: shop,
      client: null,
      kept: { madeAt: 'till', note: null, reference: null },
    });
    if (!request.ok) throw new Error(request.error);
    await paid(1_250n, request.value.id);
    expect(await close(0)).toEqual({ ok: true, value: 1 });
    await paid(50n, 'later');
    await close(1);
    const [first, second] = [await closing(1), await closing(2)];
    const of = ({ figures }: typeof first, id: string) => figures.accounts.find((account) => account.id === id);
    expect(of(first, shop.id)).toMatchObject({
      sales: 1_250n,
      salesCount: 1,
      sent: 0n,
      books: { opening: 0n, closing: 1_250n, difference: 0n },
    });
    expect(of(first, buyer.id)).toMatchObject({ sales: 0n, sent: 1_250n, books: { opening: 0n, deposits: 100_000n, closing: 98_750n } });
    expect(first.figures.sources).toMatchObject([{ madeBy: 'till', app: null, value: 1_250n, count: 1 }]);
    expect(of(second, shop.id)).toMatchObject({ sales: 50n, books: { opening: 1_250n, closing: 1_300n, difference: 0n } });
    expect([first.by, second.before, first.isWhole, second.isWhole]).toEqual([{ name: 'Ann', role: 'owner' }, first.hash, true, true]);
  });

  it('has the tax and the tips of what was paid for, and a share of what was paid in part', async () => {
    const tax = { name: 'VAT', rate: 25_000 };
    const line = { text: 'Rose', quantity: 1_000, unitPrice: 800n, tax };
    const bill = { pricesIncludeTax: false, rounding: 'line' as const, lines: [line], tip: 200n };
    const request = await test.incomingPayments.create({
      walletAddress: shop,
      client: null,
      incomingAmount: { value: 1_200n, assetCode: shop.assetCode, assetScale: shop.assetScale },
      kept: { madeAt: 'till', note: null, reference: null, bill },
    });
    if (!request.ok) throw new Error(request.error);
    const pay = async (amount: bigint) => {
      await paid(amount, request.value.id, true);
      await test.database.write(async (tx) => {
        const payment = await findIncomingPayment(tx, request.value.id);
        if (payment !== undefined) await receive(tx, payment, amount, test.clock.now());
      });
    };
    const { assetCode, assetScale } = shop;
    await pay(100n);
    await close(0);
    await pay(500n);
    await pay(600n);
    await close(1);
    await close(2);
    const [first, second, third] = [await closing(1), await closing(2), await closing(3)];
    expect(first.figures.taxes).toEqual([{ assetCode, assetScale, ...tax, net: 66n, tax: 17n }]);
    expect(first.figures.tips).toEqual([{ assetCode, assetScale, value: 17n }]);
    expect(second.figures.taxes).toEqual([{ assetCode, assetScale, ...tax, net: 734n, tax: 183n }]);
    expect(second.figures.tips).toEqual([{ assetCode, assetScale, value: 183n }]);
    expect(third.figures).not.toHaveProperty('taxes');
    expect([first.isWhole, second.isWhole, third.isWhole]).toEqual([true, true, true]);
  });

  it('has the tax that refunds gave back, in the closing in which they did', async () => {
    const tax = { name: 'VAT', rate: 19_000 };
    const bill = {
      pricesIncludeTax: false,
      rounding: 'line' as const,
      lines: [{ text: 'Rose', quantity: 1_000, unitPrice: 1_000n, tax }],
      tip: 10n,
    };
    const { assetCode, assetScale } = shop;
    const request = await test.incomingPayments.create({
      ...{ walletAddress: shop, client: null, incomingAmount: { value: 1_200n, assetCode, assetScale } },
      kept: { madeAt: 'till', note: null, reference: null, bill },
    });
    if (!request.ok) throw new Error(request.error);
    const { id } = request.value;
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee: test.urls.incomingPayment(id) });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.finished(made.value.id);
    const refund = async (amount: bigint) => {
      await test.refunds.create({ id: randomUUID(), incomingPaymentId: id, amount, by: { id: 'owner', role: 'owner' } });
      const open = async () =>
        (await refundsOf(test.database.read, id, { most: 10 })).some(({ payment }) => payment?.state !== 'completed');
      for (let turns = 0; turns < 2_000 && (await open()); turns += 1) {
        await test.refundWorker.runOnce();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await refund(200n);
    const sold = { taxes: [{ ...tax, net: 1_000n, tax: 190n, refundedNet: 166n, refundedTax: 32n }], tip: 10n, refundedTip: 2n };
    const { figures } = await currentFigures(test);
    expect(figures.taxes).toEqual([{ assetCode, assetScale, ...sold.taxes[0] }]);
    expect(figures.sources).toContainEqual({
      assetCode,
      assetScale,
      madeBy: 'till',
      app: null,
      value: 1_200n,
      count: 1,
      refunded: 200n,
      refundedCount: 1,
      ...sold,
    });
    expect(figures.accounts.find((account) => account.id === shop.id)).toMatchObject({ sales: 1_200n, refunds: 200n, ...sold });
    expect(figures.accounts.find((account) => account.id === buyer.id)).not.toHaveProperty('taxes');
    await close(0);
    await refund(300n);
    await refund(700n);
    await close(1);
    await close(2);
    const [first, second, third] = [await closing(1), await closing(2), await closing(3)];
    expect(first.figures.taxes).toEqual([{ assetCode, assetScale, ...tax, net: 1_000n, tax: 190n, refundedNet: 166n, refundedTax: 32n }]);
    expect(first.figures.tips).toEqual([{ assetCode, assetScale, value: 10n, refunded: 2n }]);
    expect(second.figures.taxes).toEqual([{ assetCode, assetScale, ...tax, net: 0n, tax: 0n, refundedNet: 834n, refundedTax: 158n }]);
    expect(second.figures.tips).toEqual([{ assetCode, assetScale, value: 0n, refunded: 8n }]);
    expect(second.figures.sources.find(({ madeBy }) => madeBy === 'till')).toMatchObject({
      ...{ value: 0n, count: 0, refunded: 1_000n, refundedCount: 2, refundedTip: 8n, taxes: [{ refundedTax: 158n }] },
    });
    expect(second.figures.accounts.find((account) => account.id === shop.id)).toMatchObject({ refundedTip: 8n, taxes: [{ net: 0n }] });
    expect([first.figures.refundsAreSplit, third.figures.refundsAreSplit]).toEqual([true, undefined]);
    expect([first.isWhole, second.isWhole, third.isWhole]).toEqual([true, true, true]);
  });

  it('counts what failed in one closing, with the reasons, however late the day is closed', async () => {
    const { assetCode, assetScale } = shop;
    const incomingAmount = { value: 100n, assetCode, assetScale };
    const dead = await test.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount });
    if (!dead.ok) throw new Error(dead.error);
    await close(0);
    const payee = test.urls.incomingPayment(dead.value.id);
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.database.write((tx) => tx.update(incomingPayments).set({ completed: true }).where(eq(incomingPayments.id, dead.value.id)));
    expect((await test.finished(made.value.id)).state).toBe('failed');
    await test.database.write(async (tx) => {
      for (const reason of ['price_changed', 'price_changed', 'insufficient_balance'])
        await appendEvent(tx, { type: REFUND_FAILED, subject: dead.value.id, walletAddressId: shop.id, body: { reason }, at: 0 });
    });
    // The payment's events go into the archive.
    await test.database.write((tx) => tx.delete(events).where(eq(events.type, 'outgoing_payment.failed')));
    const failed = {
      ...{ failures: 1, failureReasons: [{ reason: 'receiver_closed', count: 1 }], refundFailures: 3 },
      refundFailureReasons: [
        { reason: 'price_changed', count: 2 },
        { reason: 'insufficient_balance', count: 1 },
      ],
    };
    expect((await currentFigures(test)).figures).toMatchObject(failed);
    await close(1);
    await close(2);
    expect((await closing(2)).figures).toMatchObject(failed);
    for (const other of [await closing(1), await closing(3)]) {
      expect(other.figures.failures).toBe(0);
      for (const name of ['failureReasons', 'refundFailures', 'refundFailureReasons']) expect(other.figures).not.toHaveProperty(name);
    }
  });

  it('is made once, however often the same is asked for, and not when somebody else was faster', async () => {
    const requestId = randomUUID();
    const all = await Promise.all([close(0, requestId), close(0, requestId), close(0), close(0)]);
    const numbers = all.flatMap((one) => (one.ok ? [one.value] : []));
    expect(new Set(numbers)).toEqual(new Set([1]));
    expect(all.filter(({ ok }) => !ok).length).toBeGreaterThanOrEqual(2);
    expect((await listClosings(test.database.read, undefined)).items.map(({ number }) => number)).toEqual([1]);
    expect(await close(0)).toEqual({ ok: false, error: 'closed_meanwhile' });
    expect(await close(1)).toEqual({ ok: true, value: 2 });
  });

  it('has what moves after the sums were prepared, once, and an account that is opened then', async () => {
    const bill = { pricesIncludeTax: false, rounding: 'line' as const, lines: [], tip: 100n };
    const request = await test.incomingPayments.create({
      ...{ walletAddress: shop, client: null, incomingAmount: { value: 100n, assetCode: shop.assetCode, assetScale: shop.assetScale } },
      kept: { madeAt: 'till', note: null, reference: null, bill },
    });
    if (!request.ok) throw new Error(request.error);
    const pay = async (amount: bigint) => {
      await paid(amount, request.value.id);
      await test.database.write(async (tx) => {
        const payment = await findIncomingPayment(tx, request.value.id);
        if (payment !== undefined) await receive(tx, payment, amount, test.clock.now());
      });
    };
    await pay(30n);
    const write: Database['write'] = async (job, touches) => {
      await pay(50n);
      await test.account('another', 7n);
      return await test.database.write(job, touches);
    };
    const database: Database = Object.assign(Object.create(test.database), { write });
    await closeDay({ ...test, database }, { requestId: randomUUID(), last: 0, by: null });
    await pay(20n);
    const { figures, isWhole } = await closing(1);
    expect(figures.accounts).toMatchObject([
      { name: 'another', books: { opening: 0n, deposits: 7n, closing: 7n, difference: 0n } },
      { name: 'buyer', sent: 80n, books: { closing: 99_920n, difference: 0n } },
      { name: 'shop', sales: 80n, salesCount: 1, books: { closing: 80n, difference: 0n } },
    ]);
    expect(figures.sources).toMatchObject([{ madeBy: 'till', value: 80n, count: 1 }]);
    expect([figures.tips, isWhole]).toMatchObject([[{ value: 80n }], true]);
    const { figures: rest } = await currentFigures(test);
    expect([rest.accountCount, rest.sources, rest.tips]).toMatchObject([2, [{ value: 20n, count: 1 }], [{ value: 20n }]]);
  });

  it('shows what its movements do not explain', async () => {
    await close(0);
    await test.test.tamper(`update ledger_accounts set balance = balance + 7 where id = 'customer:${shop.id}'`);
    await close(1);
    expect((await closing(2)).figures.accounts).toMatchObject([{ id: shop.id, books: { opening: 0n, closing: 7n, difference: 7n } }]);
  });

  it('looks beside the main thread at the accounts that have not moved, and never reads what former days had', async () => {
    await close(0);
    const main = { rows: 0 };
    const read = builder(async (sql, params) => {
      const { rows } = await test.test.execute(sql, params, 'all');
      main.rows += rows.length;
      expect(sql).not.toContain('"figures"');
      return { rows };
    });
    const readAtOnce: Database['readAtOnce'] = (look) => look(read, test.database.readAside);
    const database = Object.assign(Object.create(test.database), { read, readAtOnce });
    const rowsOf = async (work: () => Promise<unknown>) => {
      main.rows = 0;
      await work();
      return main.rows;
    };
    const reading = () => rowsOf(async () => [await currentFigures({ ...test, database }), await listClosings(read, undefined)]);
    const few = await reading();
    for (let n = 0; n < 20; n += 1) await test.account(`stand-${n}`, 1n);
    await close(1);
    // The closing is one more in the list.
    expect(await reading()).toBe(few + 1);
  });

  it('keeps the day on which it was closed when the shop counts its days in another way', async () => {
    await test.database.write((tx) => changeShop(tx, { timeZone: 'Asia/Tokyo', profile: { ...EMPTY_PROFILE, dayEndsAt: 600 } }));
    await close(0);
    await test.database.write((tx) => changeShop(tx, { timeZone: 'UTC', profile: EMPTY_PROFILE }));
    // It is nine in the morning there, and the day ends at ten.
    expect(await closing(1)).toMatchObject({ day: '2025-12-31', timeZone: 'Asia/Tokyo', dayEndsAt: 600, isWhole: true });
  });
});

type Step = { do: 'pay' | 'further' | 'deposit' | 'hold' | 'draw' | 'void' | 'close' | 'wait'; payment: number; amount: number };
const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('pay', 'further', 'further', 'deposit', 'hold', 'draw', 'void', 'close', 'wait'),
    payment: fc.nat(3),
    amount: fc.integer({ min: 1, max: 50 }),
  }),
  { minLength: 5, maxLength: 30 },
);

it('every movement is in one closing, or in what has moved since the last one', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await test.close();
      test = openPayments();
      shop = await test.account('shop', 0n);
      buyer = await test.account('buyer', 100_000n);
      const held: string[] = [];
      let [arrived, closed] = [0n, 0];
      const [debit, credit] = [accountId('customer', buyer.id), accountId('customer', shop.id)];
      for (const { do: what, payment, amount } of all) {
        const at = test.clock.now();
        if (what === 'pay' || what === 'further') {
          await paid(BigInt(amount), `p${payment}`, what === 'further');
          arrived += BigInt(amount);
        } else if (what === 'deposit') {
          const kind = 'deposit' as const;
          const wanted = { id: randomUUID(), kind, walletAddressId: shop.id, amount: BigInt(amount), note: '' };
          await test.walletAddresses.move(wanted);
        } else if (what === 'hold') {
          const id = randomUUID();
          held.push(id);
          await test.database.write((tx) =>
            holdTransfer(tx, { id, kind: 'payment', debit, credit, amount: BigInt(amount), paymentId: id, at }),
          );
        } else if (what === 'draw') {
          const drawn = await test.database.write(async (tx) => drawHeld(tx, await heldUnder(tx, held.at(-1) ?? ''), { amount: 1n, at }));
          if (drawn.ok) arrived += 1n;
        } else if (what === 'void') await test.database.write((tx) => voidHeld(tx, held.pop() ?? ''));
        else if (what === 'wait') test.clock.advance(20 * 60_000);
        else {
          expect(await close(closed)).toEqual({ ok: true, value: closed + 1 });
          closed += 1;
        }
      }
      const papers = await Promise.all(Array.from({ length: closed }, (_, at) => closing(at + 1)));
      const figures = [...papers, await currentFigures(test)].map((paper) => paper.figures);
      const ofShop = figures.map(({ accounts }) => accounts.find(({ id }) => id === shop.id));
      expect(ofShop.reduce((sum, account) => sum + (account?.sales ?? 0n), 0n)).toBe(arrived);
      let balance = 0n;
      for (const account of ofShop) {
        if (account?.books == null) continue;
        expect(account.books).toMatchObject({ opening: balance, difference: 0n });
        balance = account.books.closing;
      }
      expect(figures.flatMap(({ accounts }) => accounts.map(({ books }) => books?.difference)).every((one) => one === 0n)).toBe(true);
      expect(papers.every(({ isWhole }) => isWhole)).toBe(true);
    }),
    { numRuns: process.env.PAYDESK_TEST_LONG === '1' ? 500 : 25, seed: Number(process.env.PAYDESK_TEST_SEED ?? 1) },
  );
});
