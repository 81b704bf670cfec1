import { createAccount } from '../support/clients/flows.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('amounts keep the sign at their number and the letters of a currency at its sign', async ({ desk: { page }, node }) => {
  const shop = await createAccount(node, 'shop', 236_470n);
  await node.operator.accounts.withdraw({ id: shop.id, requestId: crypto.randomUUID(), amount: 480n, note: 'Flour' });
  await page.evaluate(() => localStorage.setItem('paydesk-language', 'ar'));
  await page.reload();
  await new Sections(page).show(`/accounts/${shop.id}`);
  await expect(page.locator('main bdi', { hasText: 'US$' }).first()).toBeVisible();
  /** What a reader sees of each amount, from the left, by where the browser has painted each character. */
  const seen = await page.locator('main bdi', { hasText: 'US$' }).evaluateAll((amounts) =>
    amounts.map((amount) => {
      const texts = document.createTreeWalker(amount, NodeFilter.SHOW_TEXT);
      const painted: { character: string; left: number }[] = [];
      while (texts.nextNode()) {
        const node = texts.currentNode;
        for (const [at, character] of [...(node.textContent ?? '')].entries()) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          if (/[-+\u2212\d.,A-Z$]/.test(character)) painted.push({ character, left: range.getBoundingClientRect().left });
        }
      }
      return painted
        .sort((one, other) => one.left - other.left)
        .map(({ character }) => character)
        .join('');
    }),
  );
  expect(new Set(seen)).toContain('US$\u22124.80');
  expect(new Set(seen)).toContain('US$+2,364.70');
  expect(seen.filter((text) => !/^US\$[+\u2212]?[\d,]+\.\d\d$/.test(text))).toEqual([]);
});

test('in a language that runs from right to left, the screens begin on the right and fit their window', async ({
  desk: { page },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 250_000n);
  await page.evaluate(() => localStorage.setItem('paydesk-language', 'ar'));
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const sections = new Sections(page);
  const paths = (await sections.paths()).concat(`/accounts/${shop.id}`, '/accounts/new', '/peers/new', '/products');
  const wrong: string[] = [];
  for (const path of paths) {
    await sections.show(path);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const outside = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const heading = document.querySelector('main h1')?.getBoundingClientRect();
        const leftOut = [...document.querySelectorAll('main :is(button, a, h1, h2, label, p, dt, dd)')].filter(
          (one) => one.checkVisibility() && one.getBoundingClientRect().left < -1,
        );
        return { tooWide: scrollWidth > clientWidth + 1, leftOut: leftOut.length, end: (heading?.right ?? 0) > clientWidth / 2 };
      });
      if (outside.tooWide || outside.leftOut > 0 || !outside.end) wrong.push(`${path} at ${width}: ${JSON.stringify(outside)}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(wrong).toEqual([]);

  await sections.show(`/accounts/${shop.id}`);
  const back = page.locator('main .tabler-icon-arrow-left');
  await expect(back).toHaveCSS('transform', 'matrix(-1, 0, 0, 1, 0, 0)');
  const navigation = await page.getByRole('navigation').first().boundingBox();
  expect(navigation?.x).toBeGreaterThan(640);
});
