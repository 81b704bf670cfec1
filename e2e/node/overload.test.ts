import { afterEach, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, usd } from '../support/clients/flows.ts';
import { prepare } from '../support/clients/raw-client.ts';
import { evaluateIn, INSPECTED } from '../support/nodes/inspector.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The built node while its disk takes nothing (decisions.md#D-81). The engine's debugger holds the disk.

const CLIENTS = 200;
/** Two commits can be on their way, with so many jobs each. They have begun, so nobody can refuse them any more. */
const BEGUN = 2 * 64;

const DISK = `(async () => {
  const file = await process.getBuiltinModule('node:fs/promises').open(process.execPath);
  const prototype = Object.getPrototypeOf(file);
  await file.close();
  const { datasync } = prototype;
  const disk = Promise.withResolvers();
  globalThis.releaseDisk = disk.resolve;
  prototype.datasync = async function () {
    await disk.promise;
    return await datasync.call(this);
  };
})()`;

let node: RunningNode;
let client: ClientWallet;
afterEach(async () => {
  await client.stop();
  await node.stop();
});

it('while the disk takes nothing, who would wait is refused, the node answers its watchers and its operator, and all get through', async () => {
  node = await RunningNode.start({ env: INSPECTED, flags: ['--client-rate', '0'] });
  client = await ClientWallet.start();
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const token = await receivingToken(node, client);
  const url = `${node.publicUrl}/incoming-payments`;
  let count = 0;
  const ask = async () => {
    count += 1;
    const body = { walletAddress, incomingAmount: usd('100'), metadata: { count } };
    const answer = await fetch(url, prepare(client, 'POST', url, token, body));
    const { error } = (await answer.json()) as { error?: { code: string } };
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), code: error?.code };
  };

  await evaluateIn(node, DISK);
  const refusals: Awaited<ReturnType<typeof ask>>[] = [];
  let stored = 0;
  const insist = async (): Promise<void> => {
    for (;;) {
      const answer = await ask();
      if (answer.status === 201) break;
      refusals.push(answer);
      await new Promise((resolve) => setTimeout(resolve, Number(answer.retryAfter) * 1_000));
    }
    stored += 1;
  };
  const all = Promise.all(Array.from({ length: CLIENTS }, insist));
  await expect.poll(() => refusals.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(CLIENTS - BEGUN);
  expect(stored).toBe(0);
  expect((await fetch(`${node.publicUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${node.publicUrl}/readyz`)).status).toBe(200);
  expect((await fetch(walletAddress, { headers: { accept: 'application/json' } })).status, 'reading needs no disk').toBe(200);
  expect((await node.operator.node.info()).publicUrl).toBe(node.publicUrl);
  expect(stored).toBe(0);

  await evaluateIn(node, 'releaseDisk()');
  const { health } = await node.operator.node.overview();
  expect(health).toContainEqual({ name: 'overload', state: 'warning', since: expect.any(Date), refused: expect.any(Number) });
  await all;
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal)))).toEqual(
    new Set([JSON.stringify({ status: 503, retryAfter: '2', code: 'busy' })]),
  );
  // What was refused has left nothing behind.
  const { items } = await listed();
  expect(items).toBe(CLIENTS);

  async function listed(): Promise<{ items: number }> {
    let items = 0;
    let cursor: string | undefined;
    do {
      const query = new URLSearchParams({ 'wallet-address': walletAddress, first: '100', ...(cursor && { cursor }) });
      const page = await fetch(`${url}?${query}`, prepare(client, 'GET', `${url}?${query}`, token));
      const { result, pagination } = (await page.json()) as { result: unknown[]; pagination: { hasNextPage: boolean; endCursor?: string } };
      items += result.length;
      cursor = pagination.hasNextPage ? pagination.endCursor : undefined;
    } while (cursor !== undefined);
    return { items };
  }
});
