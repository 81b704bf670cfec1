import { randomUUID } from 'node:crypto';
import { deserializeIlpPrepare } from 'ilp-packet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peerTestText } from '../../src-shared/words/peer-test.ts';
import { reject } from '../ilp/packets.ts';
import { HttpPeerLinks } from '../peers/http-peer-links.ts';
import type { PeerDirectory } from '../peers/peer-directory.ts';
import { PeerSightings } from '../peers/peer-sightings.ts';
import { probeRepetitions } from '../peers/repetition-probe.ts';
import { receivedPackets } from '../peers/tables.ts';
import { newPeer, openTestPeers } from '../peers/testing/peers.ts';
import { testPeer } from '../peers/try-peer.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { ok } from '../platform/result.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
let directory: PeerDirectory;
let id: string;
beforeEach(async () => {
  node = await openTestNode();
  id = randomUUID();
});
afterEach(() => node.close());

/** A peer whose packets `answer` answers. */
async function peerOf(answer: (prepare: Buffer) => Promise<Buffer>, deduplicates = true) {
  const http = {
    postBytes: async (_url: string, { body }: { body: Buffer }) => ok({ status: 200, body: await answer(body) }),
    mayAsk: () => true,
  };
  const { registry, directory: known } = openTestPeers({ database: node.database, clock: node.clock, http });
  const added = await registry.add(newPeer({ id, ilpAddress: 'g.other', deduplicates }));
  if (!added.ok) throw new Error(added.error);
  directory = known;
  const peer = directory.byId(id);
  if (peer === undefined) throw new Error('the peer is not known');
  const links = new HttpPeerLinks({
    ...{ directory, http, clock: node.clock, log: createLogger('silent') },
    sightings: new PeerSightings(node.clock),
  });
  const parts = { links, clock: node.clock, wait: async (ms: number) => node.clock.advance(ms) };
  return { peer, parts };
}

/** A node of the same make, whose clock is ahead of this node's by `ahead` milliseconds. */
async function likeThisNode(ahead = 0) {
  const them = await openTestNode({ origin: 'https://them.example', formerOrigins: [] });
  // A test's clock cannot be set back, so this node's own is set forward first.
  node.clock.advance(10_000);
  const added = await them.payments.peers.operator.registry.add(newPeer({ id: randomUUID(), ilpAddress: 'g.us' }));
  if (!added.ok) throw new Error(added.error);
  const headers = { authorization: `Bearer ${added.value.incomingToken}`, 'content-type': 'application/octet-stream' };
  const answer = async (payload: Buffer): Promise<Buffer> => {
    them.clock.advance(node.clock.now() + ahead - them.clock.now());
    return (await them.app.inject({ method: 'POST', url: '/ilp', headers, payload })).rawPayload;
  };
  return { them, answer };
}

/** What connectors without a memory say to a packet by its time. */
const forgetful = (tooLate: 'R00' | 'R02') => async (bytes: Buffer) => {
  const left = deserializeIlpPrepare(bytes).expiresAt.getTime() - node.clock.now();
  if (left <= 0) return reject('g.other', tooLate, 'source expiry too soon').bytes;
  return left < 2_000 ? reject('g.other', 'R02', 'source expiry too soon').bytes : reject('g.other', 'F02', 'unreachable').bytes;
};

describe('whether a peer recognises a packet that it got before', () => {
  it.each([0, 1_400, -1_400, 2_600])('is found out with a node of the same make whose clock differs by %i ms', async (ahead) => {
    const { them, answer } = await likeThisNode(ahead);
    const { peer, parts } = await peerOf(answer);
    expect(await probeRepetitions(peer, parts)).toBe('recognised');
    const kept = await them.database.read.select().from(receivedPackets);
    expect(kept.map(({ amount }) => amount)).not.toContain(1n);
    await them.close();
  });

  it.each(['R00', 'R02'] as const)('is found out with one that has no memory and answers %s to what is too late', async (code) => {
    const { peer, parts } = await peerOf(forgetful(code));
    expect(await probeRepetitions(peer, parts)).toBe('forgotten');
  });

  it.each(['R00', 'T03', 'F02'])('stays unclear where every packet is rejected with %s', async (code) => {
    const { peer, parts } = await peerOf(async () => reject('g.other', code, '').bytes);
    expect(await probeRepetitions(peer, parts)).toBe('unclear');
  });

  it('makes the test of a peer warn when the setting relies on it, and only then', async () => {
    const relying = await peerOf(forgetful('R02'));
    const tested = await testPeer(relying.peer, relying.parts);
    expect(tested).toMatchObject({ outcome: 'careful', finding: 'forgets_repetitions' });
    expect(peerTestText(tested)).toContain('a lost answer can make you pay twice');
    expect(await testPeer({ ...relying.peer, deduplicates: false }, relying.parts)).toMatchObject({ outcome: 'good', finding: 'accepted' });
  });

  it('lets the test say that the setting can be switched on', async () => {
    const { them, answer } = await likeThisNode();
    const { peer, parts } = await peerOf(answer, false);
    expect(await testPeer(peer, parts)).toMatchObject({ outcome: 'good', finding: 'recognises_repetitions' });
    expect(await testPeer({ ...peer, deduplicates: true }, parts)).toMatchObject({ outcome: 'good', finding: 'accepted' });
    await them.close();
  });
});
