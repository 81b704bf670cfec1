import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantSpendings } from '../../access/tables.ts';
import { openTestAccess } from '../../access/testing/access.ts';
import { issued } from '../../access/testing/flows.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { accountId, heldUnder, spendableIn, takeHeld, transfer } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { outgoingPayments } from '../tables.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import { endIfDone, fail, giveUp } from './endings.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
/** What the exchange account has in euros, and what the buyer has in dollars. */
const [FUNDS, PURSE] = [1_000n, 10_000n];

let testDatabase: TestDatabase;
let node: Payments;
let buyer: WalletAddress;
beforeEach(async () => {
  testDatabase = openTestDatabase();
  node = openPayments({ testDatabase });
  await node.worker.stop();
  buyer = await node.account('buyer', PURSE);
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

/** A payment of 1.00 USD. A receiver of euros gets 0.90 EUR. */
async function pay(asset = USD, grantId?: string): Promise<OutgoingPayment> {
  const made = await tryToPay(asset, grantId);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
async function tryToPay(asset: typeof USD, grantId?: string, debit = 100n) {
  const shop = await node.account('shop', 0n, asset.assetCode);
  if (asset === EUR) {
    await node.rates.set(rateOf('USD', 'EUR', '0.9', node.clock.now()));
    await node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset, amount: FUNDS, note: '' });
  }
  const incoming = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!incoming.ok) throw new Error(incoming.error);
  return await node.outgoingPayments.createFromIncomingPayment({
    walletAddress: buyer,
    right: grantId === undefined ? null : { client: 'https://app.example/', grantId, limits: undefined },
    incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}`,
    debitAmount: { value: debit, ...USD },
  });
}

/** Brings a payment forward as packets do, except that nobody gets the money. It does not take all at once. */
async function come(payment: OutgoingPayment, far: Partial<OutgoingPayment>): Promise<OutgoingPayment> {
  return await node.database.write(async (tx) => {
    const [payer, debit] = [accountId('customer', buyer.id), accountId('escrow', buyer.id)];
    const [credit, amount] = [accountId('external', 'USD/2'), far.sent ?? 0n];
    if ((await heldUnder(tx, payment.id))?.debit === payer) {
      await takeHeld(tx, payment.id);
      await transfer(tx, { kind: 'reservation', debit: payer, credit: debit, amount: payment.debitAmount, paymentId: payment.id, at: 0 });
    }
    if (amount > 0n) await transfer(tx, { kind: 'payment', debit, credit, amount, paymentId: payment.id, at: 0 });
    const [row] = await tx
      .update(outgoingPayments)
      .set({ state: 'sending', ...far })
      .where(eq(outgoingPayments.id, payment.id))
      .returning();
    if (row === undefined) throw new Error('the payment is gone');
    return row;
  });
}
const end = (payment: OutgoingPayment) => node.database.write((tx) => endIfDone(tx, payment, 1));
const stateOf = async ({ id }: OutgoingPayment) => {
  const row = await node.outgoingPayments.find(id);
  return row?.failure ?? row?.state;
};
const purse = () => spendableIn(node.database.read, accountId('customer', buyer.id));
const exchangeFunds = () => spendableIn(node.database.read, accountId('exchange', 'EUR/2'));

describe('a payment', () => {
  it.each([
    ['something of it is under way, even if all has arrived', { sent: 98n, held: 1n, delivered: 100n }],
    ['something of it is under way, even if nothing is left to send', { sent: 99n, held: 1n, delivered: 99n }],
    ['something is left to send', { sent: 99n, delivered: 99n }],
  ])('goes on while %s', async (_, far) => {
    const payment = await come(await pay(), far);
    await end(payment);
    expect([await stateOf(payment), await purse()]).toEqual(['sending', PURSE - 100n]);
  });

  it('is completed when all has arrived, and what that did not need goes back to the payer', async () => {
    const payment = await come(await pay(), { sent: 97n, delivered: 100n });
    await end(payment);
    expect([await stateOf(payment), await purse()]).toEqual(['completed', PURSE - 97n]);
  });

  it('has failed when all has left and less than was promised has arrived', async () => {
    const payment = await come(await pay(), { sent: 100n, delivered: 99n });
    await end(payment);
    expect([await stateOf(payment), await purse()]).toEqual(['rate_moved', PURSE - 100n]);
  });
});

describe('a payment that fails', () => {
  const failNow = (payment: OutgoingPayment) => node.database.write((tx) => fail(tx, payment, 'receiver_closed', 1));

  it('gives back what has not left', async () => {
    const payment = await come(await pay(), { sent: 40n, delivered: 40n });
    await failNow(payment);
    expect([await stateOf(payment), await purse()]).toEqual(['receiver_closed', PURSE - 40n]);
  });

  it('frees what the exchange account had set aside for its receiver', async () => {
    const payment = await pay(EUR);
    expect(await exchangeFunds()).toBe(FUNDS - 90n);
    await failNow(payment);
    expect(await exchangeFunds()).toBe(FUNDS);
  });

  it('gives nothing back while what is held for it is not what it has not spent', async () => {
    const payment = await pay();
    await expect(failNow({ ...payment, sent: 1n })).rejects.toThrow('what is held for a payment');
    expect([await stateOf(payment), await purse()]).toEqual(['funded', PURSE - 100n]);
  });

  it('gives nothing back while the fate of a part is not known', async () => {
    const payment = await come(await pay(), { sent: 40n, held: 1n, delivered: 40n });
    await expect(failNow(payment)).rejects.toThrow('not known');
    expect([await stateOf(payment), await purse()]).toEqual(['sending', PURSE - 100n]);
  });
});

describe('the budget of a grant', () => {
  const newGrant = async () => (await issued(openTestAccess({ clock: node.clock, testDatabase }))).grant.id;
  const payByGrant = async (asset = EUR) => await pay(asset, await newGrant());
  /** What the grant has used: what was debited, and what receivers got. */
  const used = async () => {
    const rows = await node.database.read.select().from(grantSpendings);
    return ['debit', 'receive'].map((kind) => rows.find((row) => row.kind === kind)?.spent);
  };

  it('gets back what a failed payment has not sent, and what its receiver has not got', async () => {
    const payment = await payByGrant();
    expect(await used()).toEqual([100n, 90n]);
    const sent = await come(payment, { sent: 40n, delivered: 50n });
    await node.database.write((tx) => fail(tx, sent, 'receiver_closed', 1));
    expect(await used()).toEqual([40n, 50n]);
  });

  it('counts what has left at the price of the payment when the receiver says that it got less', async () => {
    const payment = await come(await payByGrant(), { sent: 40n, delivered: 10n });
    await node.database.write((tx) => fail(tx, payment, 'receiver_closed', 1));
    // 60 of the 100 have not left. They would have brought 54 of the 90.
    expect(await used()).toEqual([40n, 36n]);
  });

  it('gets back no more than was counted when more has arrived than was promised', async () => {
    const payment = await come(await payByGrant(USD), { sent: 97n, delivered: 101n });
    await end(payment);
    expect(await used()).toEqual([97n, 100n]);
  });

  it('gets nothing back while the fate of a part is not known, and what has not left once it is', async () => {
    const payment = await come(await payByGrant(), { sent: 40n, held: 10n, delivered: 36n });
    expect(await giveUp(node.database, payment, 'receiver_closed', 1)).toBe(true);
    const settling = await node.outgoingPayments.find(payment.id);
    expect([settling?.state, await used(), await purse()]).toEqual(['settling', [100n, 90n], PURSE - 100n]);
    await giveUp(node.database, await come(payment, { state: 'settling', held: 0n }), 'receiver_closed', 1);
    expect([await stateOf(payment), await used(), await purse()]).toEqual(['receiver_closed', [40n, 36n], PURSE - 40n]);
  });

  it('is not used by a payment that is refused after it was counted', async () => {
    const grantId = await newGrant();
    expect(await tryToPay(USD, grantId, PURSE + 1n)).toEqual({ ok: false, error: { code: 'insufficient_balance' } });
    expect(await node.database.read.select().from(grantSpendings)).toEqual([]);
  });
});
