import { and, count, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import { codesLike } from '../../../src-shared/shop/product.ts';
import { MOST_PRODUCTS } from '../../../src-shared/shop/product-limits.ts';
import type { TaxRate } from '../../../src-shared/shop/shop-profile.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { following, type ListOrder, type ListPart, listPart, sorting } from '../../platform/database/list-order.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { readShop } from '../shop.ts';
import { products } from './tables.ts';

export type ProductRow = typeof products.$inferSelect;

/** The words and numbers that the shop's people give a product. */
type WantedProduct = Pick<ProductRow, 'name' | 'price' | 'assetCode' | 'assetScale' | 'taxRateId' | 'code' | 'colour'>;

/** The reason why a product is not stored. */
type ProductFault = 'code_taken' | 'no_such_tax_rate';

const { id, nameKey, sales } = products;
const ORDERS: Record<'name' | 'sales', ListOrder<ProductRow>> = {
  name: { id, key: nameKey, keyOf: (row) => row.nameKey, of: 'texts', ascends: true },
  // A count is an integer without a sign, as a time is.
  sales: { id, key: sales, keyOf: (row) => row.sales, of: 'times', ascends: false },
};

interface ProductList {
  text?: string | undefined;
  asset?: Asset | undefined;
  order: 'name' | 'sales';
  cursor?: string | undefined;
  limit: number;
}

/** Lists products by name, or those in the most sales first. A search runs beside the main thread. */
export async function listProducts(
  { read, readAside }: Pick<Database, 'read' | 'readAside'>,
  { text = '', asset, order, cursor, limit }: ProductList,
): Promise<ListPart<ProductRow>> {
  const needle = text.trim().toLowerCase();
  const found = await (needle === '' ? read : readAside)
    .select()
    .from(products)
    .where(and(following(ORDERS[order], cursor), asset && inAsset(asset), needle === '' ? undefined : named(needle)))
    .orderBy(...sorting(ORDERS[order]))
    .limit(limit + 1);
  return listPart(found, limit, ORDERS[order]);
}

const inAsset = ({ assetCode, assetScale }: Asset): SQL | undefined =>
  and(eq(products.assetCode, assetCode), eq(products.assetScale, assetScale));

const named = (needle: string): SQL | undefined =>
  or(contains(nameKey, needle), contains(sql`lower(coalesce(${products.code}, ''))`, needle));

/** The product with the code that a scanner types. One with exactly this code comes before one with the same number. */
export async function productByCode(reader: Reader, code: string): Promise<ProductRow | undefined> {
  const found = await reader
    .select()
    .from(products)
    .where(inArray(products.code, codesLike(code)));
  return found.find((row) => row.code === code) ?? found[0];
}

/**
 * Adds a product.
 * @param wantedId the id of the intention: a repeated call finds the product that has it.
 * @param at milliseconds since the Unix epoch.
 */
export async function addProduct(
  tx: Tx,
  wantedId: string,
  wanted: WantedProduct,
  at: number,
): Promise<Result<ProductRow, ProductFault | 'too_many'>> {
  const [same] = await tx.select().from(products).where(eq(id, wantedId));
  if (same !== undefined) return ok(same);
  const [row] = await tx.select({ there: count() }).from(products);
  if ((row?.there ?? 0) >= MOST_PRODUCTS) return refuse('too_many');
  const fault = await faultOf(tx, wantedId, wanted);
  if (fault !== undefined) return refuse(fault);
  const product = { id: wantedId, ...wanted, nameKey: wanted.name.toLowerCase(), sales: 0, createdAt: at };
  await tx.insert(products).values(product);
  await tell(tx, 'product.added', product, at);
  return ok(product);
}

/** Changes a product. Earlier sales keep their own words, prices and rates. */
export async function changeProduct(
  tx: Tx,
  productId: string,
  wanted: WantedProduct,
  at: number,
): Promise<Result<ProductRow, ProductFault | 'not_found'>> {
  const fault = await faultOf(tx, productId, wanted);
  if (fault !== undefined) return refuse(fault);
  const [changed] = await tx
    .update(products)
    .set({ ...wanted, nameKey: wanted.name.toLowerCase() })
    .where(eq(id, productId))
    .returning();
  if (changed === undefined) return refuse('not_found');
  await tell(tx, 'product.changed', changed, at);
  return ok(changed);
}

/** @returns whether the product was there. */
export async function removeProduct(tx: Tx, productId: string, at: number): Promise<boolean> {
  const [gone] = await tx.delete(products).where(eq(id, productId)).returning();
  if (gone === undefined) return false;
  await tell(tx, 'product.removed', gone, at);
  return true;
}

async function faultOf(tx: Tx, productId: string, { code, taxRateId }: WantedProduct): Promise<ProductFault | undefined> {
  if (code !== null) {
    const [other] = await tx
      .select({ id })
      .from(products)
      .where(and(eq(products.code, code), ne(id, productId)));
    if (other !== undefined) return 'code_taken';
  }
  const { taxRates } = (await readShop(tx)).profile;
  return taxRateId === null || taxRates.some((rate) => rate.id === taxRateId) ? undefined : 'no_such_tax_rate';
}

const tell = (tx: Tx, type: 'product.added' | 'product.changed' | 'product.removed', product: ProductRow, at: number) => {
  const { name, price, assetCode, assetScale } = product;
  const body = { name, amount: price.toString(), assetCode, assetScale: String(assetScale) };
  return appendEvent(tx, { type, subject: product.id, body, at });
};

/** Counts a sale with these products, in the write that makes it. It leaves out products that are gone. */
export async function countSale(tx: Tx, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return;
  const ids = [...new Set(productIds)];
  await tx
    .update(products)
    .set({ sales: sql`${sales} + 1` })
    .where(inArray(id, ids));
}

/**
 * Gives products whose tax rate goes away another one, in the write that changes the shop's rates: the new rate with
 * the same name, or else the one of the same height. Where there is none, the product keeps the id of the rate that is
 * gone, and waits for somebody to choose another.
 */
export async function followTaxRates(tx: Tx, before: readonly TaxRate[], after: readonly TaxRate[]): Promise<void> {
  for (const gone of before) {
    if (after.some((rate) => rate.id === gone.id)) continue;
    const next = after.find(({ name }) => name === gone.name) ?? after.find(({ rate }) => rate === gone.rate);
    if (next === undefined) continue;
    await tx.update(products).set({ taxRateId: next.id }).where(eq(products.taxRateId, gone.id));
  }
}
