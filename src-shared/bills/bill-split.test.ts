import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBill } from './bill.ts';
import { linesUpTo, splitBetween, splitUpTo, unitsOf } from './bill-split.ts';
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

it('the partial refunds of 10,000 carts add up to each rate of the bill, to the unit, and none takes a unit back', () => {
  fc.assert(
    fc.property(anyBill, fc.array(fc.bigInt({ min: 1n, max: 200_000n }), { maxLength: 5 }), (sold, wished) => {
      const bill = countBill(sold);
      if (bill === undefined) return;
      let refunded = 0n;
      const sums = { rates: bill.rates.map(() => ({ net: 0n, tax: 0n })), tip: 0n, rest: 0n };
      for (const wish of [...wished, bill.total]) {
        const amount = wish < bill.total - refunded ? wish : bill.total - refunded;
        const part = splitBetween(bill, refunded, refunded + amount);
        refunded += amount;
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

it('what was paid in part goes back as it came, and what came beyond the bill has no tax', () => {
  const bill = { rates: [{ name: 'VAT', rate: 19_000, net: 333n, taxAmount: 63n }], tip: 10n, total: 406n };
  expect(splitUpTo(bill, 100n)).toEqual({ rates: [{ net: 82n, tax: 16n }], tip: 2n, rest: 0n });
  expect(splitUpTo(bill, 500n)).toEqual({ rates: [{ net: 333n, tax: 63n }], tip: 10n, rest: 94n });
  expect(splitUpTo({ ...bill, rates: [], tip: 0n, total: 0n }, 5n)).toEqual({ rates: [], tip: 0n, rest: 5n });
  expect(splitUpTo(bill, -3n)).toEqual(splitUpTo(bill, 0n));
});

it('whatever comes and goes back in between, each rate gives back what it brought, and never more', () => {
  const moves = fc.array(fc.record({ isBack: fc.boolean(), amount: fc.bigInt({ min: 1n, max: 500n }) }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(anyBill, moves, (sold, all) => {
      const bill = countBill(sold);
      if (bill === undefined) return;
      const unitsIn = (before: bigint, amount: bigint) => {
        const { rates, tip, rest } = splitBetween(bill, before, before + amount);
        return [...rates.flatMap(({ net, tax }) => [net, tax]), tip, rest];
      };
      let [received, refunded] = [0n, 0n];
      let left = unitsIn(0n, 0n);
      const move = (isBack: boolean, wish: bigint) => {
        const most = isBack ? received - refunded : wish;
        const amount = wish < most ? wish : most;
        const units = unitsIn(isBack ? refunded : received, amount);
        left = left.map((one, nth) => one + (isBack ? -1n : 1n) * (units[nth] ?? 0n));
        if (isBack) refunded += amount;
        else received += amount;
        expect(left.every((one) => one >= 0n)).toBe(true);
      };
      for (const { isBack, amount } of all) move(isBack, amount);
      move(true, received);
      expect(left).toEqual(left.map(() => 0n));
    }),
    { numRuns: 2_000, seed },
  );
});

it('the lines of a bill and its tip add up to what came of it, and no line loses a unit again', () => {
  fc.assert(
    fc.property(anyBill, fc.array(fc.bigInt({ min: 0n, max: 300n }), { maxLength: 12 }), (sold, parts) => {
      const bill = countBill(sold);
      if (bill === undefined) return;
      const values = bill.lines.map(({ net, taxAmount }) => net + taxAmount);
      let [came, before] = [0n, linesUpTo(bill, values, 0n)];
      for (const part of [...parts, bill.total]) {
        came = came + part < bill.total ? came + part : bill.total;
        const now = linesUpTo(bill, values, came);
        expect(sum(now) + splitUpTo(bill, came).tip).toBe(came);
        expect(now.every((units, nth) => units >= (before[nth] ?? 0n))).toBe(true);
        before = now;
      }
      expect(before).toEqual(values);
    }),
    { numRuns: 1_000, seed },
  );
});
