import { randomUUID } from 'node:crypto';
import { deserializeIlpReply, isFulfill, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it } from 'vitest';
import { craft } from '../ilp/testing/network.ts';
import { QUIET_MS } from '../peers/quiet-after-copy.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { changedState, storeNodeState } from '../platform/data-folder/generation.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { refuse } from '../platform/result.ts';
import { assemblePayments } from './payments.ts';
import { ORIGIN, openTestNode, secretsOf } from './testing/test-node.ts';

/** Another start of a node over its books, with this `--ilp-address`. */
function started({ database, clock, urls }: Awaited<ReturnType<typeof openTestNode>>, ilpAddress?: string) {
  return assemblePayments({
    ...{ database, clock, log: createLogger('silent'), urls },
    secrets: secretsOf(ORIGIN),
    http: { getJson: async () => refuse('unreachable'), requestJson: async () => refuse('unreachable'), close: () => undefined },
    peerHttp: { postBytes: async () => refuse({ problem: 'unreachable', sent: false }), mayAsk: () => true },
    config: { maxPacketAmount: undefined, ilpAddress },
  });
}

/** A node that a peer has paid 300, and the parts with which the peer repeats the packet after it lost the answer. */
async function paidNode() {
  const node = await openTestNode();
  const { carol } = node.accounts;
  const made = await node.payments.incomingPayments.create({ walletAddress: carol, client: null });
  if (!made.ok) throw new Error(made.error);
  const to = await node.payments.credentials(made.value.id, carol);
  const pack = async () => {
    const changes = { expiresAt: new Date(node.clock.now() + 30_000) };
    return await craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '300', changes });
  };
  const packet = await pack();
  const addPeer = async () => {
    const id = randomUUID();
    await node.payments.peers.operator.registry.add(newPeer({ id, ilpAddress: 'g.partner', creditLimit: 1_000n }));
    const peer = node.payments.peers.directory.byId(id);
    if (peer === undefined) throw new Error('no such peer');
    return peer;
  };
  const peer = await addPeer();
  const reply = await node.payments.peers.packets.handle(packet, peer);
  expect(isFulfill(deserializeIlpReply(reply))).toBe(true);
  const received = async () => (await node.payments.incomingPayments.find(made.value.id))?.received;
  return { node, pack, packet, addPeer, peer, reply, received };
}

it('a node whose books were put back takes no packet until those that it has forgotten have expired', async () => {
  const { node, pack, packet, peer, reply, received } = await paidNode();
  await node.database.write((tx) => storeNodeState(tx, changedState(undefined, { isQuiet: true })));
  const { packets } = started(node).peers;
  const late = await pack();
  const code = async (bytes: Buffer) => {
    const answer = deserializeIlpReply(await packets.handle(bytes, peer));
    return isReject(answer) ? answer.code : 'fulfilled';
  };
  expect(await code(late)).toBe('T03');
  // What it knows, it answers as before.
  expect((await packets.handle(packet, peer)).equals(reply)).toBe(true);
  node.clock.advance(QUIET_MS - 1);
  expect(await code(await pack())).toBe('T03');
  node.clock.advance(1);
  expect(await code(await pack())).toBe('fulfilled');
  expect(await code(late)).toBe('T03');
  expect(await received()).toBe(600n);
  await node.close();
});

// A peer that lost the answer sends the packet again. If this node rejected it then, the peer would return the money to
// the payer.
describe('a packet that was taken stays taken when it comes again', () => {
  it('after the node has moved to another ILP address', async () => {
    const { node, pack, packet, peer, reply, received } = await paidNode();
    const { packets } = started(node, 'g.provider.shop').peers;
    expect((await packets.handle(packet, peer)).equals(reply)).toBe(true);
    const other = deserializeIlpReply(await packets.handle(await pack(), peer));
    expect(isReject(other) && other.code).toBe('F02');
    expect(await received()).toBe(300n);
    await node.close();
  });

  it.each([0, 60_000])('%d ms after the operator has removed the peer and added it again', async (later) => {
    const { node, pack, packet, addPeer, peer, reply, received } = await paidNode();
    const { operator, packets } = node.payments.peers;
    await operator.settle({ id: randomUUID(), peerId: peer.id, direction: 'received', amount: 300n, note: 'cash' });
    expect((await operator.registry.remove(peer.id)).ok).toBe(true);
    const again = await addPeer();
    const fresh = await pack();
    node.clock.advance(later);
    expect((await packets.handle(packet, again)).equals(reply)).toBe(true);
    expect(await received()).toBe(300n);
    if (later === 0) expect(isFulfill(deserializeIlpReply(await packets.handle(fresh, again)))).toBe(true);
    await node.close();
  });
});
