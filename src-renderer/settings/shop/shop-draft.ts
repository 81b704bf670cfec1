import type { ShopProfile, TaxRate } from '../../../src-shared/operator-contract/shop/shop.ts';
import { SHOP_LIMITS } from '../../../src-shared/shop/shop-limits.ts';
import { typedTaxRate } from '../../../src-shared/typed-input/typed-tax-rate.ts';
import { taxRateInputText } from '../../../src-shared/words/sales/tax-rate-text.ts';

/** A tax rate while it is being typed. */
export interface TaxRateDraft {
  /** Names the row on the page. */
  readonly key: string;
  /** The rate that is stored; undefined for a new one. */
  readonly stored: TaxRate | undefined;
  readonly name: string;
  /** The rate in percent, as the operator typed it. */
  readonly text: string;
}

/** The profile while it is being typed. */
export interface ShopDraft extends Omit<ShopProfile, 'address' | 'taxRates' | 'defaultTaxRate'> {
  /** One line of the address on each line. */
  readonly addressText: string;
  readonly rates: readonly TaxRateDraft[];
  /** The key of the default rate. */
  readonly defaultKey: string | null;
}

export function draftOf({ address, taxRates, defaultTaxRate, ...rest }: ShopProfile): ShopDraft {
  const rates = taxRates.map((rate) => ({ key: rate.id, stored: rate, name: rate.name, text: taxRateInputText(rate.rate) }));
  return { ...rest, addressText: address.join('\n'), rates, defaultKey: defaultTaxRate };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const isAddressTooLong = ({ addressText }: ShopDraft): boolean => {
  const lines = linesOf(addressText);
  return lines.length > SHOP_LIMITS.addressLines || lines.some(({ length }) => length > SHOP_LIMITS.addressLine);
};

export const isRateWrong = ({ text }: TaxRateDraft): boolean => typedTaxRate(text) === undefined;

/** @returns the profile as it is stored, or undefined while something typed is not right. */
export function profileOf({ addressText, rates, defaultKey, ...rest }: ShopDraft): ShopProfile | undefined {
  const read = rates.map((draft) => ({ draft, rate: typedTaxRate(draft.text), name: draft.name.trim() }));
  if (isAddressTooLong({ addressText, rates, defaultKey, ...rest })) return undefined;
  const taxRates: TaxRate[] = [];
  let defaultTaxRate: string | null = null;
  for (const { draft, rate, name } of read) {
    if (rate === undefined || name === '') return undefined;
    // Sales that were made with the former rate keep it, so another rate is a new one.
    const id = draft.stored !== undefined && draft.stored.rate === rate ? draft.stored.id : crypto.randomUUID();
    taxRates.push({ id, name, rate });
    if (draft.key === defaultKey) defaultTaxRate = id;
  }
  return { ...rest, address: linesOf(addressText), taxRates, defaultTaxRate: defaultTaxRate ?? taxRates[0]?.id ?? null };
}
