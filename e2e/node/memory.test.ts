import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drive, type RequestBytes, requestBytes } from '../../bench/support/load.ts';
import { residentMb } from '../../bench/support/processes.ts';
import { idOf, Scene } from '../../bench/support/scene.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { prepare, transmit } from '../support/clients/raw-client.ts';
import { handOver } from '../support/nodes/hand-over.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// A load takes memory, and the node gives it back once it has nothing to do. It looks once a minute. Here its minutes
// are shorter, so that nobody waits for them.

/** How often each load comes. `npm run soak` sets more. */
const TIMES = Number(process.env.PAYDESK_TEST_MEMORY_TIMES ?? 1);
/**
 * What a node may keep after a load, in MB. The promise is 250 some minutes after it. The short form does not wait so
 * long, and other work of the machine shows in it.
 */
const MOST = TIMES > 1 ? 250 : 300;
/** How long the node may take to give memory back, in milliseconds. It comes to that after a second of quiet. */
const SOON_MS = 60_000;
const LIMITS = { width: 32, seconds: 120 };
const PASSPHRASE = 'seven plain words make a long one';

const SHORT_MINUTES = `const every = globalThis.setInterval;
globalThis.setInterval = (act, ms, ...rest) => every(act, ms === 60000 ? 1000 : ms, ...rest);`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SHORT_MINUTES)}`;

let folder: string;
let node: RunningNode;
let scene: Scene;
/** Payments that can be read. */
let receivers: string[] = [];
let client: ClientWallet;
/** The request for a list of 1.5 MB. */
let longList: RequestBytes;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-memory-'));
  const flags = ['--token-lifetime', '86400', '--client-rate', '0', '--log-level', 'error'];
  node = await RunningNode.start({ flags, env: { NODE_OPTIONS } });
  scene = await Scene.set(node);
  client = await ClientWallet.start();
  longList = await longPage();
});
afterAll(async () => {
  await scene?.leave();
  await client?.stop();
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signedRequests(): Promise<void> {
  receivers = [];
  await drive(node.publicUrl, scene.creations(2_000), LIMITS, 201, (body) => receivers.push(idOf(body)));
  await drive(node.publicUrl, scene.readings(receivers), LIMITS, 200);
}

async function payments(): Promise<void> {
  const unpaid: string[] = [];
  await drive(node.publicUrl, scene.creations(1_000), LIMITS, 201, (body) => unpaid.push(idOf(body)));
  await drive(node.publicUrl, scene.payments(unpaid), LIMITS, 201);
}

/** Asks for very many long lists at once and reads none of them. */
async function unreadLists(): Promise<void> {
  const { hostname, port } = new URL(node.publicUrl);
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).on('error', () => undefined));
  for (const socket of sockets) for (let nth = 0; nth < 300; nth += 1) socket.write(longList);
  // The node is asked for something else meanwhile, and answers.
  await drive(node.publicUrl, scene.readings(receivers.slice(0, 500)), LIMITS, 200);
  for (const socket of sockets) socket.destroy();
}

/** Makes payments with the largest metadata. @returns the request for a list of them. */
async function longPage(): Promise<RequestBytes> {
  const { walletAddress } = await createAccount(node, 'notes', 0n);
  const token = await receivingToken(node, client);
  const url = `${node.publicUrl}/incoming-payments`;
  const text = 'x'.repeat(15_000);
  for (let n = 0; n < 100; n += 1) {
    const { status } = await transmit(prepare(client, 'POST', url, token, { walletAddress, metadata: { text, n } }));
    expect(status).toBe(201);
  }
  const list = prepare(client, 'GET', `${url}?wallet-address=${encodeURIComponent(walletAddress)}&first=100`, token);
  return requestBytes('GET', list.url, list.headers);
}

const backup = () => node.operator.backups.make({ folder, passphrase: PASSPHRASE });

async function exportOfEverything(): Promise<void> {
  for (const unpaid of [true, false]) for await (const _ of await node.operator.payments.export({ unpaid }));
}

/** Hands a backup over, and then begins to hand over a large file that is none. */
async function uploads(): Promise<void> {
  const { file } = await backup();
  await handOver(node.operator, file, PASSPHRASE);
  await node.operator.restore.discard();
  const { id, partBytes } = await node.operator.restore.begin({ bytes: 64_000_000 });
  const data = randomBytes(partBytes).toString('base64');
  for (let nth = 0; nth < 100; nth += 1) await node.operator.restore.part({ id, offset: nth * partBytes, data });
  await node.operator.restore.discard();
}

for (const load of [signedRequests, payments, unreadLists, backup, exportOfEverything, uploads]) {
  // Only on Linux a process's memory can be read from outside.
  it.runIf(process.platform === 'linux')(`a node gives back what ${load.name} took, and keeps less than ${MOST} MB`, async () => {
    for (let nth = 0; nth < TIMES; nth += 1) await load();
    const after = residentMb(node.pid) ?? 0;
    await expect.poll(() => residentMb(node.pid), { timeout: SOON_MS, interval: 200 }).toBeLessThan(MOST);
    process.stdout.write(`${load.name}: ${after.toFixed(0)} MB, then ${residentMb(node.pid)?.toFixed(0)} MB\n`);
  });
}
