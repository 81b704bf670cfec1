import { everyone, managers } from '../../people/roles.ts';
import { Colour, ProductCode, ProductName } from '../../shop/product.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { TaxRate } from '../payments/bills.ts';
import { AssetValue, Id, MovedValue, RequestId } from '../values.ts';

const PRODUCT = {
  name: ProductName,
  /** The price of one piece. It contains the tax where the shop's prices do. */
  price: MovedValue,
  ...AssetValue.shape,
  /** The id of a tax rate of the shop; null when the product is not taxed. */
  taxRateId: z.string().max(36).nullable(),
  /** What a scanner types for it; null without one. No two products have the same. */
  code: ProductCode.nullable(),
  /** The colour of its tile at the till; null for none. */
  colour: Colour.nullable(),
};

/** Something that the shop sells, with its price in one currency. */
export const Product = z.object({
  id: Id,
  ...PRODUCT,
  /** The tax rate as the shop has it now; null when the product is not taxed, or its rate is gone. */
  tax: TaxRate.nullable(),
  /** Whether the shop no longer has the tax rate of the product. Until somebody chooses another, it is not sold. */
  needsTaxRate: z.boolean(),
  /** The number of sales in which it was. */
  sales: z.number().int(),
});
export type Product = z.infer<typeof Product>;

const PRODUCT_ERRORS = {
  PRODUCT_CODE_TAKEN: { status: 409, message: texts.productCodeTaken },
  NO_SUCH_TAX_RATE: { status: 409, message: texts.noSuchTaxRate },
};
const NOT_FOUND = { status: 404, message: texts.noSuchProduct };

/** What the shop sells. A sale keeps its own words, prices and rates, whatever becomes of its products. */
export const products = {
  /** Lists the products by name, or those in the most sales first. */
  list: reads(everyone, 'The products of the shop, by name, or those in the most sales first.')
    .route({ method: 'GET', path: '/products' })
    .input(
      z.object({
        /** Asks for those whose name or code contains it. */
        text: z.string().max(200).optional(),
        /** Asks for those with a price in this currency, for which both members are given. */
        assetCode: AssetValue.shape.assetCode.optional(),
        assetScale: AssetValue.shape.assetScale.optional(),
        order: z.enum(['name', 'sales']).default('name'),
        cursor: z.string().max(300).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    )
    .output(z.object({ items: z.array(Product), nextCursor: z.string().nullable() })),
  /** The product for which a scanner types this; null when there is none. */
  byCode: reads(everyone, 'The product for which a scanner types a code; null when there is none.')
    .route({ method: 'GET', path: '/products/by-code' })
    .input(z.object({ code: ProductCode }))
    .output(z.object({ product: Product.nullable() })),
  add: does(managers, 'settings', 'product.added', 'Adds a product, with its price in one currency.')
    .route({ method: 'POST', path: '/products', successStatus: 201 })
    .input(z.object({ requestId: RequestId, ...PRODUCT }))
    .errors({ ...PRODUCT_ERRORS, TOO_MANY_PRODUCTS: { status: 409, message: texts.tooManyProducts } })
    .output(Product),
  change: does(managers, 'settings', 'product.changed', 'Changes a product. Sales that were made stay as they are.')
    .route({ method: 'POST', path: '/products/{id}' })
    .input(z.object({ id: Id, ...PRODUCT }))
    .errors({ ...PRODUCT_ERRORS, NOT_FOUND })
    .output(Product),
  remove: does(managers, 'settings', 'product.removed', 'Removes a product. Sales that were made stay as they are.')
    .route({ method: 'POST', path: '/products/{id}/remove' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND })
    .output(z.object({ removed: z.literal(true) })),
};
