import fc from 'fast-check';

const line = fc.record({
  text: fc.string({ maxLength: 5 }),
  quantity: fc.integer({ min: 1, max: 5_000 }),
  unitPrice: fc.bigInt({ min: 0n, max: 100_000n }),
  tax: fc.option(fc.record({ name: fc.constantFrom('VAT', 'Reduced'), rate: fc.constantFrom(0, 7_000, 8_875, 19_000) }), { nil: null }),
});

/** Any bill of up to eight lines, also one of which nobody can pay anything. */
export const anyBill = fc.record({
  pricesIncludeTax: fc.boolean(),
  rounding: fc.constantFrom('line' as const, 'total' as const),
  lines: fc.array(line, { maxLength: 8 }),
  tip: fc.bigInt({ min: 0n, max: 5_000n }),
});
