import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { OverviewPage } from './pages/overview-page.ts';
import { everyScreen, oneOfEach } from './pages/screens/every-screen.ts';
import { expect, test } from './story-fixtures.ts';

/** The amounts on the page whose number stands in more than one line. */
const brokenNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: number, index } of (node.nodeValue ?? '').matchAll(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{2,}/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + number.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(number);
      }
    }
    return broken;
  });

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const BITCOINS = { assetCode: 'BTC', assetScale: 8, openingBalance: 2_100_000_000_000_000n };
/** The books hold no more of one currency than `MOST`, and the buyer has some of it. */
const MOST = 2n ** 63n - 1n;
const TREASURE = { assetCode: 'USD', assetScale: 2, openingBalance: MOST - 50_000n };
const SMALL = { assetCode: 'EUR', assetScale: 2, openingBalance: 1_234n };

test('an amount never breaks inside its number, and many accounts leave the takings of the day in sight', { tag: '@long' }, async ({
  desk: { page, operator },
  node,
  client,
  person,
}) => {
  const open = (name: string, asset: typeof SMALL) =>
    operator.accounts.create({ requestId: randomUUID(), name, publicName: `The ${name}`, ...asset });
  const main = await open('shop', SMALL);
  const jar = await open('jar', BITCOINS);
  const treasury = await open('treasury', TREASURE);
  const stall = await open('stall', { ...TREASURE, openingBalance: 0n });
  for (let count = 4; count < 10; count++) await open(`stall-${count}`, SMALL);
  const ask = (accountId: string, amount: bigint) =>
    operator.requests.create({ requestId: randomUUID(), accountId, amount, description: 'Everything' });
  const coins = await ask(jar.id, 2_099_999_999_999_999n);
  const dollars = await ask(treasury.id, MOST);

  // The buyer is the eleventh account.
  const { screens: things } = await oneOfEach({ node, client, shop: stall });
  const screens = everyScreen({
    ...things,
    '/accounts/$id': [`/accounts/${jar.id}`, `/accounts/${treasury.id}`],
    '/get-paid/$id': [`/get-paid/${coins.id}`],
    '/payments/$id': [...(things['/payments/$id'] ?? []), `/payments/${dollars.id}`],
  });

  const base = new URL(page.url()).origin;
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of screens) {
      await page.goto(base + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      expect(await brokenNumbers(page), `${path} at ${width}`).toEqual([]);
      expect(await sideways(page), `${path} at ${width}`).toBe(0);
      if (path === '/') {
        await expect(page.getByRole('heading', { name: 'Today' })).toBeInViewport();
        await expect(page.getByRole('link', { name: 'All 11 accounts' })).toBeVisible();
        await expect(new OverviewPage(page).account(main.publicName)).toBeInViewport();
      }
    }
  }
  for (const { link } of [coins, dollars]) {
    const checkout = await person.open(link);
    await checkout.setViewportSize({ width: 320, height: 640 });
    expect(await brokenNumbers(checkout), link).toEqual([]);
    expect(await sideways(checkout), link).toBe(0);
  }
});
