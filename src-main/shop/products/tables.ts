import { sql } from 'drizzle-orm';
import type { ProductColour } from '../../../src-shared/shop/product-limits.ts';
import { check, index, int53, int64, table, text, timestampMs, uniqueIndex } from '../../platform/database/schema.ts';

/** What the shop sells. A row that is removed is gone: bills keep their own words, prices and rates. */
export const products = table(
  'products',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The name in small letters, by which the list is sorted and searched. */
    nameKey: text('name_key').notNull(),
    /** The price of one piece, in smallest units of the currency: above zero. */
    price: int64('price').notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The id of a tax rate in the shop's profile, which may be gone since. Null when it is not taxed. */
    taxRateId: text('tax_rate_id'),
    /** What a scanner types. */
    code: text('code'),
    colour: text('colour').$type<ProductColour>(),
    /** The number of sales in which it was. */
    sales: int53('sales').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('products_code').on(t.code),
    index('products_name').on(t.nameKey, t.id),
    index('products_sales').on(t.assetCode, t.assetScale, t.sales, t.id),
    check('products_price', sql`${t.price} > 0`),
  ],
);
