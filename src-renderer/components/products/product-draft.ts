import { type Asset, assetKey, MAX_MOVED, toDecimal } from '../../../src-shared/amounts.ts';
import type { Product } from '../../../src-shared/operator-contract/shop/products.ts';
import type { ProductColour } from '../../../src-shared/shop/product-limits.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../../src-shared/words/amount-text.ts';
import type { TaxChoice } from '../money/tax-choice.ts';

/** A product as it is typed. */
export interface ProductDraft {
  readonly name: string;
  readonly price: string;
  readonly asset: Asset;
  /** The id of a tax rate, or an empty text for none. */
  readonly rateId: string;
  readonly code: string;
  readonly colour: ProductColour | null;
}

/** What a form begins with for a new product: the shop's usual tax rate, and perhaps a code that was scanned. */
export const newProductDraft = (asset: Asset, { rates }: TaxChoice, code = ''): ProductDraft => ({
  ...{ name: '', price: '', asset, code, colour: null },
  rateId: rates.find(({ isDefault }) => isDefault)?.id ?? '',
});

/** What a form begins with for a product that there is. */
export const productDraftOf = ({ name, price, assetCode, assetScale, taxRateId, code, colour }: Product): ProductDraft => ({
  name,
  price: plainNumberText(toDecimal(price, assetScale)),
  asset: { assetCode, assetScale },
  rateId: taxRateId ?? '',
  code: code ?? '',
  colour,
});

/** The currencies of some accounts, each once. */
export const assetsOf = (accounts: readonly Asset[]): Asset[] => [
  ...new Map(accounts.map(({ assetCode, assetScale }) => [assetKey({ assetCode, assetScale }), { assetCode, assetScale }])).values(),
];

/** The price that was typed, in smallest units. It is undefined unless it is above zero and can be charged. */
export function typedPrice({ price, asset }: ProductDraft): bigint | undefined {
  const value = price.trim() === '' ? undefined : typedAmount(price, asset);
  return value === undefined || value === 0n || value > MAX_MOVED ? undefined : value;
}

/** What is sent to the node. It is undefined while something is missing or wrong. */
export function typedProduct(draft: ProductDraft, { rates }: TaxChoice) {
  const { name, asset, rateId, code, colour } = draft;
  const price = typedPrice(draft);
  if (price === undefined || name.trim() === '' || isRateGone(draft, rates)) return undefined;
  return { name: name.trim(), price, ...asset, taxRateId: rateId || null, code: code.trim() || null, colour };
}

/** Whether the shop no longer has the tax rate that the form begins with. */
export const isRateGone = ({ rateId }: ProductDraft, rates: TaxChoice['rates']): boolean =>
  rateId !== '' && !rates.some(({ id }) => id === rateId);
