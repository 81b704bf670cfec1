import type { Page } from '@playwright/test';
import { createAccount } from '../support/clients/flows.ts';
import { pseudoCatalogue } from '../support/pages/pseudo-words.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

/** Texts that come from the node or its operator: names, addresses, amounts and times. */
interface Said {
  texts: readonly string[];
}

/** Every text on the page that a reader sees or hears and that is not in the catalogues. */
async function untranslated(page: Page, { texts }: Said): Promise<string[]> {
  return await page.evaluate((known) => {
    const found = new Set<string>();
    // A time, an amount or a size, as the browser itself writes it.
    const isWritten = (text: string) => /\d/.test(text) && text.length < 60;
    const look = (text: string | null) => {
      const said = (text ?? '').replace(/\s+/g, ' ').trim();
      if (!/\p{L}{2,}/u.test(said) || /[⟦⟧]/.test(said) || isWritten(said)) return;
      if (known.some((one) => one.includes(said) || said === one)) return;
      found.add(said);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || parent.closest('script, style, noscript, bdi, code, pre, .recharts-surface') !== null) continue;
      // A sentence may be divided over several elements.
      if (/[⟦⟧]/.test(parent.textContent ?? '') || parent.checkVisibility() === false) continue;
      look(node.textContent);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`)) look(element.getAttribute(name));
    return [...found];
  }, texts);
}

/** What does not fit: a page wider than its window, and words that stick out of their element. */
async function broken(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth + 1) found.push(`the page is ${root.scrollWidth - root.clientWidth} pixels too wide`);
    for (const element of document.querySelectorAll<HTMLElement>(
      'main button, main a, main h1, main h2, main label, main p, main dt, main dd',
    )) {
      if (!element.checkVisibility()) continue;
      const right = element.getBoundingClientRect().right;
      if (right > root.clientWidth + 1) found.push(`sticks out: ${(element.textContent ?? '').slice(0, 60)}`);
    }
    return found;
  });
}

test('every word comes from the catalogues, and the screens fit words that are half as long again', async ({
  desk: { page, operator },
  node,
}) => {
  const shop = await createAccount(node, 'shop', 250_000n);
  await operator.requests.create({ requestId: crypto.randomUUID(), accountId: shop.id, amount: 2_600n, description: 'Two roses' });
  await page.addInitScript((words) => {
    Reflect.set(globalThis, 'paydeskCatalogue', words);
  }, pseudoCatalogue());
  await page.reload();
  const { publicUrl, version } = await operator.node.info();
  const { dataFolder, ilpAddress, listen, logLevel } = await operator.settings.node();
  const { suggestedFolder } = await operator.backups.status();
  const said = [publicUrl, version, dataFolder, ilpAddress, listen, logLevel, suggestedFolder];
  const known = { texts: [...said, shop.publicName, shop.walletAddress, 'Two roses', 'USD', 'Opening balance', 'paydesk'] };
  const wrong: string[] = [];
  const look = async (name: string) => {
    wrong.push(...(await untranslated(page, known)).map((text) => `${name}: ${text}`));
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      wrong.push(...(await broken(page)).map((what) => `${name} at ${size.width}: ${what}`));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const sections = new Sections(page);
  const paths = (await sections.paths()).concat(`/accounts/${shop.id}`, '/accounts/new', '/peers/new', '/health/log');
  expect(paths.length).toBeGreaterThan(12);
  for (const path of paths) {
    await sections.show(path);
    await look(path);
  }
  expect(wrong).toEqual([]);
});
