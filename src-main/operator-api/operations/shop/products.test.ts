import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { MOST_PRODUCTS } from '../../../../src-shared/shop/product-limits.ts';
import { EMPTY_PROFILE, type TaxRate } from '../../../../src-shared/shop/shop-profile.ts';
import { products } from '../../../shop/products/tables.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

let desk: Desk;
let client: Client;
let close: () => Promise<void>;
let shop: WalletAddress;
beforeEach(async () => {
  desk = openDesk();
  ({ client, close } = (await TRANSPORTS['a port']?.(desk)) ?? expect.fail('no transport'));
  shop = await desk.account('shop', 0n);
});
afterEach(async () => {
  await close();
  await desk.close();
});

type Wanted = Omit<Parameters<Client['products']['add']>[0], 'requestId'>;
const COFFEE: Wanted = {
  name: 'Coffee',
  price: 350n,
  assetCode: 'USD',
  assetScale: 2,
  taxRateId: null,
  code: '4006381333931',
  colour: 'teal',
};
const add = (more: Partial<Wanted> = {}) => client.products.add({ requestId: randomUUID(), ...COFFEE, code: null, ...more });
const names = async (wanted: Parameters<Client['products']['list']>[0]) =>
  (await client.products.list(wanted)).items.map(({ name }) => name);
const setRates = (taxRates: TaxRate[]) => client.shop.set({ ...EMPTY_PROFILE, taxRates, defaultTaxRate: taxRates[0]?.id ?? null });
const sell = (productIds: readonly string[], requestId = randomUUID()) =>
  client.requests.create({
    requestId,
    accountId: shop.id,
    madeAt: 'till',
    bill: {
      ...{ pricesIncludeTax: true, rounding: 'line', tip: 0n },
      lines: productIds.map((productId) => ({ text: 'Coffee', quantity: 1_000, unitPrice: 350n, tax: null, productId })),
    },
  });

