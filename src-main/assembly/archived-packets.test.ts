import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserializeIlpReply, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { craft } from '../ilp/testing/network.ts';
import { ledgerTransfers } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { findIncomingPayment } from '../payments/incoming/incoming-payments.ts';
import { receivedPackets } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { Archive } from '../platform/archive/archive.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { rulesKeeping } from './retention.ts';
import { openTestNode } from './testing/test-node.ts';

let node: Awaited<ReturnType<typeof openTestNode>>;
let folder: string;
beforeEach(async () => {
  node = await openTestNode();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
});
afterEach(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

const usd = { assetCode: 'USD', assetScale: 2 };

/** A payment of the node, open or not, and a peer that hands packets to it. */
async function paidByPeer(incomingAmount?: typeof usd & { value: bigint }) {
  const added = await node.payments.peers.operator.registry.add(newPeer({ id: randomUUID(), ilpAddress: 'g.peer', creditLimit: 1_000n }));
  const made = await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: 'app', incomingAmount });
  if (!added.ok || !made.ok) throw new Error('not made');
  const to = await node.payments.credentials(made.value.id, usd);
  const packet = (lifeMs = 30_000) => {
    const changes = { expiresAt: new Date(node.clock.now() + lifeMs) };
    return craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '300', changes });
  };
  const hand = async (payload: Buffer) => {
    const headers = { authorization: `Bearer ${added.value.incomingToken}`, 'content-type': 'application/octet-stream' };
    const reply = deserializeIlpReply((await node.app.inject({ method: 'POST', url: '/ilp', headers, payload })).rawPayload);
    return isReject(reply) ? reply.code : 'fulfil';
  };
  return { id: made.value.id, packet, hand };
}

const look = () => {
  const rules = rulesKeeping(new Archive({ database: node.database, folder }), { keepDays: 30, archiveDays: 32 });
  return new Retention({ ...node, log: createLogger('silent'), rules, pause: async () => undefined }).runOnce();
};
const stored = async () => (await node.database.read.select().from(receivedPackets)).length;
const transfers = async () => (await node.database.read.select().from(ledgerTransfers)).length;

it('a packet of a peer that comes again after it was archived moves no money, with its old or a new end', async () => {
  const { packet, hand } = await paidByPeer({ value: 300n, ...usd });
  const first = await packet();
  expect(await hand(first)).toBe('fulfil');
  const before = await transfers();
  // An event more, because the newest of all stays.
  await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: null });

  // A peer asks for 30 days, and its clock may differ by a day.
  node.clock.advance(31 * DAY_MS);
  await look();
  expect([await hand(first), await stored()]).toEqual(['fulfil', 1]);
  node.clock.advance(2 * DAY_MS);
  await look();
  expect(await stored()).toBe(0);

  expect(await hand(first)).toBe('R00');
  expect(await hand(await packet())).toBe('F02');
  expect(await transfers()).toBe(before);
  expect(await brokenInvariants(node.database.read)).toEqual([]);
});

it('a packet to a payment that is still open moves no money again after it was archived, and none outlives its answer', async () => {
  const { id, packet, hand } = await paidByPeer();
  const first = await packet();
  expect(await hand(first)).toBe('fulfil');
  node.clock.advance(31 * DAY_MS);
  await look();
  expect([await hand(first), await stored()]).toEqual(['fulfil', 1]);
  node.clock.advance(2 * DAY_MS);
  expect(await hand(await packet())).toBe('fulfil');
  expect(await hand(await packet(31 * DAY_MS))).toBe('F00');
  const before = await transfers();
  await look();
  // What is left is the younger one, and the answer to the one that was refused.
  expect(await stored()).toBe(2);
  expect(await hand(first)).toBe('R00');
  expect(await transfers()).toBe(before);
  expect(await findIncomingPayment(node.database.read, id)).toMatchObject({ received: 600n, completed: false });
  expect(await brokenInvariants(node.database.read)).toEqual([]);
});
