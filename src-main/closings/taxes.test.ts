import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharesIn, taxesAndTipsOf } from './taxes.ts';

const usd = { assetCode: 'USD', assetScale: 2 };
const amount = fc.bigInt({ min: 1n, max: 1_000_000n });

it('the shares of a bill that is paid in parts add up to each part of it, and none is negative', () => {
  const bills = fc.record({ net: amount, tax: fc.bigInt({ min: 0n, max: 200_000n }), tip: fc.bigInt({ min: 0n, max: 5_000n }) });
  fc.assert(
    fc.property(bills, fc.array(amount, { maxLength: 8 }), ({ net, tax, tip }, wished) => {
      const total = net + tax + tip;
      const rates = [{ name: 'VAT', rate: 19_000, net, taxAmount: tax }];
      const bill = { rates, tip, total };
      let before = 0n;
      const sales = [...wished, total].flatMap((wish) => {
        const part = wish < total - before ? wish : total - before;
        const sale = { asset: usd, bill, before, amount: part };
        before += part;
        return part === 0n ? [] : [sale];
      });
      expect(before).toBe(total);
      const papers = sales.map((sale) => taxesAndTipsOf([sale]));
      const sums = { net: 0n, tax: 0n, tip: 0n };
      for (const { taxes, tips } of papers) {
        for (const one of taxes) {
          expect(one.net >= 0n && one.tax >= 0n).toBe(true);
          sums.net += one.net;
          sums.tax += one.tax;
        }
        for (const one of tips) sums.tip += one.value;
      }
      expect(sums).toEqual({ net, tax, tip });
    }),
    { numRuns: 1_000, seed: Number(process.env.PAYDESK_TEST_SEED ?? 1) },
  );
});

it('rates are told apart by name, height and currency', () => {
  const bill = {
    rates: [
      { name: 'VAT', rate: 19_000, net: 100n, taxAmount: 19n },
      { name: 'VAT', rate: 7_000, net: 100n, taxAmount: 7n },
    ],
    tip: 4n,
    total: 230n,
  };
  const sale = { asset: usd, bill, before: 0n, amount: 230n };
  const { taxes, tips } = taxesAndTipsOf([sale, sale, { ...sale, asset: { assetCode: 'EUR', assetScale: 2 } }]);
  expect(taxes).toEqual([
    { assetCode: 'EUR', assetScale: 2, name: 'VAT', rate: 19_000, net: 100n, tax: 19n },
    { assetCode: 'EUR', assetScale: 2, name: 'VAT', rate: 7_000, net: 100n, tax: 7n },
    { ...usd, name: 'VAT', rate: 19_000, net: 200n, tax: 38n },
    { ...usd, name: 'VAT', rate: 7_000, net: 200n, tax: 14n },
  ]);
  expect(tips).toEqual([
    { assetCode: 'EUR', assetScale: 2, value: 4n },
    { ...usd, value: 8n },
  ]);
});

it('what comes beside the total of a bill is no part of it', () => {
  const bill = { rates: [], tip: 10n, total: 100n };
  expect(sharesIn({ bill, before: 92n, amount: 50n })).toEqual({ rates: [], tip: 1n });
});
