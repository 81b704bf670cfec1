import { expect, it, vi } from 'vitest';
import type { AccountState } from './accounts.ts';
import { Gathered } from './gathered.ts';
import { accountsIn, addRest, figuresOf, lineIn } from './period.ts';
import { NOTHING_YET, type Sale } from './sale.ts';
import { fromStored, storedText } from './stored-text.ts';
import { SaleSums } from './sums.ts';

const usd = { assetCode: 'USD', assetScale: 2 };
const shop: AccountState = { id: 'shop', name: 'shop', publicName: 'The shop', ...usd, opening: 0n, closing: 0n };
const accounts = new Map([['shop', shop]]);
const named = (name: string): Sale['person'] => ({ kind: 'person', id: `id of ${name}`, name });
const sale = (person: string | undefined, amount: bigint, tip: bigint): Sale => ({
  ...{
    accountId: 'shop',
    asset: usd,
    amount,
    madeBy: 'till',
    app: null,
    till: null,
    person: person === undefined ? undefined : named(person),
  },
  bill: { rates: [], tip, total: 1_000n },
});
const gather = () => new Gathered({ movement: 0n, event: 0n });
const fromApp = (nth: number, amount: bigint): Sale => ({
  ...{ accountId: 'shop', asset: usd, amount, bill: undefined },
  ...{ madeBy: 'app', app: `https://app.example/${nth}`, till: null, person: undefined },
});

it('each person has the tips of what came of their sales, and a person without tips has none', async () => {
  const gathered = gather();
  gathered.sales.set('a', sale('Ada', 1_000n, 100n));
  // Half of it had come before: of the tip of 75, 38 came with that half, and 37 with this one.
  gathered.sales.set('b', sale('Ada', 500n, 75n));
  gathered.sales.set('c', sale('Bob', 1_000n, 0n));
  gathered.sales.set('d', sale(undefined, 1_000n, 9n));
  const sums = new SaleSums();
  await sums.addAll(gathered, { ...NOTHING_YET, received: new Map([['b', 1_000n]]) }, async () => undefined);
  const figures = await sums.lists();
  expect(figures.people).toEqual([
    { ...named('Ada'), ...usd, value: 1_500n, count: 2, tip: 137n },
    { ...named('Bob'), ...usd, value: 1_000n, count: 1 },
  ]);
  expect(figures.tips).toEqual([{ ...usd, value: 146n }]);
  expect(fromStored(storedText(figures))).toEqual(figures);
});

it('gives way to others while it adds up many sales', async () => {
  const gathered = gather();
  for (let n = 0; n < 4_500; n += 1) gathered.sales.set(String(n), fromApp(n, 1n));
  const pause = vi.fn(async () => undefined);
  const sums = new SaleSums();
  await sums.addAll(gathered, NOTHING_YET, pause);
  expect(pause).toHaveBeenCalledTimes(9);
  await sums.lists(pause);
  expect(pause).toHaveBeenCalledTimes(18);
});

it('gives way to others while it counts why many payments failed', async () => {
  const before = gather();
  for (let n = 0; n < 1_200; n += 1) before.failures.set(String(n), n % 3 ? 'receiver_closed' : 'no_way');
  const pause = vi.fn(async () => undefined);
  const figures = await figuresOf(
    { before: { gathered: before, accounts, byName: [shop], until: NOTHING_YET }, rest: before.continued() },
    pause,
  );
  expect(figures.failures).toBe(1_200);
  expect(figures.failureReasons).toEqual([
    { reason: 'receiver_closed', count: 800 },
    { reason: 'no_way', count: 400 },
  ]);
  expect(pause).toHaveBeenCalledTimes(3);
});

it('names the hundred apps of each currency that brought most, and adds up the others', async () => {
  const gathered = gather();
  // 7 and 250 have no common divisor, so that the apps come in no order.
  for (let n = 0; n < 250; n += 1) gathered.sales.set(`s${n}`, fromApp(n, BigInt(((n * 7) % 250) + 1)));
  gathered.sales.set('again', fromApp(0, 1_000n));
  gathered.sales.set('till', sale('Ada', 5n, 0n));
  gathered.sales.set('euro', { ...fromApp(1, 3n), asset: { ...usd, assetCode: 'EUR' } });
  const sums = new SaleSums();
  await sums.addAll(gathered, NOTHING_YET, async () => undefined);
  const { sources } = await sums.lists();
  expect(sources[0]).toEqual({ ...usd, assetCode: 'EUR', madeBy: 'app', app: 'https://app.example/1', value: 3n, count: 1 });
  expect(sources[1]).toEqual({ ...usd, madeBy: 'app', app: 'https://app.example/0', value: 1_001n, count: 2 });
  expect(sources.slice(2, 101).map(({ value }) => value)).toEqual(Array.from({ length: 99 }, (_, nth) => BigInt(250 - nth)));
  // They brought 2 to 151.
  expect(sources.slice(101)).toEqual([
    { ...usd, madeBy: 'app', app: null, value: (151n * 152n) / 2n - 1n, count: 150 },
    { ...usd, madeBy: 'till', app: null, value: 5n, count: 1 },
  ]);
});

