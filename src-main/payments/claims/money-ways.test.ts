import { afterEach, beforeEach, expect, it } from 'vitest';
import { transfer } from '../../ledger/ledger.ts';
import { peers } from '../../peers/tables.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, receive } from '../incoming/incoming-payments.ts';
import { EUR, PEER, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { cameFrom, peerTo } from './money-ways.ts';

const peer = { creditLimit: 1_000_000n };
const HERE = 'test.elsewhere';

let worlds: TwoWorlds;
let shop: WalletAddress;
let paymentId: string;
beforeEach(async () => {
  worlds = await TwoWorlds.open({ quiet: true, peer: { ...peer, ilpAddress: HERE } });
  shop = await worlds.node.account('shop', 0n);
  const made = await worlds.node.incomingPayments.create({ walletAddress: shop, client: null });
  paymentId = made.ok ? made.value.id : '';
});
afterEach(() => worlds.close());

/** Money comes from a ledger account, and a part of it, or all, reaches the payment. */
const comes = (debit: string, amount: bigint, credit = `customer:${shop.id}`) =>
  worlds.node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, paymentId);
    if (payment === undefined) return;
    const at = worlds.clock.now();
    expect((await transfer(tx, { kind: 'payment', paymentId, debit, credit, amount, at })).ok).toBe(true);
    if (credit.startsWith('customer:')) await receive(tx, payment, amount, at);
  });
async function came(address: string): Promise<bigint> {
  const { read } = worlds.node.database;
  const payment = await findIncomingPayment(read, paymentId);
  return payment === undefined ? -1n : await cameFrom(read, payment, address);
}

it('money came from the peer that the ledger names, and from no other', async () => {
  await worlds.beside('evil', { peer });
  expect(await came(HERE)).toBe(0n);
  await comes(`peer:${PEER}`, 700n);
  expect([await came(HERE), await came('test.evil'), await came(`${HERE}.ann`), await came('')]).toEqual([700n, 0n, 0n, 0n]);
  expect([USD, EUR].map((asset) => peerTo(worlds.wing.directory, `${HERE}.ann`, [asset]))).toEqual([HERE, HERE]);
  expect(peerTo(worlds.wing.directory, 'nowhere.ann', [USD])).toBeUndefined();
});

it('of several peers each brought what the ledger says, and what was exchanged is known of none', async () => {
  await worlds.beside('evil', { peer });
  const evil = (await worlds.node.database.read.select().from(peers)).find(({ ilpAddress }) => ilpAddress === 'test.evil');
  await comes(`peer:${PEER}`, 700n);
  await comes(`peer:${evil?.id}`, 300n);
  expect([await came(HERE), await came('test.evil')]).toEqual([700n, 300n]);
  // A part of what the peer sent went to the exchange account, and is not the payment's.
  await comes(`peer:${PEER}`, 5n, 'exchange:USD/2');
  expect(await came(HERE)).toBe(700n);
});

it('what came from accounts of this node came from no peer', async () => {
  const buyer = await worlds.node.walletAddresses.byId(worlds.buyerId);
  const payment = await worlds.pay(worlds.node.urls.incomingPayment(paymentId), 400n);
  await worlds.finished(payment.id);
  await comes(`peer:${PEER}`, 100n);
  expect(buyer).toBeDefined();
  expect(await came(HERE)).toBe(100n);
});
