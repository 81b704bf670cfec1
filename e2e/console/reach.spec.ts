import { randomBytes } from 'node:crypto';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { barriers } from '../support/pages/barriers.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

/** Makes each node the other's peer in dollars. */
async function introduce(one: Pick<RunningNode, 'operator'>, other: Pick<RunningNode, 'operator'>): Promise<void> {
  const tokens = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')] as const;
  for (const [node, peer, incomingToken, outgoingToken] of [
    [one, other, tokens[0], tokens[1]],
    [other, one, tokens[1], tokens[0]],
  ] as const) {
    const { ilpAddress, endpoint } = await peer.operator.peers.self();
    await node.operator.peers.add({
      ...{ requestId: crypto.randomUUID(), name: 'The other node', ...USD, ilpAddress, endpoint, incomingToken, outgoingToken },
      ...{ routes: [], creditLimit: 100_000n, debtLimit: null, maxPacketAmount: null, deduplicates: true },
    });
  }
}

test('the operator sees which step to a wallet is missing, and that none is missing once there is a peer', async ({
  desk: { page },
  node,
}) => {
  await createAccount(node, 'till', 0n);
  const other = await RunningNode.start();
  try {
    const customer = await createAccount(other, 'customer', 10_000n);
    await new Sections(page).goTo('Who can pay me');
    await page.getByLabel('Wallet address').fill(customer.walletAddress);
    const look = page.getByRole('button', { name: 'Look', exact: true });
    await look.click();
    const lines = page.getByRole('list', { name: 'What was found out' }).getByRole('listitem');
    await expect(lines).toContainText([
      /address.*Yes/,
      /Open Payments.*Yes/,
      /You can pay it.*No.*no common way yet/,
      /It can pay you.*No/,
      /Not tried/,
    ]);
    expect(await barriers(page)).toEqual([]);
    await introduce(node, other);
    await look.click();
    await expect(lines).toContainText([/Yes/, /Yes/, /You can pay it.*Yes/, /It can pay you.*Not known/, /Something arrives.*Yes/]);
    await expect(page.getByText(/Of US\$10\.00 from .+, about US\$10\.00 arrives there\./)).toBeVisible();
    await page.getByLabel('Wallet address').fill(`${other.publicUrl}/nobody`);
    await look.click();
    await expect(lines.first()).toContainText('There is no wallet at this address');
    expect(await barriers(page)).toEqual([]);
  } finally {
    await other.stop();
  }
});
