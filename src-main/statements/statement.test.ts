import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { dayAt, daysLater } from '../../src-shared/calendar.ts';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { STATEMENT_FORMATS, type StatementFormat } from '../../src-shared/statements/statement.ts';
import { DATEV } from '../../src-shared/statements/testing/samples.ts';
import { writerOf } from '../../src-shared/statements/writers.ts';
import { rateOf } from '../exchange/testing/rates.ts';
import { endGrowing } from '../ledger/boundary.ts';
import { accountId, spendableIn, type Transfer, transfer } from '../ledger/ledger.ts';
import { openPeerAccount } from '../ledger/peer-accounts.ts';
import { GIVEN_BACK } from '../ledger/transfer-kinds.ts';
import { receive } from '../payments/incoming/incoming-payments.ts';
import { notePayer } from '../payments/refunds/payers.ts';
import { refundsOf } from '../payments/refunds/refund-rows.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { changeShop } from '../shop/shop.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { drawUp, fits, type Statement, written } from './statement.ts';
import { statementWords } from './statement-words.ts';
import { lacksRate } from './worth.ts';

const DAY_MS = 86_400_000;
const DAYS = { timeZone: 'Europe/Berlin', dayEndsAt: 180 };

let test: Payments;
let shop: WalletAddress;
beforeEach(async () => {
  test = openPayments();
  shop = await test.account('shop', 1_000n);
  await test.database.write(async (tx) => {
    await changeShop(tx, { timeZone: DAYS.timeZone, profile: { ...EMPTY_PROFILE, dayEndsAt: DAYS.dayEndsAt } });
    await openPeerAccount(tx, 'p', { assetCode: 'USD', assetScale: 2 }, MAX_MOVED, 0);
  });
  // Rows of the same moment have no order that a test knows.
  test.clock.advance(DAY_MS);
});
afterEach(() => test.close());

const today = () => dayAt(test.clock.now(), DAYS);
const drawn = async (from: string, to: string, account = shop): Promise<Statement> => {
  const statement = await drawUp(test, { accountId: account.id, from, to });
  if (!statement.ok) throw new Error(statement.error);
  return statement.value;
};
async function fileOf(statement: Statement, format: StatementFormat = 'csv', language: 'en' | 'de' = 'en'): Promise<string> {
  const choice = format === 'datev' ? { format, language, datev: DATEV } : { format, language };
  let text = '';
  for await (const part of written(test, statement, writerOf(choice, statement.head, await statementWords(language)))) text += part.text;
  return text;
}
interface Row {
  kind: string;
  amount: string;
  balance: string;
  [column: string]: string;
}
const rowsOf = (text: string): Row[] => parse(text, { columns: true });
const linesOf = async (from: string, to: string, account = shop) => rowsOf(await fileOf(await drawn(from, to, account))).slice(1, -1);
const cents = (text: string | undefined): bigint => BigInt((text ?? '').replace('.', ''));

const move = (moved: Omit<Transfer, 'at'>) =>
  test.database.write(async (tx) => {
    const done = await transfer(tx, { ...moved, at: test.clock.now() });
    if (!done.ok) throw new Error(done.error);
  });
const [peer, external] = [accountId('peer', 'p'), accountId('external', 'USD/2')];
const balanceOf = (account: WalletAddress) => spendableIn(test.database.read, accountId('customer', account.id));

/** One thing that may happen to the shop's account. */
const happening = fc.record({
  what: fc.constantFrom('received', 'more', 'sent', 'back', 'deposit', 'withdrawal', 'numbers', 'night'),
  amount: fc.bigInt({ min: 1n, max: 400n }),
  minutes: fc.integer({ min: 0, max: 4_000 }),
});

