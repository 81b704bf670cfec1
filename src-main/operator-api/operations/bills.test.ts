import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import { keepBill } from '../../payments/bills/bills.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

type NewBill = NonNullable<Parameters<Client['requests']['create']>[0]['bill']>;

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

const VAT = { name: 'VAT', rate: 19_000 };
const BILL: NewBill = {
  ...{ pricesIncludeTax: true, rounding: 'line', tip: 100n },
  lines: [
    { text: ' Two books ', quantity: 2_000, unitPrice: 1_190n, tax: VAT },
    { text: 'Paper bag', quantity: 1_000, unitPrice: 20n, tax: null },
  ],
};
const ask = (more: Partial<Parameters<Client['requests']['create']>[0]>) =>
  client.requests.create({ requestId: randomUUID(), accountId: shop.id, ...more });
const stored = async () => [await desk.test.look('select id from bills'), await desk.test.look('select text from bill_lines')].flat();

describe('a request with a bill', () => {
  it('charges what the node counts, and keeps what was sold', async () => {
    const { id, amount } = await ask({ bill: BILL, dueAt: new Date(Date.UTC(2026, 1, 1)) });
    expect(amount?.value).toBe(2_500n);
    const { bill } = await client.requests.bill({ id });
    expect(bill).toEqual({
      ...{ pricesIncludeTax: true, rounding: 'line', assetCode: 'USD', assetScale: 2 },
      lines: [
        { text: 'Two books', quantity: 2_000, unitPrice: 1_190n, tax: VAT, amount: 2_380n, net: 2_000n, taxAmount: 380n },
        { text: 'Paper bag', quantity: 1_000, unitPrice: 20n, tax: null, amount: 20n, net: 20n, taxAmount: 0n },
      ],
      rates: [{ ...VAT, net: 2_000n, taxAmount: 380n }],
      ...{ net: 2_020n, taxAmount: 380n, tip: 100n, total: 2_500n },
    });
    expect(await client.requests.get({ id })).toMatchObject({ dueAt: new Date(Date.UTC(2026, 1, 1)) });
  });

  it('has its tax and its tip in the export, and another payment has neither', async () => {
    await ask({ bill: BILL });
    // Payments of the same millisecond are listed by chance.
    desk.clock.advance(1);
    await ask({ amount: 5n });
    let csv = '';
    for await (const part of await client.payments.export({})) csv += part.csv;
    const [head = '', plain = '', billed = ''] = csv.split('\r\n');
    expect(head).toMatch(/"tax","tip","till"$/);
    expect(plain).toMatch(/"","",""$/);
    expect(billed).toMatch(/"3\.80","1\.00",""$/);
  });

  it('is made once when it is asked for again', async () => {
    const requestId = randomUUID();
    const made = await Promise.all([1, 2, 3].map(() => ask({ requestId, amount: 2_500n, bill: BILL })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await stored()).toHaveLength(3);
  });

  it.each<[string, bigint | undefined, Partial<NewBill>, string]>([
    ['the caller counts another sum', 2_501n, {}, 'BILL_DIFFERS'],
    ['it comes to nothing', undefined, { lines: [], tip: 0n }, 'INVALID_BILL'],
    ['it comes to more than can move', undefined, { tip: MAX_MOVED }, 'INVALID_BILL'],
    ['a price is below zero', undefined, { lines: [{ text: '', quantity: 1_000, unitPrice: -1n, tax: null }] }, 'BAD_REQUEST'],
    ['a quantity is zero', undefined, { lines: [{ text: '', quantity: 0, unitPrice: 1n, tax: null }] }, 'BAD_REQUEST'],
  ])('is refused and leaves nothing when %s', async (_, amount, changed, code) => {
    await expect(ask({ ...(amount !== undefined && { amount }), bill: { ...BILL, ...changed } })).rejects.toMatchObject({ code });
    expect(await stored()).toEqual([]);
    expect(await desk.test.look('select id from incoming_payments')).toEqual([]);
  });

  it('is not stored by a write whose payment has another amount', async () => {
    const { id } = await ask({ amount: 2_500n });
    await expect(desk.context.database.write((tx) => keepBill(tx, id, BILL, 2_499n))).rejects.toThrow('does not come to');
    expect(await stored()).toEqual([]);
  });
});

it('a plain amount has no bill, and what is not there is not found', async () => {
  const { id, dueAt } = await ask({ amount: 5n });
  expect([await client.requests.bill({ id }), dueAt]).toEqual([{ bill: null }, null]);
  await expect(client.requests.bill({ id: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
