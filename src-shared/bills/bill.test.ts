import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MAX_MOVED } from '../amounts.ts';
import { type Bill, type BillAmounts, type BillLine, countBill, MOST_LINES, MOST_QUANTITY, TAX_PARTS, type TaxRules } from './bill.ts';

const VAT = { name: 'VAT', rate: 19_000 };
const LOW = { name: 'Reduced', rate: 7_000 };
const line = (unitPrice: bigint, more: Partial<BillLine> = {}): BillLine => ({
  text: 'Book',
  quantity: 1_000,
  unitPrice,
  tax: VAT,
  ...more,
});
const INCLUDED: TaxRules = { pricesIncludeTax: true, rounding: 'line' };

function counted(lines: readonly BillLine[], more: Partial<Bill> = {}): BillAmounts {
  const amounts = countBill({ ...INCLUDED, tip: 0n, lines, ...more });
  if (amounts === undefined) throw new Error('refused');
  return amounts;
}

describe('what a bill comes to', () => {
  it('is the sum of its prices when they contain the tax', () => {
    expect(counted([line(1_190n), line(535n, { tax: LOW, quantity: 2_000 }), line(50n, { tax: null })])).toEqual({
      lines: [
        { amount: 1_190n, net: 1_000n, taxAmount: 190n },
        { amount: 1_070n, net: 1_000n, taxAmount: 70n },
        { amount: 50n, net: 50n, taxAmount: 0n },
      ],
      rates: [
        { ...VAT, net: 1_000n, taxAmount: 190n },
        { ...LOW, net: 1_000n, taxAmount: 70n },
      ],
      ...{ net: 2_050n, taxAmount: 260n, tip: 0n, total: 2_310n },
    });
  });

  it('is that with the tax when it is added', () => {
    expect(counted([line(1_000n)], { pricesIncludeTax: false })).toMatchObject({ net: 1_000n, taxAmount: 190n, total: 1_190n });
  });

  it('has the tip apart, and never taxes it', () => {
    expect(counted([line(1_190n)], { tip: 100n })).toMatchObject({ net: 1_000n, taxAmount: 190n, tip: 100n, total: 1_290n });
    expect(counted([], { tip: 100n })).toMatchObject({ rates: [], net: 0n, taxAmount: 0n, total: 100n });
  });

  test.each([
    ['350 g of 2.99', 299n, 350, 105n],
    ['half a unit', 1n, 500, 1n],
    ['a little less than half', 1n, 499, 0n],
  ])('rounds %s away from zero', (_, price, quantity, amount) => {
    expect(counted([line(price, { quantity, tax: null })]).total).toBe(amount);
  });

  it('rounds the tax on each line or once, as the shop says', () => {
    // 19 % of 0.03 is 0.0057: a cent on each line, and 0.0171 for three of them.
    const three = [line(3n), line(3n), line(3n)];
    expect(counted(three, { pricesIncludeTax: false })).toMatchObject({ taxAmount: 3n, total: 12n });
    const once = counted(three, { pricesIncludeTax: false, rounding: 'total' });
    expect(once).toMatchObject({ taxAmount: 2n, total: 11n });
    expect(once.lines.map(({ taxAmount }) => taxAmount)).toEqual([1n, 1n, 0n]);
  });

  it('gives what rounding leaves to the largest remainders', () => {
    // 0.19, 0.38 and 0.57 of a unit make 1.14: one unit.
    const { lines } = counted([line(1n), line(2n), line(3n)], { pricesIncludeTax: false, rounding: 'total' });
    expect(lines.map(({ taxAmount }) => taxAmount)).toEqual([0n, 0n, 1n]);
  });

  it('keeps rates of the same height apart by their names', () => {
    const two = counted([line(119n), line(119n, { tax: { name: 'Import', rate: 19_000 } })]);
    expect(two.rates.map(({ name, taxAmount }) => [name, taxAmount])).toEqual([
      ['Import', 19n],
      ['VAT', 19n],
    ]);
  });
});

describe('a bill is refused', () => {
  test.each<[string, readonly BillLine[], Partial<Bill>]>([
    ['more than can move', [line(MAX_MOVED), line(1n)], {}],
    ['a tip that makes it more than can move', [line(MAX_MOVED)], { tip: 1n }],
    ['a price below zero', [line(-1n)], {}],
    ['no quantity', [line(1n, { quantity: 0 })], {}],
    ['a part of a thousandth', [line(1n, { quantity: 0.5 })], {}],
    ['more than a million pieces', [line(0n, { quantity: MOST_QUANTITY + 1 })], {}],
    ['more tax than price', [line(1n, { tax: { name: 'x', rate: TAX_PARTS + 1 } })], {}],
    ['a rate below zero', [line(1n, { tax: { name: 'x', rate: -1 } })], {}],
    ['a tip below zero', [line(1n)], { tip: -1n }],
    ['too many lines', Array.from({ length: MOST_LINES + 1 }, () => line(1n)), {}],
  ])('with %s', (_, lines, more) => {
    expect(countBill({ ...INCLUDED, tip: 0n, lines, ...more })).toBeUndefined();
  });

  it('and what just fits is not', () => {
    expect(counted([line(MAX_MOVED)]).total).toBe(MAX_MOVED);
    expect(counted(Array.from({ length: MOST_LINES }, () => line(1n))).total).toBe(BigInt(MOST_LINES));
  });
});

