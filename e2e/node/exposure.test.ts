import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, readCode, requestSpending, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { KNOWS_SOCKETS, openSockets } from '../support/nodes/open-sockets.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// What the running node shows to the network, and what it asks of it.

let node: RunningNode;
let client: ClientWallet;
beforeEach(async () => {
  node = await RunningNode.start();
  client = await ClientWallet.start();
});
afterEach(async () => {
  await client.stop();
  await node.stop();
});

const hostOf = (url: string) => new URL(url).host;
/** The console is at both addresses that browsers try for `localhost`, where this computer has both. */
const ofConsole = (url: string) => {
  const { port } = new URL(url);
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  return [`127.0.0.1:${port}`, ...(hasIpv6 ? [`[::1]:${port}`] : [])];
};

describe.runIf(KNOWS_SOCKETS)('a scan of the ports of a headless node', () => {
  it('finds the public listener and that of the console, and nothing else, also after work', async () => {
    const own = { listening: [hostOf(node.publicUrl), ...ofConsole(node.consoleUrl)].toSorted(), udp: 0 };
    expect(openSockets(node.pid)).toEqual(own);
    const { walletAddress } = await createAccount(node, 'buyer', 50_000n);
    await spendingToken(node, client, walletAddress, { debitAmount: usd('100') });
    await node.operator.backups.make({ folder: node.dataDir, passphrase: 'four plain words here' });
    expect(openSockets(node.pid).listening).toEqual(own.listening);
  });

  it('finds the console on this computer only, also when the public listener is open to the network', async () => {
    const open = await RunningNode.start({ flags: ['--listen', '0.0.0.0:0', '--trusted-proxies', '10.0.0.0/8'] });
    try {
      const { listening, udp } = openSockets(open.pid);
      expect(listening.filter((one) => !ofConsole(open.consoleUrl).includes(one))).toEqual([expect.stringMatching(/^0\.0\.0\.0:\d+$/)]);
      expect(udp).toBe(0);
    } finally {
      await open.stop();
    }
  });
});

describe('a request that waits for the operator', () => {
  it('makes the node ask nobody anything, however often the request is looked at', async () => {
    const { walletAddress } = await createAccount(node, 'buyer', 50_000n);
    const request = await requestSpending(node, client, walletAddress, { debitAmount: usd('100') });
    await readCode(client, request);
    const { id } = await waitingRequest(node);
    const before = client.asked.length;
    expect(before).toBeGreaterThan(0);
    for (let look = 0; look < 20; look += 1) {
      await node.operator.approvals.list();
      await node.operator.approvals.get({ id });
      await node.operator.node.overview();
      await fetch(request.grant.interact.redirect, { headers: { accept: 'text/html' } });
    }
    expect(client.asked.slice(before)).toEqual([]);
  });
});
