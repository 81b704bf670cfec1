import type { Page } from '@playwright/test';
import { createAccount, requestSpending, usd } from '../support/clients/flows.ts';
import { everyScreen, oneOfEach } from './pages/screens/every-screen.ts';
import { expect, test } from './story-fixtures.ts';

/** Boxes that may scroll by themselves: text of others, which has no length that a page could plan for. */
const MAY_SCROLL = 'pre, textarea';

const SIZES = [
  { width: 320, height: 640 },
  { width: 1280, height: 480 },
  { width: 1280, height: 640 },
  { width: 1920, height: 1080 },
];

/** Elements other than the page with a vertical scroll bar of their own. */
const scrollers = (page: Page) =>
  page.evaluate((mayScroll) => {
    const found = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      if (!element.checkVisibility() || element.matches(mayScroll)) return false;
      const { overflowY, scrollbarWidth } = getComputedStyle(element);
      return /auto|scroll/.test(overflowY) && scrollbarWidth !== 'none' && element.scrollHeight > element.clientHeight + 1;
    });
    return found.map(({ tagName, className, scrollHeight, clientHeight }) => `${tagName} ${className}: ${scrollHeight} in ${clientHeight}`);
  }, MAY_SCROLL);

/** Waits until the page has drawn itself in its new size. */
const drawn = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

test('no page has a second vertical scroll bar', async ({ desk: { page, operator }, node, client }) => {
  const shop = await createAccount(node, 'shop', 5_000n);
  const request = { accountId: shop.id, amount: 500n, description: 'Roses' };
  let id = '';
  for (let n = 0; n < 25; n += 1) ({ id } = await operator.requests.create({ ...request, requestId: crypto.randomUUID() }));
  const { screens } = await oneOfEach({ node, client, shop });
  const base = new URL(page.url()).origin;
  const paths = everyScreen({ ...screens, '/get-paid/$id': [`/get-paid/${id}`, ...screens['/get-paid/$id']] });
  for (const path of paths) {
    await page.goto(`${base}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await drawn(page);
      expect.soft(await scrollers(page), `${path} at ${size.width} × ${size.height}`).toEqual([]);
    }
  }
});

test('every section is in sight in a window of 640 pixels', async ({ desk: { page }, node }) => {
  await createAccount(node, 'shop', 0n);
  await page.setViewportSize({ width: 1280, height: 640 });
  const side = page.getByRole('navigation').first();
  await expect(side.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^Version /)).toBeInViewport({ ratio: 1 });
});

test('on a phone the first screen has the app that waits and the takings of the day', async ({
  desk: { page, operator },
  node,
  client,
}) => {
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  const { link } = await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n });
  const payee = link.replace('/pay/', '/incoming-payments/');
  const quote = await operator.payments.quote({ requestId: crypto.randomUUID(), accountId: buyer.id, payee });
  await operator.payments.pay({ requestId: crypto.randomUUID(), accountId: buyer.id, quoteId: quote.id });
  await client.open((await requestSpending(node, client, shop.walletAddress, { debitAmount: usd('500') })).grant.interact.redirect);
  await page.setViewportSize({ width: 320, height: 640 });
  const waits = page.getByText('One app waits for your decision');
  const today = page.getByRole('region', { name: 'Today' });
  const takings = today.getByText('US$26.00').first();
  const tabs = page.getByRole('navigation').last();
  await expect(takings).toBeVisible();
  await expect(waits).toBeVisible();
  const bottomOf = async (locator: typeof today) => {
    const box = await locator.boundingBox();
    return box === null ? Number.NaN : box.y + box.height;
  };
  expect(await bottomOf(waits)).toBeLessThan(640 - 64);
  expect(await bottomOf(takings)).toBeLessThan(640 - 64);
  await expect(tabs).toBeVisible();
});
