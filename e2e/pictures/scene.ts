import { ClientWallet } from '../support/client-wallet.ts';
import { createAccount, readCode, receivingToken, requestSpending, spendingToken, usd, waitingRequest } from '../support/flows.ts';
import { RunningNode } from '../support/running-node.ts';

const SALES = [
  ['Two books', 'INV-101', '3450'],
  ['Gift card', 'INV-102', '2500'],
  ['Reading group, May', 'INV-103', '1200'],
  ['Atlas of the sea', 'INV-104', '5900'],
  ['Postcards', 'INV-105', '480'],
] as const;

/** A day in a shop, as pictures of it are taken. */
export interface Scene {
  node: RunningNode;
  shopId: string;
  paymentId: string;
  grantId: string;
  approvalId: string;
  code: string;
  close(): Promise<void>;
}

/** Some sales, each paid by an approved app, and another app that waits for a decision. */
export async function openScene(): Promise<Scene> {
  const [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start('Corner Bookshop')]);
  const close = async () => {
    await client.stop();
    await node.stop();
  };
  try {
    const shop = await createAccount(node, 'shop', 18_250n);
    const savings = await createAccount(node, 'savings', 250_000n);
    const paymentId = await sell(node, client, shop.walletAddress, savings.walletAddress);
    const asked = await requestSpending(node, client, savings.walletAddress, {
      debitAmount: usd('20000'),
      interval: `R12/${new Date().toISOString().slice(0, 8)}01T00:00:00Z/P1M`,
    });
    const code = await readCode(client, asked);
    const approvalId = (await waitingRequest(node)).id;
    const { items } = await node.operator.apps.grants({});
    const grantId = items.find(({ budgets }) => budgets.length > 0)?.id ?? '';
    return { node, shopId: shop.id, paymentId, grantId, approvalId, code, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns the last payment that went out. */
async function sell(node: RunningNode, client: ClientWallet, shop: string, savings: string): Promise<string> {
  const receiving = await receivingToken(node, client);
  const spending = await spendingToken(node, client, savings, { debitAmount: usd('50000') });
  for (const [description, externalRef, value] of SALES) {
    const invoice = await client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: receiving },
      { walletAddress: shop, incomingAmount: usd(value), metadata: { description, externalRef } },
    );
    await client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: savings, incomingPayment: invoice.id, debitAmount: usd(value), metadata: { description } },
    );
  }
  for (;;) {
    const { items } = await node.operator.payments.list({ direction: 'out' });
    if (items.every((payment) => payment.status === 'completed')) return items[0]?.id ?? '';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
