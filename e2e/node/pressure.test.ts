import { afterEach, expect, it } from 'vitest';
import { createAccount } from '../support/clients/flows.ts';
import { evaluateIn, INSPECTED } from '../support/nodes/inspector.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The built node under pressure (decisions.md#D-69). The engine's debugger makes its main thread work, as a load would.

let node: RunningNode;
afterEach(() => node.stop());

it('a node with too much to do refuses a stranger, serves its operator, and takes the stranger again', async () => {
  node = await RunningNode.start({ env: INSPECTED });
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const stranger = async () => {
    const answer = await fetch(walletAddress, { headers: { accept: 'application/json' } });
    await answer.body?.cancel();
    return [answer.status, answer.headers.get('retry-after')];
  };
  expect(await stranger()).toEqual([200, null]);

  await evaluateIn(
    node,
    `globalThis.work = setInterval(() => {
    const begun = process.cpuUsage();
    for (let used = 0; used < 300000; ) { const { user, system } = process.cpuUsage(begun); used = user + system; }
  }, 1)`,
  );
  await expect.poll(stranger).toEqual([503, '2']);
  expect((await fetch(`${node.publicUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${node.publicUrl}/readyz`)).status).toBe(200);
  expect((await node.operator.node.overview()).balances).toHaveLength(1);

  await evaluateIn(node, 'clearInterval(globalThis.work)');
  await expect.poll(stranger).toEqual([200, null]);
  expect(node.log.join('\n')).toContain('the node has less to do and takes requests again');
});
