import { useQuery } from '@tanstack/react-query';
import type { BillRate, TaxRules } from '../../../src-shared/bills/bill.ts';
import { queries } from '../../transport/operator-client.ts';

/** How the shop counts tax, and the rates among which its people choose. */
export interface TaxChoice extends TaxRules {
  readonly rates: readonly (BillRate & { readonly id: string; readonly isDefault: boolean })[];
}

/** A shop that has set nothing charges no tax. */
const NO_TAX: TaxChoice = { pricesIncludeTax: true, rounding: 'line', rates: [] };

/** The tax rates of the shop, as its settings say. */
export function useTaxChoice(): TaxChoice {
  const { data } = useQuery(queries.shop.get.queryOptions());
  if (data === undefined) return NO_TAX;
  const { pricesIncludeTax, taxRounding, taxRates, defaultTaxRate } = data.profile;
  return { pricesIncludeTax, rounding: taxRounding, rates: taxRates.map((rate) => ({ ...rate, isDefault: rate.id === defaultTaxRate })) };
}
