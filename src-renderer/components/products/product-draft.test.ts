import { expect, test } from 'vitest';
import { assetsOf, newProductDraft, productDraftOf, typedProduct } from './product-draft.ts';

const EUR = { assetCode: 'EUR', assetScale: 2 };
const JPY = { assetCode: 'JPY', assetScale: 0 };
const CHOICE = {
  ...{ pricesIncludeTax: true, rounding: 'line' as const },
  rates: [
    { id: 'low', name: 'Reduced', rate: 7_000, isDefault: false },
    { id: 'full', name: 'Standard', rate: 19_000, isDefault: true },
  ],
};

test('a new product begins with the usual tax rate and the code that was scanned', () => {
  expect(newProductDraft(EUR, CHOICE, '123')).toMatchObject({ rateId: 'full', code: '123', asset: EUR });
  expect(newProductDraft(EUR, { ...CHOICE, rates: [] })).toMatchObject({ rateId: '', code: '' });
});

test('what is typed is what is sent, and what is incomplete is not', () => {
  const draft = { ...newProductDraft(EUR, CHOICE), name: ' Tea ', price: '2,50', code: ' ' };
  expect(typedProduct(draft, CHOICE)).toEqual({ name: 'Tea', price: 250n, ...EUR, taxRateId: 'full', code: null, colour: null });
  for (const wrong of [{ name: ' ' }, { price: '' }, { price: '0' }, { price: 'x' }, { price: '9'.repeat(19) }, { rateId: 'gone' }])
    expect(typedProduct({ ...draft, ...wrong }, CHOICE), JSON.stringify(wrong)).toBeUndefined();
});

test('a product comes back from its form as it was', () => {
  const product = { name: 'Tea', price: 123_450n, ...EUR, taxRateId: null, code: '7', colour: 'teal' as const };
  const draft = productDraftOf({ id: 'x', ...product, tax: null, needsTaxRate: false, sales: 3 });
  expect(typedProduct(draft, CHOICE)).toEqual(product);
});

test('each currency is offered once', () => {
  expect(assetsOf([{ ...EUR, ...{ name: 'a' } }, JPY, EUR])).toEqual([EUR, JPY]);
});
