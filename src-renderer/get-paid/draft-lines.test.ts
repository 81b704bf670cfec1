import { expect, test } from 'vitest';
import { typedBill, typedQuantity } from './draft-lines.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const VAT = { id: 'v', name: 'VAT', rate: 19_000, isDefault: true };
const CHOICE = { pricesIncludeTax: false, rounding: 'line' as const, rates: [VAT] };
const BOOK = { key: 'a', text: ' Book ', quantity: '2', price: '10', rate: 'v' };

test.each([
  ['2', 2_000],
  ['0.35', 350],
  ['1000000', 1_000_000_000],
  ['1000001', undefined],
  ['0', undefined],
  ['0.0005', undefined],
  ['two', undefined],
  ['', undefined],
])('the quantity “%s” is %s thousandths', (text, quantity) => {
  expect(typedQuantity(text)).toBe(quantity);
});

test('lines become a bill with their tax, and one that is not whole becomes none', () => {
  expect(typedBill([BOOK], CHOICE, USD)).toMatchObject({
    bill: { lines: [{ text: 'Book', quantity: 2_000, unitPrice: 1_000n, tax: { name: 'VAT', rate: 19_000 } }], tip: 0n },
    amounts: { net: 2_000n, taxAmount: 380n, total: 2_380n },
  });
  expect(typedBill([{ ...BOOK, rate: '' }], CHOICE, USD)?.bill.lines[0]?.tax).toBeNull();
  for (const wrong of [{ text: ' ' }, { quantity: 'x' }, { price: '' }, { price: '1.234' }])
    expect(typedBill([BOOK, { ...BOOK, ...wrong }], CHOICE, USD)).toBeUndefined();
  expect(typedBill([], CHOICE, USD)).toBeUndefined();
});