const RATES = [
  null,
  VAT,
  LOW,
  { name: 'VAT', rate: 0 },
  { name: 'GST', rate: 5_500 },
  { name: 'All', rate: TAX_PARTS },
  { name: 'Odd', rate: 8_875 },
];
const some = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const prices = fc.oneof(some(50, fc.bigInt(0n, 20_000n)), some(20, fc.bigInt(0n, 9n)), some(1, fc.bigInt(0n, MAX_MOVED / 2n)));
const quantities = fc.oneof(
  some(6, fc.constantFrom(1_000, 2_000, 3_000)),
  some(6, fc.integer({ min: 1, max: 5_000 })),
  some(1, fc.integer({ min: 1, max: MOST_QUANTITY })),
);
const lines = fc.record({ text: fc.constantFrom('a', 'b'), quantity: quantities, unitPrice: prices, tax: fc.constantFrom(...RATES) });
const bills: fc.Arbitrary<Bill> = fc.record({
  lines: fc.array(lines, { maxLength: 12 }),
  tip: fc.oneof(fc.constant(0n), fc.bigInt(0n, 5_000n)),
  pricesIncludeTax: fc.boolean(),
  rounding: fc.constantFrom('line', 'total'),
});
const added = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

/** How many made-up bills are counted at least. Some are refused besides. */
const BILLS = 100_000;
const MADE_UP = 112_000;

it('every sum of every bill is the total, whatever is sold', () => {
  let [held, refused] = [0, 0];
  fc.assert(
    fc.property(bills, (bill) => {
      const amounts = countBill(bill);
      if (amounts === undefined) {
        refused += 1;
        // The tax is at most as much as the price, and rounding adds at most a unit.
        const most = added(bill.lines.map(({ unitPrice, quantity }) => 2n * ((unitPrice * BigInt(quantity)) / 1_000n + 1n)));
        return most + bill.tip > MAX_MOVED;
      }
      held += 1;
      const { lines: one, rates, net, taxAmount, tip, total } = amounts;
      const untaxed = added(bill.lines.flatMap(({ tax }, nth) => (tax === null ? [one[nth]?.net ?? 0n] : [])));
      const all = one.flatMap((each) => [each.amount, each.net, each.taxAmount]);
      const prices = added(one.map(({ amount }) => amount));
      return (
        net + taxAmount + tip === total &&
        added(one.map((each) => each.net)) === net &&
        added(one.map((each) => each.taxAmount)) === taxAmount &&
        added(rates.map((each) => each.net)) + untaxed === net &&
        added(rates.map((each) => each.taxAmount)) === taxAmount &&
        one.every((each) => each.amount === (bill.pricesIncludeTax ? each.net + each.taxAmount : each.net)) &&
        total === prices + tip + (bill.pricesIncludeTax ? 0n : taxAmount) &&
        all.every((value) => value >= 0n) &&
        total <= MAX_MOVED &&
        rates.every((each) => isNear(bill, each, one))
      );
    }),
    { numRuns: MADE_UP },
  );
  console.log(`${held} bills counted, ${refused} refused`);
  expect(held).toBeGreaterThanOrEqual(BILLS);
}, 120_000);

/** The tax of a rate is the exact share, rounded once, or once for each line. */
function isNear(bill: Bill, { name, rate, taxAmount }: BillAmounts['rates'][number], counted: BillAmounts['lines']): boolean {
  const places = bill.lines.flatMap(({ tax }, nth) => (tax?.name === name && tax.rate === rate ? [nth] : []));
  const amount = added(places.map((nth) => counted[nth]?.amount ?? 0n));
  const divisor = BigInt(TAX_PARTS + (bill.pricesIncludeTax ? rate : 0));
  const off = 2n * (taxAmount * divisor - amount * BigInt(rate));
  const most = divisor * BigInt(bill.rounding === 'line' ? places.length : 1);
  return -most < off && off <= most;
}

it('the order of the lines changes nothing', () => {
  fc.assert(
    fc.property(
      bills.chain((bill) => fc.tuple(fc.constant(bill), fc.shuffledSubarray([...bill.lines.keys()], { minLength: bill.lines.length }))),
      ([bill, order]) => {
        const [a, b] = [countBill(bill), countBill({ ...bill, lines: order.flatMap((nth) => bill.lines[nth] ?? []) })];
        if (a === undefined || b === undefined) return a === b;
        const told = ({ lines: all, ...rest }: BillAmounts, of: readonly BillLine[]) => {
          const texts = all.map((each, nth) => [of[nth]?.tax?.name, of[nth]?.tax?.rate, each.amount, each.taxAmount].join(' '));
          return JSON.stringify([texts.sort(), rest], (_, value) => (typeof value === 'bigint' ? value.toString() : value));
        };
        const reordered = order.flatMap((nth) => bill.lines[nth] ?? []);
        return told(a, bill.lines) === told(b, reordered);
      },
    ),
    { numRuns: 5_000 },
  );
}, 60_000);
