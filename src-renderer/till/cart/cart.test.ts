import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import { countBill, MOST_LINES } from '../../../src-shared/bills/bill.ts';
import { type Cart, chargeOf, MOST_PIECES, tipOf, withAmount, withPieces, withProduct, withTax } from './cart.ts';

const VAT = { name: 'VAT', rate: 19_000 };
const LOW = { name: 'Reduced', rate: 7_000 };
const COFFEE = { id: 'coffee', name: 'Coffee', price: 350n, tax: LOW };
const INCLUDED = { pricesIncludeTax: true, rounding: 'line' } as const;

const filled = (cart: Cart | undefined): Cart => cart ?? expect.fail('no room');
const facts = (cart: Cart) => cart.map(({ text, unitPrice, pieces }) => [text, unitPrice, pieces]);

describe('the cart', () => {
  it('has one line for each product, and one for each amount that was typed', () => {
    const cart = [450n, 450n].reduce(
      (all, value) => filled(withAmount(all, value, null)),
      filled(withProduct(filled(withProduct([], COFFEE)), COFFEE)),
    );
    expect(facts(cart)).toEqual([
      ['Coffee', 350n, 2],
      ['', 450n, 1],
      ['', 450n, 1],
    ]);
    expect(withAmount(cart, 0n, null)).toBe(cart);
  });

  it('keeps what lies in it when the product changes', () => {
    const cart = filled(withProduct(filled(withProduct([], COFFEE)), { ...COFFEE, price: 400n }));
    expect(facts(cart)).toEqual([
      ['Coffee', 350n, 1],
      ['Coffee', 400n, 1],
    ]);
    expect(filled(withProduct(cart, { ...COFFEE, tax: VAT }))).toHaveLength(3);
  });

  it('has more and less of a line, and none takes it away', () => {
    const [cart, key] = [filled(withProduct([], COFFEE)), (line: Cart) => line[0]?.key ?? ''];
    expect(facts(withPieces(cart, key(cart), 7))).toEqual([['Coffee', 350n, 7]]);
    expect(facts(withPieces(cart, key(cart), MOST_PIECES + 1))).toEqual([['Coffee', 350n, MOST_PIECES]]);
    expect(withPieces(cart, key(cart), 0)).toEqual([]);
    expect(withTax(cart, key(cart), VAT)).toMatchObject([{ tax: VAT }]);
  });

  it('takes no line that a bill could not have', () => {
    const full = Array.from({ length: MOST_LINES }, () => 1n).reduce<Cart>((all, value) => filled(withAmount(all, value, null)), []);
    expect(withAmount(full, 1n, null)).toBeUndefined();
    expect(withProduct(full, COFFEE)).toBeUndefined();
    expect(chargeOf(full, INCLUDED)?.amount).toBe(BigInt(MOST_LINES));
  });
});

describe('what is charged', () => {
  it('is a plain amount when one was typed, without tax and tip', () => {
    const plain = filled(withAmount([], 450n, null));
    expect(chargeOf(plain, INCLUDED)).toMatchObject({ amount: 450n, bill: undefined });
    expect(chargeOf(plain, INCLUDED, 50n)).toMatchObject({ amount: 500n, bill: { tip: 50n } });
    expect(chargeOf(filled(withAmount([], 450n, VAT)), INCLUDED)?.bill?.lines).toHaveLength(1);
    expect(chargeOf(filled(withAmount(plain, 1n, null)), INCLUDED)?.bill?.lines).toHaveLength(2);
  });

  it('has the tax on top where the shop adds it', () => {
    expect(chargeOf(filled(withAmount([], 1_000n, VAT)), { ...INCLUDED, pricesIncludeTax: false })?.amount).toBe(1_190n);
  });

  it('names the products that it sells', () => {
    const cart = filled(withAmount(filled(withProduct([], COFFEE)), 1n, null));
    expect(chargeOf(cart, INCLUDED)?.bill?.lines.map((line) => line.productId)).toEqual(['coffee', undefined]);
  });

  it('is nothing for an empty cart, and for more than can move', () => {
    expect(chargeOf([], INCLUDED)).toBeUndefined();
    const dear = filled(withProduct([], { ...COFFEE, price: MAX_MOVED }));
    expect(chargeOf(dear, INCLUDED)?.amount).toBe(MAX_MOVED);
    expect(chargeOf(dear, INCLUDED, 1n)).toBeUndefined();
  });
});

