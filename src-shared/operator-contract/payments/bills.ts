import { MAX_MOVED } from '../../amounts.ts';
import { MOST_LINES, MOST_QUANTITY, TAX_PARTS } from '../../bills/bill.ts';
import { z } from '../../zod.ts';
import { AssetValue, Id, Units } from '../values.ts';

/** The rate of a tax as it is when something is sold. */
export const TaxRate = z.object({
  /** What the shop calls it, such as `VAT`. */
  name: z.string().trim().min(1).max(60),
  rate: z.number().int().min(0).max(TAX_PARTS).describe('In thousandths of a percent: 19000 is 19 %.'),
});

const UnsignedUnits = Units.nonnegative().max(MAX_MOVED);

const BillLine = z.object({
  /** What is sold, in words that the customer reads. An amount that was only typed has none. */
  text: z.string().trim().max(200),
  quantity: z.number().int().min(1).max(MOST_QUANTITY).describe('In thousandths: 2000 is two pieces, 350 is 0.350 of one.'),
  /** The price of one piece. It contains the tax where the bill says so. */
  unitPrice: UnsignedUnits,
  /** The tax; null for a line that is not taxed. */
  tax: TaxRate.nullable(),
});

/** What a payment request charges, before the node counts it. */
export const NewBill = z.object({
  /** Whether the prices contain the tax. Otherwise it is added to them. */
  pricesIncludeTax: z.boolean(),
  /** Whether the tax is rounded on each line, or once for everything of one rate. */
  rounding: z.enum(['line', 'total']),
  lines: z
    .array(
      BillLine.extend({
        /** The product that is sold, which counts the sale. The line keeps its own words, price and rate. */
        productId: Id.optional(),
      }),
    )
    .max(MOST_LINES),
  /** It is charged beside the lines, and is never taxed. */
  tip: UnsignedUnits,
});

export type NewBill = z.infer<typeof NewBill>;

/** What a payment request charges, as the node has counted it. `net + taxAmount + tip` is the total. */
export const Bill = NewBill.extend({
  ...AssetValue.shape,
  lines: z.array(BillLine.extend({ amount: Units, net: Units, taxAmount: Units })),
  /** The highest rate first. */
  rates: z.array(TaxRate.extend({ net: Units, taxAmount: Units })),
  net: Units,
  taxAmount: Units,
  total: Units,
});
export type Bill = z.infer<typeof Bill>;
