import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { ClientWallet } from '../support/client-wallet.ts';
import { consoleLink } from '../support/console-link.ts';
import { createAccount, readCode, receivingToken, requestSpending, spendingToken, usd, waitingRequest } from '../support/flows.ts';
import { RunningNode } from '../support/running-node.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images');
const SALES = [
  ['Two books', 'INV-101', '3450'],
  ['Gift card', 'INV-102', '2500'],
  ['Reading group, May', 'INV-103', '1200'],
  ['Atlas of the sea', 'INV-104', '5900'],
  ['Postcards', 'INV-105', '480'],
] as const;

/** Takes the pictures of the documentation: the real console over a real node in which the demo's people have been busy. */
export async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const [node, client, browser] = await Promise.all([RunningNode.start(), ClientWallet.start('Corner Bookshop'), openBrowser()]);
  try {
    const { paymentId } = await live(node, client);
    const asked = await requestSpending(node, client, `${node.publicUrl}/savings`, {
      debitAmount: usd('20000'),
      interval: `R12/${new Date().toISOString().slice(0, 8)}01T00:00:00Z/P1M`,
    });
    const code = await readCode(client, asked);
    const page = await signIn(browser, node, 'light');
    await picture(page, 'overview');
    await page.goto(`${node.consoleUrl}/approvals/${(await waitingRequest(node)).id}`);
    await page.getByLabel('Code on the page').fill(code);
    await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
    await picture(page, 'approval');
    const dark = await signIn(browser, node, 'dark');
    await dark.goto(`${node.consoleUrl}/payments/${paymentId}`);
    await dark.getByTestId('payment-amount').waitFor();
    await picture(dark, 'payment');
  } finally {
    await browser.close();
    await client.stop();
    await node.stop();
  }
}

async function openBrowser(): Promise<Browser> {
  return await chromium.launch(await ensureBrowser());
}

async function signIn(browser: Browser, node: RunningNode, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await consoleLink(node));
  await page.getByRole('heading', { name: 'Recent payments' }).waitFor();
  return page;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
}

/** A day in a shop: some sales, each paid by an approved app. @returns the last payment that went out. */
async function live(node: RunningNode, client: ClientWallet): Promise<{ paymentId: string }> {
  const shop = await createAccount(node, 'shop', 18_250n);
  const savings = await createAccount(node, 'savings', 250_000n);
  const receiving = await receivingToken(node, client);
  const spending = await spendingToken(node, client, savings.walletAddress, { debitAmount: usd('50000') });
  for (const [description, externalRef, value] of SALES) {
    const invoice = await client.sdk.incomingPayment.create(
      { url: node.publicUrl, accessToken: receiving },
      { walletAddress: shop.walletAddress, incomingAmount: usd(value), metadata: { description, externalRef } },
    );
    await client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: savings.walletAddress, incomingPayment: invoice.id, debitAmount: usd(value), metadata: { description } },
    );
  }
  for (;;) {
    const { items } = await node.operator.payments.list({ direction: 'out' });
    if (items.every((payment) => payment.status === 'completed')) return { paymentId: items[0]?.id ?? '' };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