it('a tip is a share of the amount, rounded to the unit', () => {
  expect([5, 10, 15].map((percent) => tipOf(450n, percent))).toEqual([23n, 45n, 68n]);
  expect(tipOf(MAX_MOVED, 100)).toBe(MAX_MOVED);
});

/** How many carts are filled by chance; ten times as many in the long run. */
const CARTS = import.meta.env.PAYDESK_TEST_LONG === '1' ? 100_000 : 10_000;

type Act = (cart: Cart) => Cart | undefined;
const rates = fc.constantFrom(null, VAT, LOW, { name: 'VAT', rate: 0 }, { name: 'All', rate: 100_000 }, { name: 'Odd', rate: 8_875 });
const prices = fc.oneof({ weight: 20, arbitrary: fc.bigInt(1n, 50_000n) }, { weight: 1, arbitrary: fc.bigInt(1n, MAX_MOVED) });
const products = fc.record({ id: fc.constantFrom('a', 'b', 'c'), name: fc.constantFrom('A', 'B'), price: prices, tax: rates });
const at = (cart: Cart, nth: number) => cart[nth % Math.max(cart.length, 1)];
const acts: fc.Arbitrary<Act> = fc.oneof(
  products.map(
    (product): Act =>
      (cart) =>
        withProduct(withProduct(cart, product) ?? cart, product),
  ),
  fc.tuple(prices, rates).map(
    ([value, tax]): Act =>
      (cart) =>
        withAmount(cart, value, tax),
  ),
  fc.tuple(fc.nat(9), fc.integer({ min: -1, max: 20_000 })).map(
    ([nth, pieces]): Act =>
      (cart) =>
        withPieces(cart, at(cart, nth)?.key ?? '', pieces),
  ),
  fc.tuple(fc.nat(9), rates).map(
    ([nth, tax]): Act =>
      (cart) =>
        withTax(cart, at(cart, nth)?.key ?? '', tax),
  ),
);
const rules = fc.record({ pricesIncludeTax: fc.boolean(), rounding: fc.constantFrom('line', 'total') });
const tips = fc.oneof(fc.constant(0n), fc.bigInt(0n, 5_000n));
const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

it('what is charged is what the node counts: the lines with their tax, and the tip', { timeout: 240_000 }, () => {
  let held = 0;
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 14 }), rules, tips, (done, taxRules, tip) => {
      const cart = done.reduce<Cart>((all, act) => act(all) ?? all, []);
      const charge = chargeOf(cart, taxRules, tip);
      if (charge === undefined) {
        const prices = sum(cart.map(({ unitPrice, pieces }) => 2n * unitPrice * BigInt(pieces)));
        return prices + tip === 0n || prices + tip > MAX_MOVED;
      }
      held += 1;
      const { amount, bill, counted } = charge;
      const lines = sum(cart.map(({ unitPrice, pieces }) => unitPrice * BigInt(pieces)));
      const added = taxRules.pricesIncludeTax ? 0n : counted.taxAmount;
      return (
        amount === lines + added + tip &&
        amount === counted.total &&
        (bill === undefined ? cart.length === 1 && tip === 0n && counted.taxAmount === 0n : countBill(bill)?.total === amount) &&
        cart.every(({ pieces }) => pieces >= 1 && pieces <= MOST_PIECES)
      );
    }),
    { numRuns: CARTS * 1.2 },
  );
  expect(held).toBeGreaterThanOrEqual(CARTS * 0.8);
});
