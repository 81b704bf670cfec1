import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { storeManyPayments } from '../support/books/many-payments.ts';
import { createAccount } from '../support/clients/flows.ts';
import { consoleLink } from '../support/nodes/console-link.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import type { NewPerson } from './chrome.ts';
import { expect, test } from './fixtures.ts';
import { PaymentPage, PaymentsPage } from './pages/payments-page.ts';

// There are more payments than a reader or a browser can take at once.
const COUNT = 20_000;

/** A console in front of a node with a long past, open at the payments. */
async function openLongList(
  newPerson: NewPerson,
  inside: (desk: { page: Page; node: RunningNode; shopId: string }) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-long-'));
  const first = await RunningNode.start({ dataDir });
  const [shop, till] = [await createAccount(first, 'shop', 0n), await createAccount(first, 'till', 0n)];
  await first.stop();
  storeManyPayments(dataDir, { accountIds: [shop.id, till.id], count: COUNT, until: Date.now() - 60_000 });
  const node = await RunningNode.start({ dataDir });
  const person = await newPerson();
  try {
    const page = await person.newPage();
    await page.goto(await consoleLink(node));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${node.consoleUrl}/payments`);
    await expect(new PaymentsPage(page).totals).toContainText('20,000 payments');
    await inside({ page, node, shopId: shop.id });
  } finally {
    await person.close();
    await node.stop();
    rmSync(dataDir, { recursive: true });
  }
}

test('a long list is printed as it is on the screen, without the menu and without empty pages', { tag: '@long' }, async ({ newPerson }) => {
  await openLongList(newPerson, async ({ page }) => {
    await expect(new PaymentsPage(page).row('Into The shop').first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation')).toBeHidden();
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.length).toBeLessThan(6);
  });
});

test('a long list draws only the rows in view, down to its end and back', { tag: '@long' }, async ({ newPerson }) => {
  await openLongList(newPerson, async ({ page }) => {
    const payments = new PaymentsPage(page);
    await expect(payments.row('Into The shop').first()).toBeVisible();
    expect(await payments.rows.count()).toBeLessThan(60);
    await payments.rows.first().focus();
    await page.keyboard.press('End');
    const last = payments.list.locator('li[aria-posinset="20000"]');
    await expect(last.getByRole('link')).toBeFocused();
    await expect(last).toContainText('Two books 1');
    expect(await payments.rows.count()).toBeLessThan(60);
    await page.keyboard.press('ArrowUp');
    await expect(payments.list.locator('li[aria-posinset="19999"]').getByRole('link')).toBeFocused();
    await page.keyboard.press('Home');
    await expect(payments.list.locator('li[aria-posinset="1"]').getByRole('link')).toBeFocused();
  });
});

test('a long list does not move while payments arrive above, and says how many', { tag: '@long' }, async ({ newPerson }) => {
  await openLongList(newPerson, async ({ page, node, shopId }) => {
    const payments = new PaymentsPage(page);
    await page.mouse.move(640, 500);
    await page.evaluate(() => window.scrollTo(0, 40_000));
    const row = payments.list.locator('li[aria-posinset="600"]');
    await expect(row.getByRole('link')).toBeVisible();
    // The heights of a row and of the rows above it are known only once they are drawn.
    let place = await row.boundingBox();
    const isStill = async () => {
      const before = place;
      place = await row.boundingBox();
      return place !== null && place.y === before?.y;
    };
    await expect.poll(isStill, { intervals: [500] }).toBe(true);
    const text = await row.innerText();
    for (const amount of [100n, 200n]) await node.operator.requests.create({ requestId: crypto.randomUUID(), accountId: shopId, amount });
    await expect(payments.arrived).toHaveText('2 new payments');
    expect(await row.innerText()).toBe(text);
    expect(await row.boundingBox()).toEqual(place);
    await payments.arrived.click();
    await expect(payments.list.locator('li[aria-posinset="1"]')).toContainText('US$2.00');
    await expect(payments.arrived).toBeHidden();
    await expect(payments.totals).toContainText('20,002 payments');
  });
});

test('every filter is in the URL, combines with the others, and survives a reload and the back button', { tag: '@long' }, async ({
  newPerson,
}) => {
  await openLongList(newPerson, async ({ page }) => {
    const payments = new PaymentsPage(page);
    await payments.search.fill('INV-9999');
    await expect(payments.totals).toContainText('2 payments');
    await payments.search.fill('ÄPFEL');
    await expect(payments.totals).toContainText('3,334 payments');
    await payments.moreFilters.click();
    await payments.reference.fill('inv-99');
    await expect(payments.totals).toContainText('34 payments');
    await payments.amountFrom.fill('2');
    await payments.amountTo.fill('20');
    await expect(payments.totals).toHaveText(/^\d+ payments?US\$[\d.,]+ receivedUS\$[\d.,]+ sent$/);
    const before = await payments.totals.innerText();
    await payments.rows.first().click();
    await new PaymentPage(page).title.waitFor();
    await page.goBack();
    await expect(payments.totals).toHaveText(before, { useInnerText: true });
    await page.reload();
    await expect(payments.totals).toHaveText(before, { useInnerText: true });
    await expect(payments.reference).toHaveValue('inv-99');
    await payments.clearFilters.click();
    await expect(payments.totals).toContainText('20,000 payments');
    expect(new URL(page.url()).search).toBe('');
    await payments.choose(payments.status, 'Failed');
    await expect(payments.totals).toContainText('200 payments');
    await payments.choose(payments.app, 'You');
    await expect(payments.totals).toContainText(/6\d payments/);
    await payments.fromDay.fill('2031-01-01');
    await expect(payments.noneFound).toBeVisible();
  });
});

test('the filtered payments are exported, and an export can be stopped', { tag: '@long' }, async ({ newPerson }) => {
  await openLongList(newPerson, async ({ page }) => {
    const payments = new PaymentsPage(page);
    await payments.export.click();
    // The line is slow, so that the export does not end before the operator stops it.
    const line = await page.context().newCDPSession(page);
    const conditions = { offline: false, latency: 0, uploadThroughput: -1 };
    await line.send('Network.emulateNetworkConditions', { ...conditions, downloadThroughput: 50_000 });
    await payments.exportDialog.getByRole('button', { name: 'Export' }).click();
    await payments.exportDialog.getByRole('button', { name: 'Stop' }).click();
    await payments.exportDialog.getByRole('button', { name: 'Cancel' }).click();
    await line.send('Network.emulateNetworkConditions', { ...conditions, downloadThroughput: -1 });
    await payments.search.fill('inv-12');
    await expect(payments.totals).toContainText('222 payments');
    await payments.export.click();
    const downloading = page.waitForEvent('download');
    await payments.exportDialog.getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await (await download.createReadStream()).setEncoding('utf8').toArray()).join('').trimEnd().split('\r\n');
    expect(lines).toHaveLength(223);
    await expect(payments.exportDialog).toContainText('222 rows exported.');
  });
});
