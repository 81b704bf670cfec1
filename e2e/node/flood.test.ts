import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const SECONDS = Number(process.env.PAYDESK_TEST_FLOOD_SECONDS ?? 4);
/** What the public listener keeps open in all, and from one address; see its caps. */
const TOTAL = 2_000;
const PER_ADDRESS = 1_000;
/** How long a slow computer may take until the flood has filled the caps. */
const PATIENCE_MS = 30_000;
/** The most files that a node has open besides connections: its database, log, libraries. */
const OTHER_FILES = 100;
const SENTENCES = ['', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: ', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'];

let node: RunningNode;
let client: ClientWallet;
beforeAll(async () => {
  node = await RunningNode.start({ flags: ['--log-level', 'error'] });
  client = await ClientWallet.start();
});
afterAll(async () => {
  await client.stop();
  await node.stop();
});

const openFiles = (): number => readdirSync(`/proc/${node.pid}/fd`).length;

/** Keeps as many connections open from each address as it can, each saying something or nothing, until told to stop. */
class Flood {
  readonly #sockets = new Set<Socket>();
  readonly #addresses: readonly string[];
  #flowing = true;
  opened = 0;

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  async run(): Promise<void> {
    const { hostname, port } = new URL(node.publicUrl);
    while (this.#flowing) {
      for (const localAddress of this.#addresses) {
        for (let i = 0; i < 50; i++) {
          const socket = connect({ host: hostname, port: Number(port), localAddress });
          this.#sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => this.#sockets.delete(socket));
          socket.write(SENTENCES[this.opened++ % SENTENCES.length] ?? '');
          socket.resume();
        }
      }
      await sleep(20);
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): void {
    this.#flowing = false;
  }
}

// Loopback has as many addresses as are needed on Linux only, and only there a process's files can be counted from
// outside.
const onLinux = it.runIf(process.platform === 'linux');

onLinux('a flood of connections from one address takes no room from others', async () => {
  await createAccount(node, 'shop', 0n);
  const token = await receivingToken(node, client);
  const flood = new Flood(['127.0.0.2']);
  const flowing = flood.run();
  const until = Date.now() + (SECONDS * 1_000) / 2;
  let most = 0;
  while (Date.now() < until || ((most < PER_ADDRESS || flood.opened <= 3 * PER_ADDRESS) && Date.now() < until + PATIENCE_MS)) {
    // Each request opens a new connection, as a new visitor does.
    const answer = await fetch(`${node.publicUrl}/shop`, { headers: { connection: 'close' } });
    expect(answer.status).toBe(200);
    most = Math.max(most, openFiles());
  }
  flood.stop();
  await flowing;
  // The flood tried three times as many connections as one address may have. The node kept as many open as the cap
  // allows, and no more.
  expect(flood.opened).toBeGreaterThan(3 * PER_ADDRESS);
  expect(most).toBeGreaterThanOrEqual(PER_ADDRESS);
  expect(most).toBeLessThan(PER_ADDRESS + OTHER_FILES);
  expect((await transmit(prepare(client, 'GET', `${node.publicUrl}/outgoing-payment-grant`, token))).status).toBe(403);
});

onLinux('a flood from many addresses opens no more files than the allowed connections, and closes them when it ends', async () => {
  const token = await receivingToken(node, client);
  // This connection has been open since before the flood.
  const signed = () => transmit(prepare(client, 'GET', `${node.publicUrl}/outgoing-payment-grant`, token));
  expect((await signed()).status).toBe(403);
  const flood = new Flood(Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 2}`));
  const flowing = flood.run();
  const until = Date.now() + (SECONDS * 1_000) / 2;
  let most = 0;
  while (Date.now() < until || ((most < TOTAL || flood.opened <= 3 * TOTAL) && Date.now() < until + PATIENCE_MS)) {
    expect((await signed()).status).toBe(403);
    // It keeps within its own rate, which is not what is looked at here.
    await sleep(50);
    most = Math.max(most, openFiles());
  }
  flood.stop();
  await flowing;
  expect(flood.opened).toBeGreaterThan(3 * TOTAL);
  expect(most).toBeGreaterThanOrEqual(TOTAL);
  expect(most).toBeLessThan(TOTAL + OTHER_FILES);
  expect(node.isRunning).toBe(true);
  await expect.poll(openFiles).toBeLessThan(2 * OTHER_FILES);
  expect((await fetch(`${node.publicUrl}/shop`)).status).toBe(200);
});