describe('a product', () => {
  it('is added once however often the call is repeated, changed, and removed', async () => {
    const requestId = randomUUID();
    const added = await client.products.add({ requestId, ...COFFEE });
    expect(added).toEqual({ id: requestId, ...COFFEE, tax: null, needsTaxRate: false, sales: 0 });
    expect(await client.products.add({ requestId, ...COFFEE, name: 'Tea' })).toEqual(added);
    const changed = { ...COFFEE, name: 'Large coffee', price: 420n };
    expect(await client.products.change({ id: requestId, ...changed })).toEqual({ ...added, ...changed });
    expect(await names({})).toEqual(['Large coffee']);
    expect(await client.products.remove({ id: requestId })).toEqual({ removed: true });
    expect(await names({})).toEqual([]);
    await expect(client.products.remove({ id: requestId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.products.change({ id: requestId, ...changed })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has a code of its own, which is free again once it is removed', async () => {
    const { id } = await client.products.add({ requestId: randomUUID(), ...COFFEE });
    const other = await add({ name: 'Tea' });
    const taken = { code: 'PRODUCT_CODE_TAKEN' };
    await expect(add({ code: COFFEE.code })).rejects.toMatchObject(taken);
    await expect(client.products.change({ ...COFFEE, id: other.id })).rejects.toMatchObject(taken);
    await client.products.change({ ...COFFEE, id, price: 1n });
    await client.products.remove({ id });
    expect(await add({ code: COFFEE.code })).toMatchObject({ code: COFFEE.code });
  });

  test.each([
    ['as it is', ' Tea-7/b ', 'Tea-7/b'],
    ['a UPC-A that is scanned as an EAN-13', '036000291452', '0036000291452'],
    ['an EAN-13 that is scanned as a UPC-A', '0036000291452', '036000291452'],
  ])('is found by its code: %s', async (_, code, scanned) => {
    const { id } = await add({ code });
    expect((await client.products.byCode({ code: scanned })).product?.id).toBe(id);
    expect((await client.products.byCode({ code: `1${scanned}` })).product).toBeNull();
  });

  test.each([
    ['no name', { name: ' ' }],
    ['a name in two lines', { name: 'a\nb' }],
    ['nothing as its price', { price: 0n }],
    ['an empty code', { code: '' }],
    ['a code that is too long', { code: '1'.repeat(65) }],
  ])('is refused with %s', async (_, more) => {
    await expect(add(more)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is one of at most 5,000', async () => {
    const row = { ...COFFEE, nameKey: 'coffee', code: null, sales: 0, createdAt: 0 };
    await desk.database.write(async (tx) => {
      for (let n = 1; n < MOST_PRODUCTS; n += 500) {
        const many = Array.from({ length: Math.min(500, MOST_PRODUCTS - n) }, (_, nth) => ({ ...row, id: `${n + nth}` }));
        await tx.insert(products).values(many);
      }
    });
    await add();
    await expect(add()).rejects.toMatchObject({ code: 'TOO_MANY_PRODUCTS' });
  });
});

describe('the list of products', () => {
  it('is sorted by name, whatever its letters, and is read in parts', async () => {
    for (const name of ['éclair', 'Bread', 'apple', 'Zopf', 'bun']) await add({ name });
    const whole = await names({});
    expect(whole).toEqual(['apple', 'Bread', 'bun', 'Zopf', 'éclair']);
    const first = await client.products.list({ limit: 3 });
    expect(first.items.map(({ name }) => name)).toEqual(whole.slice(0, 3));
    const rest = await client.products.list({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([whole.slice(3), null]);
  });

  it('is searched by name and code, and narrowed to a currency', async () => {
    await add({ name: 'Éclair', code: 'AB-12' });
    await add({ name: 'Bread', assetCode: 'EUR' });
    expect(await names({ text: ' éCL' })).toEqual(['Éclair']);
    expect(await names({ text: 'b-1' })).toEqual(['Éclair']);
    expect(await names({ text: '%' })).toEqual([]);
    expect(await names({ assetCode: 'EUR', assetScale: 2 })).toEqual(['Bread']);
    expect(await names({ assetCode: 'EUR', assetScale: 3 })).toEqual([]);
  });
});

describe('a sale', () => {
  it('is counted with its products once, and the most sold stand first', async () => {
    const [tea, coffee] = [await add({ name: 'Tea' }), await add()];
    const requestId = randomUUID();
    await sell([coffee.id, coffee.id], requestId);
    await sell([coffee.id, coffee.id], requestId);
    await sell([coffee.id, tea.id, randomUUID()]);
    const { items } = await client.products.list({ order: 'sales', assetCode: 'USD', assetScale: 2 });
    expect(items.map(({ name, sales }) => [name, sales])).toEqual([
      ['Coffee', 2],
      ['Tea', 1],
    ]);
  });

  it('keeps its words and prices when the product is changed or removed', async () => {
    const { id } = await add();
    const sale = await sell([id]);
    const before = await client.requests.bill({ id: sale.id });
    await client.products.change({ ...COFFEE, id, name: 'Tea', price: 1n });
    expect(await client.requests.bill({ id: sale.id })).toEqual(before);
    await client.products.remove({ id });
    expect(await client.requests.bill({ id: sale.id })).toEqual(before);
    expect(before.bill?.lines).toMatchObject([{ text: 'Coffee', unitPrice: 350n }]);
  });
});

describe('the tax rate of a product', () => {
  const FULL = { id: 'full', name: 'Standard', rate: 19_000 };
  const LOW = { id: 'low', name: 'Reduced', rate: 7_000 };

  it('is one of the shop', async () => {
    await setRates([FULL, LOW]);
    expect(await add({ taxRateId: 'low' })).toMatchObject({ tax: { name: 'Reduced', rate: 7_000 }, needsTaxRate: false });
    await expect(add({ taxRateId: 'none' })).rejects.toMatchObject({ code: 'NO_SUCH_TAX_RATE' });
  });

  test.each([
    ['another height', { id: 'new', name: 'Standard', rate: 20_000 }],
    ['another name', { id: 'new', name: 'Usual', rate: 19_000 }],
  ])('goes with a rate that gets %s', async (_, next) => {
    await setRates([FULL, LOW]);
    const { id } = await add({ taxRateId: 'full', code: 'x' });
    await add({ name: 'Tea', taxRateId: 'low' });
    await setRates([LOW, next]);
    const { product } = await client.products.byCode({ code: 'x' });
    expect(product).toMatchObject({ id, taxRateId: 'new', tax: { name: next.name, rate: next.rate } });
    expect((await client.products.list({ text: 'tea' })).items).toMatchObject([{ taxRateId: 'low' }]);
  });

  it('is missed, and not forgotten, when the shop gives it up', async () => {
    await setRates([FULL, LOW]);
    await add({ taxRateId: 'low', code: 'x' });
    await setRates([FULL]);
    expect((await client.products.byCode({ code: 'x' })).product).toMatchObject({ taxRateId: 'low', tax: null, needsTaxRate: true });
  });
});

describe('tips', () => {
  it('are off until the shop offers three of them', async () => {
    expect(await client.settings.till()).toEqual({ lapseMinutes: 10, tipPercents: null });
    await client.settings.setTips({ percents: [5, 10, 15] });
    expect(await client.settings.till()).toEqual({ lapseMinutes: 10, tipPercents: [5, 10, 15] });
    for (const percents of [
      [5, 10],
      [5, 5, 10],
      [0, 1, 2],
      [1, 2, 101],
      [1.5, 2, 3],
    ])
      await expect(client.settings.setTips({ percents })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await client.settings.setTips({ percents: null });
    expect(await client.settings.till()).toMatchObject({ tipPercents: null });
  });
});
