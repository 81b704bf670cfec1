import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import { accountId, spendableIn } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { type AcceptPeerPacket, lastBroughtAt, type PeerPacket } from '../../peers/received-packets.ts';
import { peers } from '../../peers/tables.ts';
import { newPeer, openTestPeers } from '../../peers/testing/peers.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { incomingPayments } from '../tables.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { createPeerAcceptance } from './peer-money.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const OVER = { ok: false, error: 'over_amount' };
const TAKEN = { ok: true, value: { isNew: true } };

let node: Payments;
let shop: WalletAddress;
let accept: AcceptPeerPacket;
let from: Pick<PeerPacket, 'peerId' | 'tokenHash'>;
beforeEach(async () => {
  node = openPayments();
  shop = await node.account('shop', 0n);
  accept = createPeerAcceptance(node);
  const id = randomUUID();
  await openTestPeers(node).registry.add(newPeer({ id, creditLimit: MAX_MOVED }));
  const [row] = await node.database.read.select().from(peers);
  from = { peerId: id, tokenHash: row?.incomingTokenHash ?? '' };
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

async function invoice(asked: bigint | undefined): Promise<string> {
  const incomingAmount = asked === undefined ? undefined : { value: asked, ...USD };
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}
const bring = (incomingPaymentId: string, amount: bigint) =>
  accept({
    ...{ ...from, formerPeerIds: [], incomingPaymentId, sourceAmount: amount, sourceAsset: USD, amount, asset: USD },
    ...{ condition: randomBytes(32).toString('base64url'), expiresAt: node.clock.now() + 1_000, reply: Buffer.from('fulfil') },
  });
/** What the payment has received, what the shop has, what the node kept, and what the peer owes. */
async function books(id: string) {
  const payment = await node.incomingPayments.find(id);
  const accounts = [accountId('customer', shop.id), accountId('exchange', 'USD/2'), accountId('peer', from.peerId)];
  return [payment?.received, ...(await Promise.all(accounts.map((account) => spendableIn(node.database.read, account))))];
}

it('a packet brings all that it carries to a payment that asks for more', async () => {
  const id = await invoice(100n);
  expect(await bring(id, 30n)).toMatchObject(TAKEN);
  expect(await books(id)).toEqual([30n, 30n, 0n, -30n]);
  expect(await node.incomingPayments.find(id)).toMatchObject({ completed: false });
});

it.each([
  [50n, 20n, 31n],
  [100n, 40n, 61n],
  [1_000n, 400n, 610n],
])('a payment of %s that has got %s takes a last packet of at most %s, and the node keeps the excess', async (asked, first, most) => {
  const id = await invoice(asked);
  expect(await bring(id, first)).toMatchObject(TAKEN);
  expect(await bring(id, most + 1n)).toEqual(OVER);
  expect(await books(id)).toEqual([first, first, 0n, -first]);
  expect(await bring(id, most)).toMatchObject(TAKEN);
  expect(await books(id)).toEqual([asked, asked, first + most - asked, -first - most]);
  expect(await node.incomingPayments.find(id)).toMatchObject({ completed: true });
});

it.each([
  ['that asks for no amount', undefined],
  ['that asks for more than can move', 2n ** 64n - 1n],
])('a payment %s takes no more than can be counted as received', async (_, asked) => {
  const id = await invoice(asked);
  await node.database.write((tx) =>
    tx
      .update(incomingPayments)
      .set({ received: MAX_MOVED - 5n })
      .where(eq(incomingPayments.id, id)),
  );
  expect(await bring(id, 6n)).toEqual(OVER);
  expect(await bring(id, 5n)).toMatchObject(TAKEN);
  expect(await books(id)).toEqual([MAX_MOVED, 5n, 0n, -5n]);
});

it('a packet that brings money notes when, at most once a minute', async () => {
  const id = await invoice(undefined);
  const last = () => lastBroughtAt(node.database.read);
  expect(await last()).toBeNull();
  const first = node.clock.now();
  await bring(id, 1n);
  expect(await last()).toBe(first);
  node.clock.advance(59_999);
  await bring(id, 1n);
  expect(await last()).toBe(first);
  node.clock.advance(1);
  await bring(id, 1n);
  expect(await last()).toBe(first + 60_000);
});
