import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const MB = 1024 * 1024;
/** What the node may take in all while somebody asks for lists and reads none. */
const MOST = 700 * MB;
/** Each list has the largest page, of payments with the largest metadata. */
const PAYMENTS = 100;
const CONNECTIONS = 20;
const PIPELINED = 300;

let node: RunningNode;
let client: ClientWallet;
const sockets: Socket[] = [];
beforeAll(async () => {
  node = await RunningNode.start({ flags: ['--log-level', 'error'] });
  client = await ClientWallet.start();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await client.stop();
  await node.stop();
});

/** The most memory that the node has held so far, in bytes. */
const peakMemory = (): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))?.[1]) * 1024;

// Only there a process's memory can be read from outside.
it.runIf(process.platform === 'linux')('pipelined lists that nobody reads do not fill the memory of the node', async () => {
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const token = await receivingToken(node, client);
  const order = { text: 'x'.repeat(15_000) };
  for (let n = 0; n < PAYMENTS; n++) {
    const made = await transmit(
      prepare(client, 'POST', `${node.publicUrl}/incoming-payments`, token, { walletAddress, metadata: { ...order, n } }),
    );
    expect(made.status).toBe(201);
  }
  const list = `${node.publicUrl}/incoming-payments?wallet-address=${encodeURIComponent(walletAddress)}&first=100`;
  const { url, headers } = prepare(client, 'GET', list, token);
  const { host, hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const closings = Array.from({ length: CONNECTIONS }, async () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(request.repeat(PIPELINED));
    await new Promise((resolve) => socket.once('connect', resolve));
  });
  await Promise.all(closings);
  for (let n = 0; n < 100; n++) {
    const answer = await fetch(`${node.publicUrl}/shop`, { headers: { connection: 'close' } });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(peakMemory()).toBeLessThan(MOST);
});
