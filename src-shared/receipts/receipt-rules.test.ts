import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countBill } from '../bills/bill.ts';
import { anyBill } from '../bills/testing/bills.ts';
import { canonicalText } from './canonical.ts';
import { placeOfNumber, plainSums, receiptNumber, refundSums } from './receipt-rules.ts';

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

it('a refund adds up to what was given back, and a refund of everything gives back each part', () => {
  fc.assert(
    fc.property(anyBill, fc.bigInt({ min: 0n, max: 1_000n }), (sold, thousandths) => {
      const sale = countBill(sold);
      if (sale === undefined) return;
      const amount = (sale.total * thousandths) / 1_000n;
      const back = refundSums(sale, amount);
      expect(back.total).toBe(amount);
      expect(back.net + back.taxAmount + back.tip).toBe(amount);
      expect(sum(back.rates.map(({ taxAmount }) => taxAmount))).toBe(back.taxAmount);
      expect(sum(back.lines.map(({ net, taxAmount }) => net + taxAmount))).toBe(amount - back.tip);
      expect(
        [back.net, back.taxAmount, back.tip, ...back.rates.flatMap((rate) => [rate.net, rate.taxAmount])].every((part) => part >= 0n),
      ).toBe(true);
      expect(refundSums(sale, sale.total)).toMatchObject({ rates: sale.rates, net: sale.net, taxAmount: sale.taxAmount, tip: sale.tip });
    }),
  );
});

it('the refunds of a sale give back each part of it together, as day closings divide them', () => {
  fc.assert(
    fc.property(anyBill, fc.bigInt({ min: 0n, max: 1_000n }), (sold, thousandths) => {
      const sale = countBill(sold);
      if (sale === undefined) return;
      const first = (sale.total * thousandths) / 1_000n;
      const [one, other] = [refundSums(sale, first), refundSums(sale, sale.total - first, first)];
      expect(one.taxAmount + other.taxAmount).toBe(sale.taxAmount);
      expect(one.tip + other.tip).toBe(sale.tip);
      for (const [nth, rate] of sale.rates.entries())
        expect([one, other].reduce((all, { rates }) => all + (rates[nth]?.taxAmount ?? 0n), 0n)).toBe(rate.taxAmount);
    }),
  );
});

it('what has no lines is one line', () => {
  expect(plainSums('Roses', 450n)).toMatchObject({ lines: [{ text: 'Roses', amount: 450n }], rates: [], total: 450n, taxAmount: 0n });
});

it('a number names its place, and nothing else does', () => {
  expect(receiptNumber({ kind: 'sale', year: 2026, branch: 0, number: 1 })).toBe('S-2026-000001');
  expect(receiptNumber({ kind: 'refund', year: 2026, branch: 1, number: 1_234_567 })).toBe('R-2026B-1234567');
  const place = fc.record({
    kind: fc.constantFrom('sale' as const, 'refund' as const),
    year: fc.integer({ min: 1970, max: 9_999 }),
    branch: fc.integer({ min: 0, max: 2_000 }),
    number: fc.integer({ min: 1, max: 10_000_000 }),
  });
  fc.assert(
    fc.property(place, (one) => {
      expect(placeOfNumber(receiptNumber(one))).toEqual(one);
    }),
  );
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(receiptNumber(a) === receiptNumber(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
  );
  for (const text of ['', 'S-2026A-000001', 'S-2026-0000001', 'X-2026-000001', 'S-2026-000001 '])
    expect(placeOfNumber(text)).toBeUndefined();
});

it('the same value is the same text, whatever the order of its members', () => {
  expect(canonicalText({ b: 12n, a: [{ d: null, c: 'é' }] })).toBe('{"a":[{"c":"é","d":null}],"b":"12"}');
});
