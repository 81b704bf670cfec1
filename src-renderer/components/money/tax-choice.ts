import type { BillRate, TaxRules } from '../../../src-shared/bills/bill.ts';

/** How the shop counts tax, and the rates among which its people choose. */
export interface TaxChoice extends TaxRules {
  readonly rates: readonly (BillRate & { readonly id: string; readonly isDefault: boolean })[];
}

/** A shop that has set nothing charges no tax. */
const NO_TAX: TaxChoice = { pricesIncludeTax: true, rounding: 'line', rates: [] };

/** The tax rates of the shop. */
export const useTaxChoice = (): TaxChoice => NO_TAX;
