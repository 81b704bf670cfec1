import { randomUUID } from 'node:crypto';
import { deserializeIlpReply, isFulfill, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { expect, it } from 'vitest';
import { craft } from '../ilp/test-network.ts';
import { newPeer } from '../peers/testing.ts';
import { createLogger } from '../platform/logger.ts';
import { refuse } from '../platform/result.ts';
import { assemblePayments } from './payments.ts';
import { openTestNode } from './testing/test-node.ts';

/** The books of a node in the hands of one with another ILP address, as after a start with another `--ilp-address`. */
function moved({ database, clock, urls }: Awaited<ReturnType<typeof openTestNode>>) {
  return assemblePayments({
    ...{ database, clock, log: createLogger('silent'), urls },
    secrets: { stream: Buffer.alloc(32, 1), derive: () => Buffer.alloc(32, 2) },
    http: { getJson: async () => refuse('unreachable'), requestJson: async () => refuse('unreachable'), close: () => undefined },
    peerHttp: { postBytes: async () => refuse({ problem: 'unreachable', sent: false }), mayAsk: () => true },
    config: { maxPacketAmount: undefined, ilpAddress: 'g.provider.shop' },
  });
}

// Its sender may have lost the first answer, and gives the money back on a rejection.
it('a packet that was taken stays taken when it comes again after the node has moved to another ILP address', async () => {
  const node = await openTestNode();
  const { carol } = node.accounts;
  const made = await node.payments.incomingPayments.create({ walletAddress: carol, client: null });
  if (!made.ok) throw new Error(made.error);
  const to = await node.payments.credentials(made.value.id, carol);
  const changes = { expiresAt: new Date(node.clock.now() + 30_000) };
  const pack = async () => await craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '300', changes });
  const [taken, fresh] = [await pack(), await pack()];
  const id = randomUUID();
  await node.payments.peers.operator.registry.add(newPeer({ id, creditLimit: 1_000n }));
  const peer = node.payments.peers.directory.byId(id);
  if (peer === undefined) throw new Error('no such peer');

  const first = await node.payments.peers.packets.handle(taken, peer);
  expect(isFulfill(deserializeIlpReply(first))).toBe(true);
  const { packets } = moved(node).peers;
  expect((await packets.handle(taken, peer)).equals(first)).toBe(true);
  const other = deserializeIlpReply(await packets.handle(fresh, peer));
  expect(isReject(other) && other.code).toBe('F02');
  expect(await node.payments.incomingPayments.find(made.value.id)).toMatchObject({ received: 300n });
  await node.close();
});
