import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newPeer, openTestPeers } from '../peers/testing/peers.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { ok } from '../platform/result.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
let elsewhere: TestDatabase;
beforeEach(async () => {
  node = await openTestNode();
  elsewhere = openTestDatabase();
});
afterEach(async () => {
  await node.close();
  await elsewhere.dispose();
});

// The code that answers peers and the code that asks peers are separate. The asking side must understand each refusal.
it.each([
  ['a wrong token', '/ilp', 'a-token-that-is-not-one', 'application/octet-stream', 10, 401],
  ['a wrong path', '/not-ilp', 'a-token-that-is-not-one', 'application/octet-stream', 10, 415],
  ['a wrong type', '/ilp', undefined, 'application/json', 10, 400],
  ['too many bytes', '/ilp', undefined, 'application/octet-stream', 50_000, 413],
])('a node that refuses %s is believed not to have taken the packet', async (_, url, wrongToken, type, bytes, status) => {
  const id = randomUUID();
  const added = await node.payments.peers.operator.registry.add(newPeer({ id }));
  if (!added.ok) throw new Error(added.error);
  const headers = { authorization: `Bearer ${wrongToken ?? added.value.incomingToken}`, 'content-type': type };
  const { statusCode, rawPayload } = await node.app.inject({ method: 'POST', url, headers, payload: Buffer.alloc(bytes) });
  expect(statusCode).toBe(status);
  const { database } = elsewhere;
  const http = { postBytes: async () => ok({ status: statusCode, body: rawPayload }), mayAsk: () => true };
  const { links, registry } = openTestPeers({ database, clock: node.clock, http });
  await registry.add(newPeer({ id, deduplicates: true }));
  expect(await links.send(id, Buffer.alloc(0), new Date(node.clock.now() + 10_000))).toMatchObject({ outcome: 'not_sent' });
});
