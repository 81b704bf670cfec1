import { randomUUID } from 'node:crypto';
import { deserializeIlpReply, isFulfill } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { craft } from '../ilp/testing/network.ts';
import { accountId, spendableIn } from '../ledger/ledger.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import type { KnownPeer } from '../peers/peer-directory.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { NotStored } from '../platform/database/database.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
let peer: KnownPeer;
let to: { ilpAddress: string; sharedSecret: Buffer };
beforeEach(async () => {
  node = await openTestNode();
  const { rates, exchangeAccounts, incomingPayments, credentials, peers } = node.payments;
  const now = node.clock.now();
  await rates.set({ base: 'USD', quote: 'EUR', rate: '0.5', spreadBps: 0, source: 'test', asOf: now, maxAgeSeconds: 3_600 });
  const asset = { assetCode: 'EUR', assetScale: 2 };
  await exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset, amount: 1_000n, note: '' });
  const id = randomUUID();
  await peers.operator.registry.add(newPeer({ id, creditLimit: 1_000n }));
  const known = peers.directory.byId(id);
  const made = await incomingPayments.create({ walletAddress: node.accounts.bob, client: null });
  if (!made.ok || known === undefined) throw new Error('there is nobody to pay');
  peer = known;
  to = await credentials(made.value.id, asset);
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

/** A packet of one cent. It is worth half a cent to its receiver. */
const unit = () =>
  craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '1', changes: { expiresAt: new Date(node.clock.now() + 30_000) } });
const hand = (packet: Buffer) => node.payments.peers.packets.handle(packet, peer);
const isTaken = async (packet: Buffer): Promise<boolean> => isFulfill(deserializeIlpReply(await hand(packet)));
const books = async () => [
  await spendableIn(node.database.read, accountId('customer', node.accounts.bob.id)),
  await spendableIn(node.database.read, accountId('peer', peer.id)),
];

describe('packets of a peer that bring half a unit each', () => {
  it('bring no more and no less when copies come between them', async () => {
    for (let i = 0; i < 9; i += 1) {
      const packet = await unit();
      // Each packet has an odd number of copies. If the node counted the copies, it would round every packet alike.
      for (let copy = 0; copy < 2; copy += 1) expect(await isTaken(packet)).toBe(true);
    }
    expect(await books()).toEqual([4n, -9n]);
  });

  it('are counted correctly after a write of which the node does not know whether it was stored', async () => {
    const write = node.database.write.bind(node.database);
    for (const [isStored, brought] of [
      [true, 0n],
      [false, 1n],
      [true, 1n],
    ] as const) {
      const packet = await unit();
      const failing = async (job: Parameters<typeof write>[0]) => {
        Object.assign(node.database, { write });
        if (isStored) await write(job);
        throw new NotStored('The change could not be stored. Is the disk full?');
      };
      Object.assign(node.database, { write: failing });
      await expect(hand(packet)).rejects.toThrow(NotStored);
      expect(await isTaken(packet)).toBe(true);
      expect((await books())[0]).toBe(brought);
    }
    expect(await isTaken(await unit())).toBe(true);
    expect(await books()).toEqual([2n, -4n]);
  });
});
