import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

/** More lines than a pipe and the memory of the log hold together. */
const REQUESTS = 3_000;
const AT_ONCE = 40;

let folder: string;
const opened: number[] = [];
const nodes: RunningNode[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-log-'));
});
afterAll(async () => {
  for (const node of nodes) await node.kill();
  for (const descriptor of opened) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function open(path: string, flags: number): number {
  const descriptor = openSync(path, flags);
  opened.push(descriptor);
  return descriptor;
}

async function start(logTo: number): Promise<RunningNode> {
  const node = await RunningNode.start({ logTo, flags: ['--log-level', 'debug'] });
  nodes.push(node);
  return node;
}

/** Pays from one account of the node to another. */
async function pay({ publicUrl, operator }: RunningNode): Promise<void> {
  const payer = await createAccount({ publicUrl, operator }, 'payer', 500n);
  const payee = await createAccount({ publicUrl, operator }, 'payee', 0n);
  const quote = await operator.payments.quote({ requestId: randomUUID(), accountId: payer.id, payee: payee.walletAddress, send: 100n });
  const { id } = await operator.payments.pay({ requestId: randomUUID(), accountId: payer.id, quoteId: quote.id });
  await expect.poll(async () => (await operator.payments.get({ id })).status, { interval: 20 }).toBe('completed');
}

async function askOften(node: RunningNode): Promise<void> {
  let left = REQUESTS;
  const ask = async (): Promise<void> => {
    for (; left > 0; left--) expect((await fetch(`${node.publicUrl}/healthz`)).status).toBe(200);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

const logHealth = async (node: RunningNode) => (await node.operator.node.overview()).health.find(({ name }) => name === 'log');

/** Everything that a pipe holds now. */
function drain(pipe: number): string {
  const bytes = Buffer.alloc(65_536);
  let text = '';
  for (;;) {
    try {
      const count = readSync(pipe, bytes);
      if (count === 0) return text;
      text += bytes.toString('utf8', 0, count);
    } catch {
      // The pipe is empty.
      return text;
    }
  }
}

it.runIf(process.platform !== 'win32')('the node pays while nobody reads its log, and says later how many lines are lost', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const node = await start(open(pipe, constants.O_WRONLY));
  await askOften(node);
  await pay(node);
  const told = await logHealth(node);
  expect(told).toMatchObject({ name: 'log', state: 'warning', waits: true, lost: expect.any(Number) });

  let log = '';
  await expect
    .poll(
      () => {
        log += drain(reader);
        return log;
      },
      { interval: 20 },
    )
    .toMatch(/"lost":\d+.*\n/);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { lost?: number });
  const [lost] = lines.flatMap((line) => line.lost ?? []);
  expect(lost).toBeGreaterThan(0);
  expect(lines.length + (lost ?? 0)).toBeGreaterThan(REQUESTS);
  expect(await logHealth(node)).toMatchObject({ state: 'good', waits: false, lost });
});

it.runIf(process.platform !== 'win32')('the node ends while its log waits for somebody who reads it', async () => {
  const pipe = join(folder, 'unread');
  execFileSync('mkfifo', [pipe]);
  open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const node = await start(open(pipe, constants.O_WRONLY));
  await askOften(node);
  expect(await node.stop()).toBe(0);
});

// Every write to this device fails as on a full disk.
it.runIf(process.platform === 'linux')('the node pays and ends cleanly while the disk of its log is full', async () => {
  const node = await start(open('/dev/full', constants.O_WRONLY));
  await pay(node);
  expect(await logHealth(node)).toMatchObject({ state: 'warning', waits: true });
  expect(await node.stop()).toBe(0);
});
