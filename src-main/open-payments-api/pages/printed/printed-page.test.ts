import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../../../src-shared/shop/shop-profile.ts';
import { openPrinting, type PrintingDesk } from '../../../printing/testing/open-printing.ts';
import { changeShop, logoFrom, setLogo } from '../../../shop/shop.ts';
import { statementWords } from '../../../statements/statement-words.ts';
import { printedPage } from './printed-page.ts';

const LINK = 'https://pay.example/receipt/abc';

let desk: PrintingDesk;
beforeEach(async () => {
  desk = await openPrinting();
  for (const tag of ['en', 'de', 'ar'] as const) await statementWords(tag);
});
afterEach(() => desk.test.close());

async function receipt() {
  const issued = await desk.receipts.issue(await desk.sold());
  if (!issued.ok || issued.value.content === undefined) throw new Error('there is no receipt');
  return { kind: 'receipt', content: issued.value.content, link: LINK, logo: null } as const;
}

const useLogo = (bytes: Buffer) => desk.test.database.write((tx) => setLogo(tx, logoFrom(bytes)));

it('a receipt becomes a page in its language that loads and runs nothing', async () => {
  const page = await printedPage(desk.test.database.read, await receipt(), { isCopy: false, paper: 'roll80', language: 'ar' });
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('S-2026-000001');
  expect(page).toContain('Größe „ż“ 5 €');
  expect(page).not.toMatch(/<script|<form|<button|href="http|src="(?!data:)/);
  expect(page).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-[^']+'; img-src data:"/);
  // The printer is told the size of the paper, so the page must not name one after that.
  expect(page.lastIndexOf('@page { size: auto; }')).toBe(page.lastIndexOf('@page'));
});

it('only a copy says that it is one', async () => {
  const printed = await receipt();
  const page = (isCopy: boolean) => printedPage(desk.test.database.read, printed, { isCopy, paper: 'a4', language: 'de' });
  expect([(await page(false)).includes('Kopie'), (await page(true)).includes('Kopie')]).toEqual([false, true]);
});

it('the logo is in the page while the shop still has the one that the receipt names', async () => {
  const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');
  await desk.test.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Books & Tea' } }));
  await useLogo(bytes);
  const printed = await receipt();
  const page = () => printedPage(desk.test.database.read, printed, { isCopy: false, paper: 'a4', language: 'en' });
  expect((await page()).includes(`<img src="data:image/png;base64,${bytes.toString('base64')}"`)).toBe(true);
  await useLogo(Buffer.concat([bytes, Buffer.from([0])]));
  expect((await page()).includes('<img')).toBe(false);
});

it('the test receipt shows letters with marks, and the name of the shop only as text', async () => {
  const printed = { kind: 'test', shop: '<b>Bücher</b>', logo: null } as const;
  const page = await printedPage(desk.test.database.read, printed, { isCopy: false, paper: 'a4', language: 'de' });
  for (const text of ['Testbeleg', 'ÄÖÜ', '€', '&lt;b&gt;', 'class="receipt"']) expect(page).toContain(text);
});
