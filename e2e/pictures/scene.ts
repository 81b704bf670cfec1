import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, readCode, receivingToken, requestSpending, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { meetNeighbours } from './neighbours.ts';

const DAY_MS = 24 * 60 * 60_000;
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
  requestId: string;
  peerId: string;
  /** Public pages: of an open request, of a paid one, of the shop's wallet address. */
  requestUrl: string;
  paidUrl: string;
  shopUrl: string;
  /** The page of an app that asks for a permission. */
  consentUrl: string;
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
    const request = await askForMoney(node, shop.id);
    const { items: paid } = await node.operator.payments.list({ direction: 'in', status: 'paid' });
    const paidUrl = `${node.publicUrl}/pay/${paid[0]?.id ?? ''}`;
    const peerId = await meetNeighbours(node);
    tellOfPastDays(node);
    const urls = { requestUrl: request.link, paidUrl, shopUrl: shop.walletAddress, consentUrl: asked.grant.interact.redirect };
    return { node, shopId: shop.id, paymentId, grantId, approvalId, code, requestId: request.id, peerId, ...urls, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Two links that wait. @returns the newer one. */
async function askForMoney({ operator }: RunningNode, accountId: string) {
  await operator.requests.create({
    requestId: randomUUID(),
    accountId,
    amount: 1_200n,
    description: 'Reading group, June',
    reference: 'INV-107',
  });
  const expiresAt = new Date(Date.now() + 7 * DAY_MS);
  return await operator.requests.create({
    requestId: randomUUID(),
    accountId,
    amount: 2_600n,
    description: 'Two rose bushes',
    reference: 'INV-108',
    expiresAt,
  });
}

/** A month of trade as the books would have summed it up, for the bars; made up, but the same each time. */
function tellOfPastDays({ dataDir }: RunningNode): void {
  const database = new Database(join(dataDir, 'paydesk.db'));
  const today = Math.floor(Date.now() / DAY_MS);
  const insert = database.prepare("insert or ignore into ledger_quarters values ('USD', 2, ?, 0, 0, ?, ?)");
  for (let ago = 1; ago < 30; ago++) {
    const isSunday = new Date((today - ago) * DAY_MS).getUTCDay() === 0;
    if (!isSunday) insert.run((today - ago) * DAY_MS, 6_000 + ((ago * 7_919) % 14_000), (ago * 3_571) % 6_000);
  }
  database.close();
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