it('counts a sale once that came in two parts, one before the rest was read and one in it', async () => {
  const before = gather();
  const bring = (part: Gathered, amount: bigint) => {
    part.sales.set('a', sale('Ada', amount, 100n));
    part.accounts.set('shop', { sales: amount, refunds: 0n, sent: 0n, deposits: 0n, withdrawals: 0n });
  };
  bring(before, 300n);
  // The second part came before it was read how much had come.
  const until = { ...NOTHING_YET, received: new Map([['a', 500n]]) };
  await before.sums.addAll(before, until, async () => undefined);
  const rest = before.continued();
  bring(rest, 200n);
  const prepared = { gathered: before, accounts, byName: [shop], until };
  addRest(prepared, rest, until);
  const period = { before: prepared, rest, fresh: accounts };
  // The half that is here brings half of its tip; the other half is still to come.
  const figures = await figuresOf(period);
  expect(figures.people).toEqual([{ ...named('Ada'), ...usd, value: 500n, count: 1, tip: 50n }]);
  expect(figures.sources).toEqual([{ ...usd, madeBy: 'till', app: null, value: 500n, count: 1, tip: 50n }]);
  expect(accountsIn(period).accounts.map((account) => lineIn(period, account))).toMatchObject([{ sales: 500n, salesCount: 1, tip: 50n }]);
  // What was prepared is as it was: the write may run twice.
  expect((await before.sums.lists()).people).toMatchObject([{ value: 300n }]);
});

it('tells a till from a person of the same name, and two persons of one name, and bounds both lists', async () => {
  const gathered = gather();
  const by = (person: Sale['person'], amount: bigint, till: Sale['till'] = null): Sale => ({
    ...sale(undefined, amount, 0n),
    person,
    till,
  });
  gathered.sales.set('a', by({ kind: 'person', id: 'one', name: 'Ada' }, 100n));
  gathered.sales.set('b', by({ kind: 'person', id: 'two', name: 'Ada' }, 200n));
  gathered.sales.set('c', by({ kind: 'till', id: 'dev', name: 'Ada' }, 300n, { id: 'dev', name: 'Ada' }));
  const sums = new SaleSums();
  await sums.addAll(gathered, NOTHING_YET, async () => undefined);
  const { people, sources } = await sums.lists();
  expect(people.map(({ kind, id, value }) => [kind, id, value])).toEqual([
    ['till', 'dev', 300n],
    ['person', 'two', 200n],
    ['person', 'one', 100n],
  ]);
  expect(sources).toEqual([
    { ...usd, madeBy: 'till', app: null, value: 300n, count: 2 },
    { ...usd, madeBy: 'till', app: null, till: { id: 'dev', name: 'Ada' }, value: 300n, count: 1 },
  ]);
  for (let n = 0; n < 130; n += 1) {
    const till = { id: `t${n}`, name: `T${n}` };
    sums.addCame(by({ kind: 'till', ...till }, 1n, till));
  }
  const many = await sums.lists();
  expect([many.people.length, many.people.at(-1)]).toEqual([101, { ...usd, kind: 'others', name: '', value: 33n, count: 33 }]);
  expect([many.sources.length, many.sources.at(-1)]).toEqual([
    102,
    { ...usd, madeBy: 'till', app: null, till: null, value: 31n, count: 31 },
  ]);
});

it('has what refunds gave back of the sales of each place, person and account, with their tips and taxes', async () => {
  const before = gather();
  const bill = { rates: [{ name: 'VAT', rate: 25_000, net: 720n, taxAmount: 180n }], tip: 100n, total: 1_000n };
  const sold = (amount: bigint): Sale => ({ ...sale('Ada', amount, 0n), bill });
  const until = (refunded: bigint) => ({
    received: new Map([['a', 1_000n]]),
    refunded: new Map([['a', refunded]]),
  });
  before.sales.set('a', sold(1_000n));
  before.givenBack.set('a', { ...sold(500n), refunds: new Set(['r1']) });
  await before.sums.addAll(before, until(500n), async () => undefined);
  const half = { refunded: 500n, refundedCount: 1, tip: 100n, refundedTip: 50n };
  const taxes = [{ name: 'VAT', rate: 25_000, net: 720n, tax: 180n, refundedNet: 360n, refundedTax: 90n }];
  expect((await before.sums.lists()).people).toEqual([{ ...named('Ada'), ...usd, value: 1_000n, count: 1, ...half, taxes }]);
  const rest = before.continued();
  // The refund went on, and a second one has begun.
  rest.givenBack.set('a', { ...sold(500n), refunds: new Set(['r1', 'r2']) });
  addRest({ gathered: before, until: until(500n) }, rest, until(1_000n));
  const whole = {
    ...{ tip: 100n, refundedTip: 100n },
    taxes: [{ name: 'VAT', rate: 25_000, net: 720n, tax: 180n, refundedNet: 720n, refundedTax: 180n }],
  };
  const row = { ...usd, value: 1_000n, count: 1, refunded: 1_000n, refundedCount: 2, ...whole };
  const figures = await rest.sums.lists();
  expect(figures.people).toEqual([{ ...named('Ada'), ...row }]);
  expect(figures.sources).toEqual([{ madeBy: 'till', app: null, ...row }]);
  expect(rest.sums.ofAccount(shop)).toEqual({ count: 1, refundedCount: 2, ...whole });
  expect(fromStored(storedText(figures))).toEqual(figures);
  // What was prepared is as it was.
  expect(before.sums.ofAccount(shop)).toMatchObject({ refundedTip: 50n });
});
