import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import type { ClosingFigures, ClosingPart } from '../../../src-shared/operator-contract/shop/closings.ts';
import type { DyingNode } from '../nodes/dying-node.ts';
import type { Deaths } from './dying-shop.ts';

/** What one bill comes to, in cents: ten dollars at 19 %, two at 7 %, and a tip. Prices are without tax. */
const BILL = {
  bill: {
    ...{ pricesIncludeTax: false, rounding: 'line' as const, tip: 96n },
    lines: [
      { text: 'Atlas', quantity: 1_000, unitPrice: 1_000n, tax: { name: 'VAT', rate: 19_000 } },
      { text: 'Tea', quantity: 2_000, unitPrice: 100n, tax: { name: 'Food', rate: 7_000 } },
    ],
  },
  parts: { VAT: { net: 1_000n, tax: 190n }, Food: { net: 200n, tax: 14n } },
  ...{ tip: 96n, total: 1_500n },
};

/** Everything that the shop did, counted here. */
interface Own {
  deposited: bigint;
  sales: bigint;
  halves: bigint;
}

/**
 * A shop closes its day again and again, while money comes in, bills are paid and half of each is given back. Closings
 * have numbers without gaps, each movement is in one of them, and their sums are those that were counted here.
 */
export async function expectClosingsWithoutGaps(dying: DyingNode, { kills, points }: Deaths): Promise<void> {
  const account = async (name: string, openingBalance: bigint) => {
    const made = { requestId: randomUUID(), name, publicName: name, assetCode: 'USD', assetScale: 2, openingBalance };
    return await dying.untilDone(() => dying.node.operator.accounts.create(made));
  };
  const [shop, buyer] = [await account('closings-shop', 0n), await account('closings-buyer', 1_000_000n)];
  const first = await closedWith(dying, (await dying.untilDone(() => dying.node.operator.closings.current())).last);
  const own: Own = { deposited: 0n, sales: 0n, halves: 0n };
  let last = first;
  const enough = dying.deaths + kills;
  for (let nth = 0; dying.deaths < enough; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(kills * 8 + 40);
    const paid = await asked(dying, shop, buyer);
    const sold = await asked(dying, shop, buyer);
    await dying.untilDone(sold.pay);
    await paidUp(dying, sold.id);
    await dying.restart(points[nth % points.length]);
    const deposit = { requestId: randomUUID(), id: shop.id, amount: BigInt(nth + 1), note: '' };
    const put = () => dying.node.operator.accounts.deposit(deposit);
    const refund = { requestId: randomUUID(), paymentId: sold.id, amount: BILL.total / 2n };
    const giveBack = () => dying.node.operator.refunds.create(refund);
    const closing = { requestId: randomUUID(), last };
    const close = () => dying.node.operator.closings.close(closing);
    await Promise.allSettled([put(), paid.pay(), giveBack(), close(), close()]);
    for (const work of [put, paid.pay, giveBack]) await dying.untilDone<unknown>(work);
    expect((await dying.untilDone(close)).number).toBe(last + 1);
    last += 1;
    await paidUp(dying, paid.id);
    await givenBack(dying, sold.id);
    own.deposited += deposit.amount;
    own.sales += 2n;
    own.halves += 1n;
  }
  await expectSums(dying, { shop, own, first, last });
  console.log(`${kills} kills, ${last - first} closings with ${own.sales} sales and ${own.halves} refunds`);
}

/** Closes the day. @returns the number of the closing */
async function closedWith(dying: DyingNode, last: number): Promise<number> {
  const closing = { requestId: randomUUID(), last };
  return (await dying.untilDone(() => dying.node.operator.closings.close(closing))).number;
}

/** A bill that a buyer is about to pay. */
async function asked(dying: DyingNode, shop: Account, buyer: Account) {
  const request = { requestId: randomUUID(), accountId: shop.id, bill: BILL.bill, madeAt: 'till' as const };
  const { id, link } = await dying.untilDone(() => dying.node.operator.requests.create(request));
  const from = { accountId: buyer.id };
  const quoted = { requestId: randomUUID(), ...from, payee: link };
  const quote = await dying.untilDone(() => dying.node.operator.payments.quote(quoted));
  const payment = { requestId: randomUUID(), ...from, quoteId: quote.id };
  return { id, pay: () => dying.node.operator.payments.pay(payment) };
}

