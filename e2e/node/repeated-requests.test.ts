import { OpenPaymentsClientError } from '@interledger/open-payments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// The official client repeats a GET that was refused for a while, and does not sign it again.

let node: RunningNode;
let client: ClientWallet;
beforeAll(async () => {
  [node, client] = [await RunningNode.start({ flags: ['--client-rate', '5'] }), await ClientWallet.start()];
});
afterAll(async () => {
  await node?.stop();
  await client?.stop();
});

it('an app that had to wait reads so, and never that its signature is wrong', async () => {
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  const accessToken = await receivingToken(node, client);
  const { id: url } = await client.sdk.incomingPayment.create({ url: node.publicUrl, accessToken }, { walletAddress });
  const statusOf = async () => {
    try {
      await client.sdk.incomingPayment.get({ url, accessToken });
      return 200;
    } catch (error) {
      if (!(error instanceof OpenPaymentsClientError)) throw error;
      // The client gives up after five seconds, and then knows no status.
      return error.status ?? 0;
    }
  };
  const statuses = new Set(await Promise.all(Array.from({ length: 60 }, statusOf)));
  expect(statuses).not.toContain(401);
  expect([...statuses].some((status) => status === 429 || status === 503)).toBe(true);
});
