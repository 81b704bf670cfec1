import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { createPeerAcceptance } from '../payments/incoming/peer-money.ts';
import { incomingPayments, outgoingPayments } from '../payments/tables.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { AcceptPeerPacket, PeerPacket } from '../peers/received-packets.ts';
import { peers, receivedPackets } from '../peers/tables.ts';
import { newPeer, openTestPeers } from '../peers/testing/peers.ts';
import { archiveFiles } from '../platform/archive/tables.ts';
import type { Tx } from '../platform/database/database.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { findingsIn } from './testing/findings-in.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };

let node: Payments;
let [buyer, shop]: WalletAddress[] = [];
let accept: AcceptPeerPacket;
let from: Pick<PeerPacket, 'peerId' | 'tokenHash'>;
beforeEach(async () => {
  node = openPayments();
  buyer = await node.account('buyer', 10_000n);
  shop = await node.account('shop', 0n);
  accept = createPeerAcceptance(node);
  const id = randomUUID();
  await openTestPeers(node).registry.add(newPeer({ id, creditLimit: MAX_MOVED }));
  const [row] = await node.database.read.select().from(peers);
  from = { peerId: id, tokenHash: row?.incomingTokenHash ?? '' };
});
afterEach(() => node.close());

const found = () => findingsIn(node.database);
const tamper = (change: (tx: Tx) => Promise<unknown>) => node.database.write(async (tx) => void (await change(tx)));

async function invoice(value: bigint, asset = USD): Promise<string> {
  const made = await node.incomingPayments.create({
    walletAddress: shop as WalletAddress,
    client: null,
    incomingAmount: { value, ...asset },
  });
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}

/** Lets a peer bring money. @returns the condition of its packet. */
async function brought(incomingPaymentId: string, amount: bigint, worth: Partial<PeerPacket> = {}): Promise<string> {
  const condition = randomBytes(32).toString('base64url');
  const taken = await accept({
    ...{ ...from, formerPeerIds: [], incomingPaymentId, sourceAmount: amount, sourceAsset: USD, amount, asset: USD, condition },
    ...{ expiresAt: node.clock.now() + 1_000, reply: Buffer.from('fulfil'), ...worth },
  });
  expect(taken.ok).toBe(true);
  return condition;
}

/** Pays a payment request from an account of this node. @returns the id of the outgoing payment. */
async function paidHere(id: string, value: bigint): Promise<string> {
  const made = await node.outgoingPayments.createFromIncomingPayment({
    ...{ walletAddress: buyer as WalletAddress, right: null, incomingPayment: node.urls.incomingPayment(id) },
    debitAmount: { value, ...USD },
  });
  if (!made.ok) throw new Error(made.error.code);
  await node.worker.start();
  return (await node.finished(made.value.id)).id;
}

describe('the audit compares what came in with what brought it, and', () => {
  it('finds nothing in whole books, also when the last packet carries more than was asked for', async () => {
    const id = await invoice(1_000n);
    await paidHere(id, 300n);
    await brought(id, 200n);
    await brought(id, 505n);
    expect(await node.incomingPayments.find(id)).toMatchObject({ received: 1_000n, completed: true });
    expect(await found()).toEqual([]);
  });

  it('finds a payment that has got more than it asked for, beyond what version 0.1.0 took', async () => {
    const id = await invoice(1_000n);
    await brought(id, 1_000n);
    await tamper((tx) => tx.update(incomingPayments).set({ incomingAmount: 991n }));
    expect(await found()).toEqual([]);
    await tamper((tx) => tx.update(incomingPayments).set({ incomingAmount: 990n }));
    expect(await found()).toEqual([`payment ${shop?.id}`]);
  });

  it('finds that the packet of a peer is gone, which would be taken again', async () => {
    const id = await invoice(1_000n);
    const [first] = [await brought(id, 100n), await brought(id, 200n)];
    await tamper((tx) => tx.delete(receivedPackets).where(eq(receivedPackets.condition, first)));
    expect(await found()).toEqual([`payment ${shop?.id}`]);
  });

  it('takes packets that are in the archive for no damage, but more than was moved', async () => {
    const id = await invoice(1_000n);
    const [first, second] = [await brought(id, 100n), await brought(id, 200n)];
    const file = { id: 'x', month: '2026-01', key: 'k', bytes: 0, hash: 'h', rows: 0, closed: false };
    await tamper(async (tx) => {
      await tx.insert(archiveFiles).values(file);
      await tx.delete(receivedPackets).where(eq(receivedPackets.condition, first));
    });
    expect(await found()).toEqual([]);
    await tamper((tx) => tx.update(receivedPackets).set({ sourceAmount: 301n }).where(eq(receivedPackets.condition, second)));
    expect(await found()).toEqual([`payment ${shop?.id}`]);
  });

  it('finds that a payment is gone which had ended, whoever had brought it', async () => {
    const id = await paidHere(await invoice(300n), 300n);
    const remote = await invoice(200n);
    await brought(remote, 200n);
    expect(await found()).toEqual([]);
    await tamper((tx) => tx.delete(incomingPayments).where(eq(incomingPayments.id, remote)));
    expect(await found()).toEqual([`payment_missing ${shop?.id}`]);
    await tamper((tx) => tx.delete(outgoingPayments).where(eq(outgoingPayments.id, id)));
    expect(await found()).toEqual([`payment ${shop?.id}`, ...[buyer?.id, shop?.id].map((owner) => `payment_missing ${owner}`).toSorted()]);
  });

  it('finds nothing when a request is removed that only a packet worth less than a unit had reached', async () => {
    shop = await node.account('café', 0n, 'EUR');
    const id = await invoice(200n, EUR);
    await brought(id, 1n, { asset: EUR, amount: 0n });
    expect(await found()).toEqual([]);
    await tamper(async (tx) => {
      await tx.delete(receivedPackets);
      await tx.delete(incomingPayments);
    });
    expect(await found()).toEqual([]);
  });
});
