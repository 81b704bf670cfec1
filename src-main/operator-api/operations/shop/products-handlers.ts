import type { Product } from '../../../../src-shared/operator-contract/shop/products.ts';
import type { TaxRate } from '../../../../src-shared/shop/shop-profile.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { addProduct, changeProduct, listProducts, type ProductRow, productByCode, removeProduct } from '../../../shop/products/products.ts';
import { readShop } from '../../../shop/shop.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.products;

/** A product as the contract shows it, with its tax rate as the shop has it now. */
function shown({ nameKey, createdAt, ...product }: ProductRow, rates: readonly TaxRate[]): Product {
  const found = rates.find(({ id }) => id === product.taxRateId);
  const tax = found === undefined ? null : { name: found.name, rate: found.rate };
  return { ...product, tax, needsTaxRate: product.taxRateId !== null && tax === null };
}

/** A till, and a key for some accounts, learn what to sell, and not how much of it the shop has sold. */
const toldTo = ({ till, narrowed }: OperatorContext, product: Product): Product =>
  till === undefined && narrowed?.accounts === undefined ? product : { ...product, sales: 0 };

const ratesOf = async (reader: Reader): Promise<readonly TaxRate[]> => (await readShop(reader)).profile.taxRates;

export const productsHandlers = os.router({
  list: os.list.handler(async ({ context, input: { assetCode, assetScale, ...wanted } }) => {
    const { database, narrowed } = context;
    // The order of the sales, and the place in it, would tell how much the whole shop sells.
    const order = narrowed?.accounts === undefined ? wanted.order : 'name';
    const asset = assetCode === undefined || assetScale === undefined ? undefined : { assetCode, assetScale };
    const { rows, nextCursor } = await listProducts(database, { ...wanted, order, asset });
    const rates = await ratesOf(database.read);
    return { items: rows.map((row) => toldTo(context, shown(row, rates))), nextCursor };
  }),
  byCode: os.byCode.handler(async ({ context, input: { code } }) => {
    const { database } = context;
    const found = await productByCode(database.read, code);
    return { product: found === undefined ? null : toldTo(context, shown(found, await ratesOf(database.read))) };
  }),
  add: os.add.handler(async ({ context: { database, clock }, input: { requestId, ...wanted }, errors }) => {
    const at = clock.now();
    const added = await database.write((tx) => addProduct(tx, requestId, wanted, at));
    if (added.ok) return shown(added.value, await ratesOf(database.read));
    if (added.error === 'too_many') throw errors.TOO_MANY_PRODUCTS();
    throw added.error === 'code_taken' ? errors.PRODUCT_CODE_TAKEN() : errors.NO_SUCH_TAX_RATE();
  }),
  change: os.change.handler(async ({ context: { database, clock }, input: { id, ...wanted }, errors }) => {
    const at = clock.now();
    const changed = await database.write((tx) => changeProduct(tx, id, wanted, at));
    if (changed.ok) return shown(changed.value, await ratesOf(database.read));
    if (changed.error === 'not_found') throw errors.NOT_FOUND();
    throw changed.error === 'code_taken' ? errors.PRODUCT_CODE_TAKEN() : errors.NO_SUCH_TAX_RATE();
  }),
  remove: os.remove.handler(async ({ context: { database, clock }, input: { id }, errors }) => {
    const at = clock.now();
    if (!(await database.write((tx) => removeProduct(tx, id, at)))) throw errors.NOT_FOUND();
    return { removed: true as const };
  }),
});
