import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { deserializeIlpReply, isReject, serializeIlpPrepare } from 'ilp-packet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receivedPackets } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { createLogger, type Logger, recentLines } from '../platform/logs/logger.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

/** How many rejections of a paused peer the node stores at once. */
const AT_ONCE = 500;

let node: TestNode;
let log: Logger;
let heldBack: number;
beforeEach(async () => {
  heldBack = 0;
  const holdBack = async () => {
    heldBack += 1;
  };
  log = createLogger('info', new Writable({ write: (_line, _encoding, done) => done() }));
  node = await openTestNode({ log, holdBack });
});
afterEach(() => node.close());

async function pausedPeer() {
  const { registry } = node.payments.peers.operator;
  const id = randomUUID();
  const added = await registry.add(newPeer({ id, ilpAddress: 'g.peer', creditLimit: 1_000n }));
  if (!added.ok) throw new Error(added.error);
  await registry.setState(id, 'paused');
  const packet = () =>
    serializeIlpPrepare({
      amount: '5',
      destination: 'g.nobody',
      executionCondition: randomBytes(32),
      expiresAt: new Date(node.clock.now() + 30_000),
      data: Buffer.alloc(0),
    });
  const headers = { authorization: `Bearer ${added.value.incomingToken}`, 'content-type': 'application/octet-stream' };
  const send = async (payload: Buffer) => await node.app.inject({ method: 'POST', url: '/ilp', headers, payload });
  return { id, packet, send };
}

it('a paused peer leaves few rows, and its packets beyond them get no answer that it could take for one', async () => {
  const { packet, send } = await pausedPeer();
  const first = packet();
  const rejected = deserializeIlpReply((await send(first)).rawPayload);
  expect(isReject(rejected) && rejected.code).toBe('T03');
  for (let n = 1; n < AT_ONCE; n++) await send(packet());
  const beyond = await send(packet());
  expect([beyond.statusCode, beyond.headers['retry-after']]).toEqual([503, '1']);
  expect((await send(first)).statusCode).toBe(200);
  expect(await node.database.read.select().from(receivedPackets)).toHaveLength(AT_ONCE);
  node.clock.advance(1_000);
  expect((await send(packet())).statusCode).toBe(200);
});

it('a paused peer waits for each answer beyond them, so that it does not keep the node busy', async () => {
  const { packet, send } = await pausedPeer();
  for (let n = 0; n < AT_ONCE; n++) await send(packet());
  expect(heldBack).toBe(0);
  for (let n = 0; n < 3; n++) await send(packet());
  expect(heldBack).toBe(3);
});

it('a paused peer that goes on leaves ten rows a second, however many packets it sends', async () => {
  const { packet, send } = await pausedPeer();
  for (let n = 0; n < AT_ONCE; n++) await send(packet());
  for (let tenth = 0; tenth < 200; tenth++) {
    node.clock.advance(100);
    for (let n = 0; n < 3; n++) await send(packet());
  }
  expect(await node.database.read.select().from(receivedPackets)).toHaveLength(AT_ONCE + 20 * 10);
});

it('a paused peer leaves one line a minute in the log, which says how many packets were not taken', async () => {
  const { id, packet, send } = await pausedPeer();
  for (let n = 0; n < AT_ONCE + 100; n++) await send(packet());
  node.clock.advance(60_000);
  for (let n = 0; n < 2 * AT_ONCE; n++) await send(packet());
  const lines = recentLines(log).map(({ text }) => JSON.parse(text));
  expect(lines.map(({ peer, times }) => [peer, times])).toEqual([
    [id, 1],
    [id, 100],
  ]);
});
