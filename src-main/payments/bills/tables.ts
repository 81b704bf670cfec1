import { sql } from 'drizzle-orm';
import type { TaxRules } from '../../../src-shared/bills/bill.ts';
import { bool, check, int53, int64, primaryKey, table, text } from '../../platform/database/schema.ts';
import { incomingPayments } from '../tables.ts';

/**
 * What payment requests of the operator charge. A row is made in the write that makes the incoming payment, whose
 * amount it comes to, and never changes. All amounts are in smallest units of the account.
 */
export const bills = table(
  'bills',
  {
    /** Id of the incoming payment. */
    id: text('id')
      .primaryKey()
      .references(() => incomingPayments.id),
    pricesIncludeTax: bool('prices_include_tax').notNull(),
    rounding: text('rounding').$type<TaxRules['rounding']>().notNull(),
    net: int64('net').notNull(),
    taxAmount: int64('tax_amount').notNull(),
    tip: int64('tip').notNull(),
  },
  (t) => [
    check('bills_amounts', sql`${t.net} >= 0 and ${t.taxAmount} >= 0 and ${t.tip} >= 0`),
    check('bills_rounding', sql`${t.rounding} in ('line', 'total')`),
  ],
);

/** The lines of bills, with what each came to. Rates are as they were then: the shop may have changed them since. */
export const billLines = table(
  'bill_lines',
  {
    billId: text('bill_id')
      .notNull()
      .references(() => bills.id),
    /** Its place in the bill, from 0. */
    place: int53('place').notNull(),
    text: text('text').notNull(),
    /** The quantity, in thousandths of a piece. */
    quantity: int53('quantity').notNull(),
    unitPrice: int64('unit_price').notNull(),
    /** The name and the rate of the tax, in thousandths of a percent. Both are null when nothing is taxed. */
    taxName: text('tax_name'),
    taxRate: int53('tax_rate'),
    amount: int64('amount').notNull(),
    net: int64('net').notNull(),
    taxAmount: int64('tax_amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.billId, t.place] }),
    check('bill_lines_amounts', sql`${t.unitPrice} >= 0 and ${t.net} >= 0 and ${t.taxAmount} >= 0`),
    check('bill_lines_tax', sql`(${t.taxName} is null) = (${t.taxRate} is null)`),
  ],
);
