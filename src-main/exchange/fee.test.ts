import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFee, feeFor, leastDebitFor, sameFee } from './fee.ts';

const decimal = (most: bigint) =>
  fc
    .tuple(fc.bigInt(0n, most), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 8 }))
    .map(([whole, decimals]) => (decimals === '' ? whole.toString() : `${whole}.${decimals}`));
const row = fc.record({ fixed: decimal(500n), minimum: decimal(500n), shareBps: fc.integer({ min: 0, max: 9_999 }) });
const asset = fc.integer({ min: 0, max: 9 }).map((assetScale) => ({ assetCode: 'USD', assetScale }));

/** The exact fee as a fraction, by its definition. */
function exactFee({ fixed, minimum, shareBps }: { fixed: string; minimum: string; shareBps: number }, scale: number, debit: bigint) {
  const units = (text: string) => {
    const [whole = '', decimals = ''] = text.split('.');
    return { n: BigInt(whole + decimals) * 10n ** BigInt(scale) * 10_000n, d: 10n ** BigInt(decimals.length) * 10_000n };
  };
  const [f, m] = [units(fixed), units(minimum)];
  const usual = { n: f.n + debit * BigInt(shareBps) * (f.d / 10_000n), d: f.d };
  return usual.n * m.d > m.n * usual.d ? usual : m;
}

describe('a fee', () => {
  it('takes no more than it says, less than a unit less, and never more than there is', () => {
    fc.assert(
      fc.property(row, asset, fc.bigInt(1n, 2n ** 63n - 1n), (fee, payer, debit) => {
        const left = afterFee(debit, feeFor(fee, payer));
        const { n, d } = exactFee(fee, payer.assetScale, debit);
        expect(left >= 0n && left <= debit).toBe(true);
        expect((debit - left) * d <= n).toBe(true);
        if (left > 0n) expect((debit - left + 1n) * d > n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is found backwards: the least debit leaves enough, and one unit less does not', () => {
    const left = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 2n ** 63n - 1n));
    fc.assert(
      fc.property(row, asset, left, (terms, payer, wanted) => {
        const fee = feeFor(terms, payer);
        const least = leastDebitFor(wanted, fee);
        expect(afterFee(least, fee) >= wanted).toBe(true);
        expect(afterFee(least - 1n, fee) < wanted).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['0.30', 200, '0', 10_000n, 230n],
    ['0', 150, '1', 5_000n, 100n],
    ['0', 150, '1', 10_000n, 150n],
    ['0.005', 0, '0', 10_000n, 0n],
    ['0.01', 1, '0.02', 9_999n, 2n],
  ])('of %s, %d hundredths of a percent and at least %s takes of %d as much as it should', (fixed, shareBps, minimum, debit, taken) => {
    const fee = feeFor({ fixed, shareBps, minimum }, { assetCode: 'USD', assetScale: 2 });
    expect(debit - afterFee(debit, fee)).toBe(taken);
  });

  it('is the same however it is written, and another one when a part differs', () => {
    const of = (fixed: string, minimum = '1', shareBps = 5) => feeFor({ fixed, minimum, shareBps }, { assetCode: 'USD', assetScale: 2 });
    expect([sameFee(of('0.5'), of('0.500000')), sameFee(undefined, undefined)]).toEqual([true, true]);
    expect([sameFee(of('0.5'), of('0.5001')), sameFee(of('1', '2'), of('1')), sameFee(of('1', '1', 6), of('1'))]).toEqual([
      false,
      false,
      false,
    ]);
    expect([sameFee(of('1'), undefined), sameFee(undefined, of('1'))]).toEqual([false, false]);
  });
});
