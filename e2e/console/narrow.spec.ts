import type { Page } from '@playwright/test';
import { createAccount } from '../support/clients/flows.ts';
import { everyScreen, oneOfEach } from './pages/screens/every-screen.ts';
import { expect, test } from './story-fixtures.ts';

/** The largest amount that a node moves, in nano-units. It is the longest amount there is. */
const MOST = 2n ** 63n - 1n;

/** Texts that stick out of their card or are cut off, and words that overlap. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const said = (element: Element) => (element.textContent ?? '').slice(0, 40);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
    for (const card of document.querySelectorAll('main section, main li')) {
      const edge = card.getBoundingClientRect().right;
      for (const element of card.querySelectorAll<HTMLElement>('span, button, p, h2, dd')) {
        const { right, width } = element.getBoundingClientRect();
        if (!element.checkVisibility() || said(element) === '') continue;
        if (width > 1 && right > edge + 0.5) found.push(`cut off: ${said(element)}`);
        if (width === 0) found.push(`no room for: ${said(element)}`);
      }
    }
    for (const row of document.querySelectorAll('main li + li')) {
      const above = row.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
      if (above > row.getBoundingClientRect().top + 1) found.push(`overlaps the row above: ${said(row)}`);
    }
    for (const copy of document.querySelectorAll('main dd button[aria-label^="Copy"]')) {
      const [icon, value] = [copy.getBoundingClientRect(), copy.parentElement?.previousElementSibling?.getBoundingClientRect()];
      if (value === undefined || icon.top > value.bottom - icon.height / 2) found.push(`alone below its value: ${copy.ariaLabel}`);
    }
    for (const label of document.querySelectorAll('main button span'))
      if (label.scrollWidth > label.clientWidth + 1 && label.clientWidth > 0) found.push(`the button says less than: ${said(label)}`);
    return found;
  });
}

test('nothing is cut off on the narrowest phone, not even the longest amount', async ({ desk: { page, operator }, node, client }) => {
  const shop = await createAccount(node, 'shop', 0n);
  const { screens } = await oneOfEach({ node, client, shop });
  const asset = { assetCode: 'XRP', assetScale: 9 };
  const huge = await operator.accounts.create({
    ...{ requestId: crypto.randomUUID(), name: 'huge', publicName: 'Huge', ...asset, openingBalance: MOST },
  });
  await operator.requests.create({ requestId: crypto.randomUUID(), accountId: huge.id, amount: MOST, description: 'Much', reference: '' });
  // Addresses may be broken after a slash. A name with slashes stays on its line.
  const florist = await operator.accounts.create({
    ...{ requestId: crypto.randomUUID(), name: 'florist', publicName: 'Roses/tulips/carnations/lilies', ...asset, openingBalance: 0n },
  });
  for (const description of ['Tulips/lilies/roses/carnations/daisies', 'Roses'])
    await operator.requests.create({ requestId: crypto.randomUUID(), accountId: florist.id, amount: 1n, description });
  const rate = { spreadBps: 50, source: 'Valley bank', asOf: new Date(), maxAgeSeconds: 86_400 };
  await operator.rates.set({ base: 'USD', quote: 'XRP', rate: '0.9217', ...rate });
  const product = { assetCode: 'XRP', assetScale: 9, taxRateId: null, code: '4006381333931', colour: 'teal' as const };
  await operator.products.add({ requestId: crypto.randomUUID(), name: 'Roses/tulips/carnations/lilies', price: MOST, ...product });
  await page.setViewportSize({ width: 320, height: 640 });
  const base = new URL(page.url()).origin;
  for (const path of everyScreen({ ...screens, '/accounts/$id': [`/accounts/${huge.id}`] })) {
    await page.goto(`${base}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
    expect.soft(await cutOff(page), path).toEqual([]);
  }
});
