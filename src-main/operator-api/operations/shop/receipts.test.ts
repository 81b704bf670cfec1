import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findIncomingPayment, receive } from '../../../payments/incoming/incoming-payments.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

/** A payment of 450 units that has come whole. @param client the app that asked for it; null for the shop */
async function sold({ context: { incomingPayments, database, clock } }: Desk, walletAddress: WalletAddress, client: string | null) {
  const made = await incomingPayments.create({
    ...{ walletAddress, client },
    incomingAmount: { value: 450n, assetCode: walletAddress.assetCode, assetScale: walletAddress.assetScale },
  });
  if (!made.ok) throw new Error(made.error);
  await database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, made.value.id);
    if (payment !== undefined) await receive(tx, payment, 450n, clock.now());
  });
  return made.value.id;
}

describe.each(Object.entries(TRANSPORTS))('receipts over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let close: () => Promise<void>;
  beforeEach(async () => {
    desk = openDesk();
    ({ client, close } = await connect(desk));
  });
  afterEach(async () => {
    await close();
    await desk.close();
  });

  it('are issued once, found again with their link, and every print after the first is known', async () => {
    const id = await sold(desk, await desk.account('shop', 0n), null);
    const of = { kind: 'sale' as const, id };
    await expect(client.receipts.get(of)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const issued = await client.receipts.issue(of);
    expect(issued).toMatchObject({ ...of, printed: 0, payers: [], content: { total: 450n, paid: 450n } });
    expect(issued.link).toMatch(/\/receipt\/[\w-]{32}$/);
    expect(await client.receipts.issue(of)).toEqual(issued);
    expect([(await client.receipts.print(of)).printed, (await client.receipts.print(of)).printed]).toEqual([1, 2]);
    expect(await client.receipts.get(of)).toEqual({ ...issued, printed: 2 });
  });

  it('are files with the logo of the shop, for the paper that is wanted', async () => {
    const { profile } = await client.shop.get();
    await client.shop.set({ ...profile, name: 'Books & Tea' });
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';
    await client.shop.setLogo({ data });
    const of = { kind: 'sale' as const, id: await sold(desk, await desk.account('shop', 0n), null) };
    await client.receipts.issue(of);
    const hasPicture = async () => Buffer.from((await client.receipts.pdf(of)).base64, 'base64').includes('/Subtype /Image');
    expect(await hasPicture()).toBe(true);
    await client.shop.removeLogo();
    expect(await hasPicture()).toBe(false);
    const roll = await client.receipts.pdf({ ...of, paper: 'roll58' });
    expect(Buffer.from(roll.base64, 'base64').includes('/MediaBox [0 0 164.41 ')).toBe(true);
  });

  it('are refused with a code that says why', async () => {
    const shop = await desk.account('shop', 0n);
    const { id } = await client.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 5n });
    await expect(client.receipts.issue({ kind: 'sale', id })).rejects.toMatchObject({ code: 'NOTHING_RECEIVED' });
    await expect(client.receipts.issue({ kind: 'refund', id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.receipts.print({ kind: 'sale', id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('a cashier gets the receipts of payment requests, without who paid, and no others; an accountant only reads', async () => {
  const desk = openDesk();
  const shop = await desk.account('shop', 0n);
  const [own, ofApp] = [await sold(desk, shop, null), await sold(desk, shop, 'https://app.example')];
  const as = (role: 'cashier' | 'accountant' | 'manager') => desk.callsAs({ role, isStillIn: async () => true }).receipts;
  expect(await as('cashier').issue({ kind: 'sale', id: own })).toMatchObject({ payers: null, content: { total: 450n } });
  await as('manager').issue({ kind: 'sale', id: ofApp });
  for (const call of ['issue', 'get', 'print'] as const)
    await expect(as('cashier')[call]({ kind: 'sale', id: ofApp })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(as('cashier').get({ kind: 'refund', id: own })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await as('accountant').get({ kind: 'sale', id: ofApp })).toMatchObject({ payers: [], content: { total: 450n } });
  for (const call of ['issue', 'print'] as const)
    await expect(as('accountant')[call]({ kind: 'sale', id: own })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await desk.close();
});
