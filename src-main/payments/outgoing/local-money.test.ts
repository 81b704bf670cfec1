import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rateOf } from '../../exchange/testing/rates.ts';
import type { LocalPacket } from '../../ilp/packets.ts';
import { accountId, spendableIn } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { outgoingPayments, packets } from '../tables.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import { createLocalAcceptance } from './local-money.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
const STOPPED = { ok: false, error: 'sender_stopped' };
const TAKEN = { ok: true, value: undefined };

let node: Payments;
let buyer: WalletAddress;
let shop: WalletAddress;
beforeEach(async () => {
  node = openPayments();
  await node.worker.stop();
  buyer = await node.account('buyer', 1_000n);
  shop = await node.account('shop', 0n, 'EUR');
  await node.rates.set(rateOf('USD', 'EUR', '0.7', node.clock.now()));
  await node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 1_000n, note: '' });
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

/** A payment of 1.00 USD to a receiver of 0.70 EUR. An attempt has begun to send it. */
async function pay(): Promise<OutgoingPayment> {
  const incoming = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!incoming.ok) throw new Error(incoming.error);
  const incomingPayment = `${ORIGIN}/incoming-payments/${incoming.value.id}`;
  const debitAmount = { value: 100n, ...USD };
  const made = await node.outgoingPayments.createFromIncomingPayment({ walletAddress: buyer, right: null, incomingPayment, debitAmount });
  if (!made.ok) throw new Error(made.error.code);
  await change(made.value, { state: 'sending', attempt: 1 });
  return made.value;
}
const change = ({ id }: OutgoingPayment, changes: Partial<OutgoingPayment>) =>
  node.database.write((tx) => tx.update(outgoingPayments).set(changes).where(eq(outgoingPayments.id, id)));
const packet = (payment: OutgoingPayment, sourceAmount: bigint, amount: bigint): LocalPacket => ({
  ...{ condition: randomBytes(32), sourceAmount, sourceAsset: USD, amount, asset: EUR },
  incomingPaymentId: payment.receiverId ?? '',
  sender: { outgoingPaymentId: payment.id, attempt: 1 },
});
const send = (one: LocalPacket) => createLocalAcceptance({ database: node.database, clock: node.clock })(one);
const read = ({ id }: OutgoingPayment) => node.outgoingPayments.find(id);
const got = () => spendableIn(node.database.read, accountId('customer', shop.id));

it('each packet brings a payment forward by what it carries, and the last one completes it', async () => {
  const payment = await pay();
  expect(await send(packet(payment, 30n, 21n))).toEqual(TAKEN);
  expect(await read(payment)).toMatchObject({ state: 'sending', sent: 30n, delivered: 21n, packets: 1 });
  expect(await send(packet(payment, 70n, 49n))).toEqual(TAKEN);
  expect(await read(payment)).toMatchObject({ state: 'completed', sent: 100n, delivered: 70n, packets: 2 });
  expect(await got()).toBe(70n);
});

it('a packet takes nothing from another payment that is sent at the same time', async () => {
  const [payment, other] = [await pay(), await pay()];
  expect(await send(packet(payment, 30n, 21n))).toEqual(TAKEN);
  expect([await read(payment), await read(other)]).toMatchObject([{ sent: 30n }, { state: 'sending', sent: 0n, delivered: 0n }]);
});

it.each([
  ['of an attempt that is over', { attempt: 2 }, 30n, 21n],
  ['of a payment that lets no packet leave any more', { state: 'settling' }, 30n, 21n],
  ['of a payment that waits for its next attempt', { state: 'retrying' }, 30n, 21n],
  ['that carries more than is left to pay', { attempt: 1 }, 101n, 70n],
] as const)('a packet %s moves nothing', async (_, changes, sourceAmount, amount) => {
  const payment = await pay();
  await change(payment, changes);
  expect(await send(packet(payment, sourceAmount, amount))).toEqual(STOPPED);
  expect(await read(payment)).toMatchObject({ sent: 0n, delivered: 0n, packets: 0 });
  expect([await got(), await node.database.read.select().from(packets)]).toEqual([0n, []]);
});

it.each([
  [30n, 20n],
  [30n, 22n],
  [1n, 1n],
])('a packet of %s that brings %s is not at the price of its payment, and moves nothing', async (sourceAmount, amount) => {
  const payment = await pay();
  await expect(send(packet(payment, sourceAmount, amount))).rejects.toThrow('not converted at the price');
  expect([(await read(payment))?.sent, await got()]).toEqual([0n, 0n]);
});

it('what packets lose by rounding is brought by the next one', async () => {
  const payment = await pay();
  for (const [sourceAmount, amount] of [
    [1n, 0n],
    [1n, 1n],
    [1n, 1n],
    [97n, 68n],
  ] as const)
    expect(await send(packet(payment, sourceAmount, amount))).toEqual(TAKEN);
  expect(await got()).toBe(70n);
});