describe('the statement of an account', () => {
  it('leads from one day to the next and to the balance of the ledger, in every format', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (story) => {
        const account = await test.account(`a-${randomUUID().slice(0, 8)}`, 500n);
        const [customer, escrow] = [accountId('customer', account.id), accountId('escrow', account.id)];
        const begin = today();
        const payment = randomUUID();
        let [available, reserved, isFurther] = [500n, 0n, false];
        for (const { what, amount, minutes } of story) {
          if (what === 'received' || what === 'more') {
            const paymentId = what === 'more' ? payment : randomUUID();
            await move({ kind: 'payment', debit: peer, credit: customer, amount, paymentId, isFurther: what === 'more' && isFurther });
            isFurther ||= what === 'more';
            available += amount;
          } else if (what === 'deposit') {
            await move({ kind: 'deposit', debit: external, credit: customer, amount, note: '=1+1' });
            available += amount;
          } else if (what === 'withdrawal' && available >= amount) {
            await move({ kind: 'withdrawal', debit: customer, credit: external, amount });
            available -= amount;
          } else if (what === 'sent' && available >= amount) {
            await move({ kind: 'reservation', debit: customer, credit: escrow, amount, paymentId: randomUUID() });
            [available, reserved] = [available - amount, reserved + amount];
          } else if (what === 'back' && reserved >= amount) {
            await move({ kind: GIVEN_BACK, debit: escrow, credit: customer, amount, paymentId: randomUUID() });
            [available, reserved] = [available + amount, reserved - amount];
          } else if (what === 'numbers') await test.database.write((tx) => endGrowing(tx));
          test.clock.advance(minutes * 60_000);
        }
        const end = today();
        const whole = await drawn(begin, end, account);
        expect(whole.head.opening).toBe(0n);
        expect(whole.head.closing).toBe(await balanceOf(account));
        expect(whole.head.closing).toBe(available);
        const rows = rowsOf(await fileOf(whole)).slice(1, -1);
        let balance = 0n;
        for (const row of rows) {
          balance += cents(row.amount);
          expect(cents(row.balance)).toBe(balance);
        }
        expect(balance).toBe(available);
        // The days, one by one, have the same lines, and each begins where the one before ended.
        const daily: Row[] = [];
        let closing = 0n;
        for (let day = begin; day <= end; day = daysLater(day, 1)) {
          const one = await drawn(day, day, account);
          expect(one.head.opening).toBe(closing);
          closing = one.head.closing;
          const lines = rowsOf(await fileOf(one)).slice(1, -1);
          for (const line of lines) expect(line.day).toBe(day);
          daily.push(...lines);
        }
        expect(daily).toEqual(rows);
        for (const format of STATEMENT_FORMATS)
          expect(await fileOf(await drawn(begin, end, account), format)).toBe(await fileOf(whole, format));
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  it('is as of the moment it was drawn up, whatever moves while it is read', async () => {
    const bring = (amount: bigint, isFurther: boolean) =>
      move({ kind: 'payment', debit: peer, credit: accountId('customer', shop.id), amount, paymentId: 'i', isFurther });
    await bring(5n, false);
    await bring(7n, true);
    const before = await drawn(today(), today());
    const text = await fileOf(before);
    await bring(100n, true);
    await test.database.write((tx) => endGrowing(tx));
    await bring(3n, true);
    await test.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 50n, note: '' });
    expect(await fileOf(before)).toBe(text);
    expect(before.head).toMatchObject({ opening: 1_000n, closing: 1_012n });
    expect((await drawn(today(), today())).head.closing).toBe(1_065n);
  });

  it('is refused for days that are none, for the future, and for an account that is not there', async () => {
    const why = async (from: string, to: string, id = shop.id) => {
      const statement = await drawUp(test, { accountId: id, from, to });
      return statement.ok ? statement.value.head.to : statement.error;
    };
    expect(await why('2025-12-31', '2025-12-30')).toBe('bad_period');
    expect(await why('2025-02-30', '2025-03-01')).toBe('bad_period');
    expect(await why(daysLater(today(), 1), daysLater(today(), 1))).toBe('bad_period');
    expect(await why(today(), today(), randomUUID())).toBe('not_found');
    expect(await why('2025-12-01', '2026-12-31')).toBe(today());
  });

  it('is refused when the movements do not add up to the balance', async () => {
    await test.test.tamper(`update ledger_accounts set balance = balance + 1 where id = 'customer:${shop.id}'`);
    expect(await drawUp(test, { accountId: shop.id, from: today(), to: today() })).toEqual({ ok: false, error: 'books_differ' });
  });

  it('says whether a format can hold it', async () => {
    const points = await test.account('points', 5n, 'POINTS', 0);
    const { head } = await drawn(today(), today(), points);
    expect(STATEMENT_FORMATS.filter((format) => fits(head, format).ok)).toEqual(['spreadsheet', 'csv', 'bookkeeping']);
    const many = { ...(await drawn(today(), today())).head, credits: { sum: 1n, count: 100_000 } };
    expect(fits(many, 'datev')).toEqual({ ok: false, error: 'too_many_lines' });
  });

  it('begins and ends with the days of the shop', async () => {
    test.clock.jump(Date.UTC(2026, 5, 1, 0, 59) - test.clock.now());
    const before = today();
    await move({ kind: 'deposit', debit: external, credit: accountId('customer', shop.id), amount: 1n });
    test.clock.advance(60_000);
    await move({ kind: 'deposit', debit: external, credit: accountId('customer', shop.id), amount: 2n });
    expect([before, today()]).toEqual(['2026-05-31', '2026-06-01']);
    expect((await linesOf('2026-05-31', '2026-05-31')).map(({ amount, time }) => [amount, time])).toEqual([
      ['0.01', '2026-06-01T02:59:00+02:00'],
    ]);
    expect((await linesOf('2026-06-01', '2026-06-01')).map(({ amount }) => amount)).toEqual(['0.02']);
    expect((await drawn('2026-05-31', '2026-05-31')).head.isEnded).toBe(true);
    expect((await drawn('2026-06-01', '2026-06-01')).head.isEnded).toBe(false);
  });
});

