import type { Page } from '@playwright/test';
import { createAccount, readCode, receivingToken, requestSpending, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { barriers } from '../support/pages/barriers.ts';
import { PayPage } from './pages/pay-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/**
 * The barriers of a page in light, and those of its colours in dark. Nothing but the colours differs. `npm test`
 * looks at light only.
 */
async function barriersInBoth(page: Page): Promise<string[]> {
  if (process.env.PAYDESK_E2E_SHORT === '1') {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    return await barriers(page);
  }
  const turn = async (colorScheme: 'light' | 'dark', from: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The console follows the system in a script of its own. The public pages do without one.
    await expect(page.locator('html')).not.toHaveAttribute('data-mantine-color-scheme', from);
  };
  await turn('light', 'dark');
  const light = await barriers(page);
  await turn('dark', 'light');
  return [...light, ...(await barriers(page, ['color-contrast']))];
}

test('every screen is accessible', async ({ desk: { page, operator }, node, client, person }) => {
  // The test reads some thirty screens completely, which takes minutes on a busy machine.
  test.setTimeout(600_000);
  expect(await barriersInBoth(page)).toEqual([]);
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 100_000n)];
  const spending = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('3000') });
  const receiving = await receivingToken(node, client);
  const invoice = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, incomingAmount: usd('2600'), metadata: { description: 'Two rose bushes' } },
  );
  await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken: spending.value },
    { walletAddress: buyer.walletAddress, incomingPayment: invoice.id, debitAmount: usd('2600') },
  );
  const request = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 500n });
  await readCode(client, await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('20000') }));
  const { id: approvalId } = await waitingRequest(node);
  const [grant] = (await operator.apps.grants({})).items.filter(({ budgets }) => budgets.length > 0);
  const { peer } = await operator.peers.add({
    ...{ requestId: crypto.randomUUID(), name: 'Valley bank', assetCode: 'USD', assetScale: 2, ilpAddress: 'g.valley', routes: [] },
    ...{ endpoint: 'http://127.0.0.1:9/ilp', creditLimit: 10_000n, debtLimit: null, maxPacketAmount: null },
    ...{ deduplicates: false, outgoingToken: 'the-token-they-gave-me-1' },
  });
  await operator.rates.set({
    ...{ base: 'USD', quote: 'EUR', rate: '0.92', spreadBps: 50, source: 'My bank', asOf: new Date(), maxAgeSeconds: 3600 },
  });
  await operator.rates.fund({ requestId: crypto.randomUUID(), assetCode: 'USD', assetScale: 2, amount: 10_000n, note: '' });
  const paid = { kind: 'sale' as const, id: invoice.id.split('/').at(-1) ?? '' };
  await expect.poll(async () => (await operator.payments.get({ id: paid.id })).status).toBe('paid');
  const receipt = await operator.receipts.issue(paid);
  const { items: outgoing } = await operator.payments.list({ direction: 'out' });
  for (const [name, colour] of [['Tea', 'teal'] as const, ['Loaf', 'yellow'] as const])
    await operator.products.add({
      ...{ requestId: crypto.randomUUID(), name, price: 250n, assetCode: 'USD', assetScale: 2, taxRateId: null, code: name, colour },
    });
  const paths = [
    `/peers/${peer.id}`,
    '/peers/new',
    `/payments/${outgoing[0]?.id}`,
    `/receipts/sale/${paid.id}`,
    `/payments/${paid.id}`,
    `/get-paid/${request.id}`,
    `/approvals/${approvalId}`,
    `/apps/${grant?.id}`,
    `/accounts/${shop.id}`,
    '/accounts/new',
    '/restore',
    '/health/log',
    '/products',
  ];
  const found: string[] = [];
  const sections = new Sections(page);
  const look = async (path: string) => {
    await sections.show(path);
    found.push(...(await barriersInBoth(page)));
  };
  for (const path of [...(await sections.paths()), ...paths]) await look(path);
  // The operator pays, step by step, up to the button that sends the money.
  await sections.show('/pay');
  const pay = new PayPage(page);
  await pay.to.fill(shop.walletAddress);
  await pay.find.click();
  await pay.amount.fill('12.50');
  found.push(...(await barriersInBoth(page)));
  await pay.getPrice.click();
  await expect(pay.pay).toBeVisible();
  found.push(...(await barriersInBoth(page)));
  await sections.show('/rates');
  await page.getByRole('button', { name: 'Add a rate' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await barriersInBoth(page)));
  await look('/');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await barriersInBoth(page)));

  const receipts = [receipt.link, `${receipt.link}?paper=roll58`, `${node.publicUrl}/receipt/check`];
  for (const url of [...receipts, request.link, invoice.id.replace('/incoming-payments/', '/pay/'), shop.walletAddress]) {
    const visited = await person.open(url);
    found.push(...(await barriersInBoth(visited)));
  }
  expect(found).toEqual([]);
});
