import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBill } from './bill.ts';
import { givenBackBetween, givenBackUpTo, unitsOf } from './refund-split.ts';
import { anyBill } from './testing/bills.ts';

const seed = Number(process.env.PAYDESK_TEST_SEED ?? 1);
const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

it('units go to parts one at a time: they add up, no part loses one again, and all of them make up each part', () => {
  const parts = fc.array(fc.bigInt({ min: 0n, max: 60n }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, (whole) => {
      let before = whole.map(() => 0n);
      for (let amount = 0n; amount <= sum(whole); amount += 1n) {
        const now = unitsOf(whole, amount);
        expect(sum(now)).toBe(amount);
        expect(now.filter((units, nth) => units !== before[nth]).length).toBe(amount === 0n ? 0 : 1);
        expect(now.every((units, nth) => units >= (before[nth] ?? 0n))).toBe(true);
        before = now;
      }
      expect(before).toEqual(whole);
    }),
    { numRuns: 300, seed },
  );
});

it('the largest amounts are divided as exactly', () => {
  const most = 2n ** 62n;
  expect(unitsOf([most, most], most)).toEqual([most / 2n, most / 2n]);
  expect(unitsOf([most, 0n, most], most + 1n)).toEqual([most / 2n + 1n, 0n, most / 2n]);
});

it('the partial refunds of 10,000 carts add up to each rate of the anyBill, to the unit, and none takes a unit back', () => {
  fc.assert(
    fc.property(anyBill, fc.array(fc.bigInt({ min: 1n, max: 200_000n }), { maxLength: 5 }), (sold, wished) => {
      const bill = countBill(sold);
      if (bill === undefined) return;
      let [refunded, before] = [0n, givenBackUpTo(bill, bill.total, 0n)];
      const sums = { rates: bill.rates.map(() => ({ net: 0n, tax: 0n })), tip: 0n, rest: 0n };
      for (const wish of [...wished, bill.total]) {
        const amount = wish < bill.total - refunded ? wish : bill.total - refunded;
        refunded += amount;
        const now = givenBackUpTo(bill, bill.total, refunded);
        const part = givenBackBetween(before, now);
        before = now;
        const units = [...part.rates.flatMap(({ net, tax }) => [net, tax]), part.tip, part.rest];
        expect(sum(units)).toBe(amount);
        expect(units.every((one) => one >= 0n)).toBe(true);
        for (const [nth, { net, tax }] of part.rates.entries()) {
          const whole = sums.rates[nth];
          if (whole === undefined) throw new Error('a rate more than the cart has');
          whole.net += net;
          whole.tax += tax;
        }
        sums.tip += part.tip;
        sums.rest += part.rest;
      }
      expect(sums.rates).toEqual(bill.rates.map(({ net, taxAmount }) => ({ net, tax: taxAmount })));
      expect(sums.tip).toBe(bill.tip);
      expect(sums.rest).toBe(bill.net - sum(bill.rates.map(({ net }) => net)));
    }),
    { numRuns: 10_000, seed },
  );
});

it('what was paid in part goes back as it came', () => {
  const bill = { rates: [{ name: 'VAT', rate: 19_000, net: 333n, taxAmount: 63n }], tip: 10n, total: 406n };
  expect(givenBackUpTo(bill, 100n, 100n)).toEqual({ rates: [{ net: 82n, tax: 15n }], tip: 2n, rest: 1n });
  expect(givenBackUpTo(bill, 500n, 500n)).toEqual({ rates: [{ net: 333n, tax: 63n }], tip: 10n, rest: 94n });
  expect(givenBackUpTo({ ...bill, total: 0n }, 5n, 3n)).toEqual({ rates: [{ net: 0n, tax: 0n }], tip: 0n, rest: 3n });
});
