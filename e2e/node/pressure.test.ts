import { afterEach, expect, it } from 'vitest';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The built node under pressure (decisions.md#D-69). The engine's debugger makes its main thread work, as a load would.

const INSPECTOR = /ws:\/\/\S+/;

let node: RunningNode;
afterEach(() => node.stop());

/** Evaluates JavaScript in the node's process. */
async function evaluate(expression: string): Promise<void> {
  const url = node.log.map((line) => INSPECTOR.exec(line)?.[0]).find((found) => found !== undefined) ?? '';
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const answered = new Promise((resolve) => {
    socket.onmessage = resolve;
  });
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await answered;
  socket.close();
}

it('a node with too much to do refuses a stranger, serves its operator, and takes the stranger again', async () => {
  node = await RunningNode.start({ env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } });
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const stranger = async () => {
    const answer = await fetch(walletAddress, { headers: { accept: 'application/json' } });
    await answer.body?.cancel();
    return [answer.status, answer.headers.get('retry-after')];
  };
  expect(await stranger()).toEqual([200, null]);

  await evaluate(`globalThis.work = setInterval(() => {
    const begun = process.cpuUsage();
    for (let used = 0; used < 300000; ) { const { user, system } = process.cpuUsage(begun); used = user + system; }
  }, 1)`);
  await expect.poll(stranger).toEqual([503, '2']);
  expect((await fetch(`${node.publicUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${node.publicUrl}/readyz`)).status).toBe(200);
  expect((await node.operator.node.overview()).balances).toHaveLength(1);

  await evaluate('clearInterval(globalThis.work)');
  await expect.poll(stranger).toEqual([200, null]);
  expect(node.log.join('\n')).toContain('the node has less to do and takes requests again');
});