describe('a line of a statement', () => {
  const request = async (kept: { note?: string; reference?: string; bill?: boolean } = {}) => {
    const tax = { name: 'VAT', rate: 25_000 };
    const bill = {
      pricesIncludeTax: false,
      rounding: 'line' as const,
      lines: [{ text: 'Rose', quantity: 1_000, unitPrice: 800n, tax }],
      tip: 200n,
    };
    const made = await test.incomingPayments.create({
      walletAddress: shop,
      client: null,
      metadata: { description: 'Two roses', externalRef: 'public' },
      incomingAmount: { value: 1_200n, assetCode: 'USD', assetScale: 2 },
      kept: { madeAt: 'till', note: kept.note ?? null, reference: kept.reference ?? null, ...(kept.bill === true && { bill }) },
    });
    if (!made.ok) throw new Error(made.error);
    return made.value;
  };

  it('names who paid where that is proven, what for, and what the operator noted', async () => {
    const payment = await request({ note: 'Ann', reference: 'R-1' });
    const paid = () =>
      move({ kind: 'payment', debit: peer, credit: accountId('customer', shop.id), amount: 1_200n, paymentId: payment.id });
    await paid();
    const [unknown] = await linesOf(today(), today());
    expect(unknown).toMatchObject({
      kind: 'received',
      name: '',
      wallet_address: '',
      description: 'Two roses',
      reference: 'R-1',
      note: 'Ann',
      payment: payment.id,
    });
    await test.database.write((tx) =>
      notePayer(tx, { incomingPaymentId: payment.id, payer: 'https://wallet.example/bob', amount: 1_200n }, 1),
    );
    const [proven] = await linesOf(today(), today());
    expect(proven).toMatchObject({ wallet_address: 'https://wallet.example/bob' });
  });

  it('has a share of tax and tip when a bill is paid in parts, and the shares add up to the bill', async () => {
    const payment = await request({ bill: true });
    for (const [n, amount] of [100n, 500n, 600n].entries()) {
      await move({ kind: 'payment', debit: peer, credit: accountId('customer', shop.id), amount, paymentId: payment.id, isFurther: n > 0 });
      await test.database.write((tx) => receive(tx, payment, amount, test.clock.now()));
      test.clock.advance(DAY_MS);
    }
    const lines = (await linesOf('2025-12-31', today())).filter(({ kind }) => kind === 'received');
    expect(lines.map(({ tax, tip }) => [tax, tip])).toEqual([
      ['0.17', '0.17'],
      ['0.83', '0.83'],
      ['1.00', '1.00'],
    ]);
    expect(lines.map(({ items }) => items)).toEqual(['[{"text":"Rose","quantity":"1","amount":"10.00"}]', '', '']);
  });

  it('says the tax and the tip that a refund gave back, and all refunds of a sale give back what it brought', async () => {
    const buyer = await test.account('buyer', 5_000n);
    test.clock.advance(1_000);
    const payment = await request({ bill: true });
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee: test.urls.incomingPayment(payment.id) });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.finished(made.value.id);
    for (const amount of [101n, 500n, 599n]) {
      test.clock.advance(1_000);
      const by = { id: 'owner', role: 'owner' } as const;
      expect((await test.refunds.create({ id: randomUUID(), incomingPaymentId: payment.id, amount, by })).ok).toBe(true);
      const open = async () =>
        (await refundsOf(test.database.read, payment.id, { most: 10 })).find((one) => one.payment?.state !== 'completed');
      for (let turns = 0; turns < 2_000 && (await open()) !== undefined; turns += 1) {
        await test.refundWorker.runOnce();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const lines = (await linesOf(today(), today())).filter(({ kind }) => kind === 'received' || kind === 'refunded');
    expect(lines.map(({ amount, tax, tip }) => [amount, tax, tip])).toEqual([
      ['12.00', '2.00', '2.00'],
      ['-1.01', '-0.17', '-0.17'],
      ['-5.00', '-0.83', '-0.83'],
      ['-5.99', '-1.00', '-1.00'],
    ]);
  });

  it('of a payment that changed its currency says at which rate, on both statements', async () => {
    const [euros, yen] = [await test.account('euros', 50_000n, 'EUR', 2), await test.account('yen', 0n, 'JPY', 0)];
    const asset = { assetCode: 'JPY', assetScale: 0 };
    await test.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset, amount: 1_000_000n, note: '' });
    await test.rates.set(rateOf('EUR', 'JPY', '162.5', test.clock.now(), { spreadBps: 0 }));
    test.clock.advance(1_000);
    const asked = await test.incomingPayments.create({
      ...{ walletAddress: yen, client: null, metadata: {} },
      incomingAmount: { value: 1_625n, assetCode: 'JPY', assetScale: 0 },
    });
    if (!asked.ok) throw new Error(asked.error);
    const payee = test.urls.incomingPayment(asked.value.id);
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: euros, payee });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: euros, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.finished(made.value.id);
    const [sent] = (await linesOf(today(), today(), euros)).filter(({ kind }) => kind === 'sent');
    expect(sent).toMatchObject({ amount: '-10.00', other_amount: '1625', other_currency: 'JPY', rate: '162.5', fee: '' });
    const received = (await linesOf(today(), today(), yen)).filter(({ kind }) => kind === 'received');
    // Each line has a part of the money. Nobody has stored what it cost the payer, but the rate was one.
    for (const line of received) expect(line).toMatchObject({ other_amount: '', other_currency: 'EUR', rate: '0.006153846153' });
    expect(received.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(1_625n);
  });

  it('says what it was worth in the home currency at its time, and the page of a statement where that is not known', async () => {
    const home = (homeCurrency: string) =>
      test.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, dayEndsAt: DAYS.dayEndsAt, homeCurrency } }));
    const deposit = (amount: bigint) => move({ kind: 'deposit', debit: external, credit: accountId('customer', shop.id), amount });
    const day = today();
    const lacks = async () => {
      const { head, homeCurrency } = await drawn(day, day);
      return await lacksRate(test.database.readAside, homeCurrency, head);
    };
    await deposit(1n);
    test.clock.advance(60_000);
    expect(await lacks()).toBe(false);
    await home('JPY');
    expect(await lacks()).toBe(true);
    for (const rate of ['150', '162.5']) {
      await test.rates.set(rateOf('USD', 'JPY', rate, test.clock.now(), { spreadBps: 100 }));
      test.clock.advance(60_000);
      await deposit(1_003n);
      test.clock.advance(60_000);
    }
    await move({ kind: 'withdrawal', debit: accountId('customer', shop.id), credit: external, amount: 1n });
    expect(await lacks()).toBe(false);
    const worth = async () => (await linesOf(day, day)).map((line) => [line.home_amount, line.home_currency, line.home_rate]);
    const then = [
      ['', '', ''],
      ['1505', 'JPY', '150'],
      ['1630', 'JPY', '162.5'],
      ['-2', 'JPY', '162.5'],
    ];
    expect(await worth()).toEqual(then);
    test.clock.advance(60_000);
    await test.rates.set(rateOf('USD', 'JPY', '99', test.clock.now()));
    expect(await worth()).toEqual(then);
    await home('USD');
    expect((await worth()).map(([amount]) => amount)).toEqual(['0.01', '10.03', '10.03', '-0.01']);
  });

  it('of a payment between accounts of this node names the other account on both statements', async () => {
    const buyer = await test.account('buyer', 5_000n);
    test.clock.advance(1_000);
    const payment = await request();
    const payee = test.urls.incomingPayment(payment.id);
    const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee });
    if (!quote.ok) throw new Error(quote.error.code);
    const made = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
    if (!made.ok) throw new Error(made.error.code);
    await test.finished(made.value.id);
    expect((await linesOf(today(), today())).at(-1)).toMatchObject({
      kind: 'received',
      name: 'buyer',
      amount: '12.00',
      payment: payment.id,
    });
    expect((await linesOf(today(), today(), buyer)).at(-1)).toMatchObject({
      ...{
        kind: 'sent',
        name: 'shop',
        amount: '-12.00',
        wallet_address: test.walletAddresses.urlOf(shop),
        description: 'Two roses',
        note: '',
      },
    });
    test.clock.advance(1_000);
    const refund = await test.refunds.create({
      id: randomUUID(),
      incomingPaymentId: payment.id,
      amount: 200n,
      reason: 'Withered',
      by: { id: 'owner', role: 'owner' },
    });
    expect(refund).toMatchObject({ ok: true });
    const givenBack = async () => (await refundsOf(test.database.read, payment.id, { most: 10 }))[0]?.outgoingPaymentId ?? undefined;
    for (let turns = 0; turns < 2_000 && (await givenBack()) === undefined; turns += 1) {
      await test.refundWorker.runOnce();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await test.finished((await givenBack()) ?? '');
    expect((await linesOf(today(), today())).at(-1)).toMatchObject({
      kind: 'refunded',
      name: 'buyer',
      amount: '-2.00',
      description: 'Withered',
    });
  });
});