const paidUp = (dying: DyingNode, id: string) =>
  expect.poll(() => dying.untilDone(async () => (await dying.node.operator.requests.get({ id })).status)).toBe('paid');

const givenBack = (dying: DyingNode, id: string) =>
  expect
    .poll(() => dying.untilDone(async () => (await dying.node.operator.payments.get({ id })).refunds.map(({ state }) => state)))
    .toEqual(['done']);

interface Counted {
  shop: Account;
  own: Own;
  /** The numbers of the closing before the first movement, and of the last one. */
  first: number;
  last: number;
}

async function expectSums(dying: DyingNode, { shop, own, first, last }: Counted): Promise<void> {
  const numbers = Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
  const papers = await Promise.all(numbers.map((number) => dying.untilDone(() => dying.node.operator.closings.get({ number }))));
  expect(papers.map(({ isWhole }) => isWhole)).toEqual(papers.map(() => true));
  expect(papers.slice(1).map(({ before }) => before)).toEqual(papers.slice(0, -1).map(({ hash }) => hash));
  const current = await dying.untilDone(() => dying.node.operator.closings.current());
  const all = [...papers.slice(1), current].map(({ figures }) => figures);
  let balance = 0n;
  const accounts = all.flatMap(({ accounts: some }) => some.filter(({ id }) => id === shop.id));
  for (const { books } of accounts) {
    expect([books?.opening, books?.difference]).toEqual([balance, 0n]);
    balance = books?.closing ?? 0n;
  }
  const [received, refunded] = [own.sales * BILL.total, (own.halves * BILL.total) / 2n];
  expect(balance).toBe(own.deposited + received - refunded);
  const sums = (pick: (one: (typeof accounts)[number]) => bigint | undefined) => accounts.reduce((sum, one) => sum + (pick(one) ?? 0n), 0n);
  expect(sums(({ books }) => books?.deposits)).toBe(own.deposited);
  expect([sums(({ sales }) => sales), sums(({ refunds }) => refunds)]).toEqual([received, refunded]);
  // The shop as a whole, its account, its till and whoever sold there have the same tips and taxes.
  const tip = { tip: own.sales * BILL.tip, refundedTip: (own.halves * BILL.tip) / 2n };
  const expected = { ...tip, VAT: taxOf('VAT', own), Food: taxOf('Food', own) };
  expect(partsIn(accounts)).toEqual(expected);
  for (const rows of [all.flatMap(atTills), all.flatMap(({ people }) => people.filter(hasBills))]) {
    expect(partsIn(rows)).toEqual(expected);
    expect(rows.reduce((sum, { value }) => sum + value, 0n)).toBeGreaterThanOrEqual(received);
    expect(rows.reduce((sum, { refunded: back = 0n }) => sum + back, 0n)).toBe(refunded);
  }
  const whole = all.map(({ taxes = [], tips = [] }) => ({ taxes, tip: tips[0]?.value, refundedTip: tips[0]?.refunded }));
  expect(partsIn(whole)).toEqual(expected);
}

const taxOf = (name: 'VAT' | 'Food', { sales, halves }: Own) => {
  const { net, tax } = BILL.parts[name];
  return [sales * net, sales * tax, (halves * net) / 2n, (halves * tax) / 2n];
};

const atTills = ({ sources }: ClosingFigures) => sources.filter(({ madeBy }) => madeBy === 'till');
const hasBills = ({ taxes }: Pick<ClosingPart, 'taxes'>) => taxes !== undefined;

/** Adds up tips, and of each rate the net, the tax and both again as they were given back. */
function partsIn(rows: readonly Pick<ClosingPart, 'tip' | 'refundedTip' | 'taxes'>[]) {
  const taxes = rows.flatMap((row) => row.taxes ?? []);
  const of = (wanted: string) => {
    const some = taxes.filter(({ name }) => name === wanted);
    const add = (pick: (one: (typeof taxes)[number]) => bigint | undefined) => some.reduce((sum, one) => sum + (pick(one) ?? 0n), 0n);
    return [add(({ net }) => net), add(({ tax }) => tax), add((one) => one.refundedNet), add((one) => one.refundedTax)];
  };
  const add = (pick: (one: (typeof rows)[number]) => bigint | undefined) => rows.reduce((sum, one) => sum + (pick(one) ?? 0n), 0n);
  return { tip: add((row) => row.tip), refundedTip: add((row) => row.refundedTip), VAT: of('VAT'), Food: of('Food') };
}
