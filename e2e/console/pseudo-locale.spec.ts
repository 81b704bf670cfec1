import type { Page } from '@playwright/test';
import { restoring } from '../pictures/restoring.ts';
import { sayIn, sayInLanguage } from '../pictures/say.ts';
import type { Shot, Stage } from '../pictures/shots.ts';
import { dayInShop, firstRun } from '../pictures/stages.ts';
import { SIZES, Visits } from '../pictures/visits.ts';
import { pseudoCatalogue } from '../support/pages/pseudo-words.ts';
import { expect, test } from './fixtures.ts';

/** Texts that come from the node or its operator: names, addresses, amounts and times. */
interface Said {
  texts: readonly string[];
}

/** Every text on the page that a reader sees or hears and that is not in the catalogues. */
async function untranslated(page: Page, { texts }: Said): Promise<string[]> {
  return await page.evaluate((known) => {
    const found = new Set<string>();
    // A time, an amount or a size, as the browser itself writes it.
    const isWritten = (text: string) => (/\d/.test(text) && text.length < 60) || /^https?:\/\/\S+$/.test(text);
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
    for (const element of document.querySelectorAll<HTMLElement>(':is(main, [role=dialog]) :is(button, a, h1, h2, label, p, dt, dd)')) {
      if (!element.checkVisibility()) continue;
      const right = element.getBoundingClientRect().right;
      if (right > root.clientWidth + 1) found.push(`sticks out: ${(element.textContent ?? '').slice(0, 60)}`);
    }
    return found;
  });
}

/** What is in the books of the pictures, and so in no catalogue. */
const NAMES = [
  ...['The shop', 'The savings', 'The buyer', 'The wages', 'Corner Bookshop', 'Corner Garden', 'Pocket wallet', 'Opening balance'],
  ...['Valley bank', 'Harbour savings', 'Mountain bank', 'Transfer of 2 May', 'From the safe', 'Olga', 'Ada', 'Mia', 'Window', 'Door'],
  ...['Two books', 'Gift card', 'Reading group, May', 'Reading group, June', 'Atlas of the sea', 'Postcards', 'Two rose bushes'],
  ...['Rose bush', 'Watering can', 'Herbs in a pot', 'Seeds', 'Garden gloves', 'Lantern', 'Candle', 'Bird house', 'New shelves', 'Reduced'],
  ...['One bag was torn', 'Sold out', 'Saturday help', 'High Street 12', '12345 Springfield', 'DE123456789', 'Web shop'],
  // The rights of an app as the protocol names them, and what an app has attached to a payment.
  ...['quote: create, read', 'outgoing-payment: create, read, list', 'orderNumber'],
  ...['The shop (USD)', 'The savings (USD)', 'The buyer (USD)'],
  ...['Thank you, and come again', 'Anna from the garden shop', 'paydesk', 'USD', 'EUR', 'Cash from the till', 'Till at the door'],
];

/** What the node says of itself. */
async function factsOf({ operator, origin }: Stage): Promise<string[]> {
  const { publicUrl, version } = await operator.node.info();
  const { dataFolder, ilpAddress, listen, logLevel } = await operator.settings.node();
  const { suggestedFolder } = await operator.backups.status();
  const { items } = await operator.accounts.list({});
  return [
    publicUrl,
    origin,
    version,
    dataFolder,
    ilpAddress,
    listen,
    logLevel,
    suggestedFolder,
    ...items.map((account) => account.walletAddress),
  ];
}

/** The pages for customers are written by the node, which speaks no language that nobody knows. */
const isOfConsole = ({ path }: Shot): boolean => typeof path !== 'string' || path.startsWith('/') || path.endsWith('/till/');

for (const [part, open, tag] of [
  ['a day in the shop', dayInShop, []],
  ['the first run', firstRun, ['@long']],
  ['restoring', restoring, ['@long']],
] as const)
  test(`every word of ${part} comes from the catalogues, and fits when it is half as long again`, { tag: ['@once', ...tag] }, async ({
    newPerson,
  }) => {
    const words = pseudoCatalogue();
    const wrong: string[] = [];
    const known = { texts: [...NAMES] };
    for await (const stage of open()) {
      // A locked node tells nothing.
      if (known.texts.length === NAMES.length) known.texts.push(...(await factsOf(stage)));
      const context = await newPerson();
      await context.addInitScript((catalogue) => {
        Reflect.set(globalThis, 'paydeskCatalogue', catalogue);
      }, words);
      const page = await context.newPage();
      const visits = await Visits.begin(page, stage, sayIn(words));
      for (const shot of stage.shots.filter(isOfConsole)) {
        const shown = await visits.show(shot);
        wrong.push(...(await untranslated(shown, known)).map((text) => `${shot.name}: ${text}`));
        for (const size of Object.values(SIZES)) {
          await shown.setViewportSize(size);
          wrong.push(...(await broken(shown)).map((what) => `${shot.name} at ${size.width}: ${what}`));
        }
        if (shown !== page) await shown.close();
      }
      await context.close();
    }
    expect([...new Set(wrong)]).toEqual([]);
  });

/** The languages with the longest words, and one that is written from the right. */
const WIDEST = ['de', 'fr', 'ar'] as const;

test('the pages for customers fit a narrow phone where words are long, and from the right', { tag: ['@long', '@once'] }, async ({
  newPerson,
}) => {
  const wrong: string[] = [];
  for await (const stage of dayInShop())
    for (const language of WIDEST) {
      const pages = stage.shots.filter((shot) => !isOfConsole(shot));
      if (pages.length === 0) continue;
      const context = await newPerson({ locale: language });
      const page = await context.newPage();
      // A customer has no link of the console, and begins at the public address.
      const { publicUrl } = await stage.operator.node.info();
      const enter = async () => void (await page.goto(publicUrl));
      const visits = await Visits.begin(page, { ...stage, enter }, await sayInLanguage(language));
      for (const shot of pages) {
        const shown = await visits.show(shot);
        await shown.setViewportSize({ width: 320, height: 640 });
        wrong.push(...(await broken(shown)).map((what) => `${shot.name} in ${language}: ${what}`));
      }
      await context.close();
    }
  expect(wrong).toEqual([]);
});
