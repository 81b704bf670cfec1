import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

/** How many files the system lets the node open, and how many connections somebody holds. */
const LIMIT = 200;
const HELD = 600;

let node: RunningNode;
const sockets: Socket[] = [];
beforeEach(async () => {
  node = await RunningNode.start({ openFiles: LIMIT });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await node.stop();
});

/** Resolves when the connection is open, or was refused. */
async function hold({ publicUrl }: RunningNode): Promise<void> {
  const { hostname, port } = new URL(publicUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
}

// On Windows a process has no such limit.
it.runIf(process.platform !== 'win32')('a node that may open few files says so, takes fewer connections, and goes on', async () => {
  await Promise.all(Array.from({ length: HELD }, () => hold(node)));
  await createAccount(node, 'shop', 0n);
  const { health } = await node.operator.node.overview();
  expect(health).toContainEqual({ name: 'open_files', state: 'warning', limit: LIMIT, needed: 4_000 });
  expect(node.log.filter((line) => line.includes('few open files'))).toHaveLength(1);
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(async () => (await fetch(`${node.publicUrl}/healthz`).catch(() => undefined))?.status, { interval: 20 }).toBe(200);
  expect(await node.stop()).toBe(0);
});
