import { receiptWords, TEST_LETTERS } from '../../../../src-shared/words/sales/receipt-text.ts';
import { strong } from '../../../../src-shared/words/words.ts';
import type { Reader } from '../../../platform/database/database.ts';
import type { Manner, Printed } from '../../../printing/printer-lines.ts';
import { readLogo } from '../../../shop/shop.ts';
import { htmlOf, inertPage } from '../html-page.ts';
import { receiptHtml } from '../receipt-html.ts';
import { receiptStyle } from '../receipt-style.ts';

/** The printer is told the size of the paper, and a roll how long this receipt is. */
const PRINTERS_SIZE = '@page { size: auto; }';

/** Makes the HTML with which a printer of the computer prints a receipt or the test receipt. */
export async function printedPage(reader: Reader, printed: Printed, { isCopy, paper, language }: Manner): Promise<string> {
  const style = `${receiptStyle(paper)}\n  ${PRINTERS_SIZE}`;
  if (printed.kind === 'test') {
    const { shop } = printed;
    return inertPage(language, () => ({ title: receiptWords.test.title, style, body: testHtml(shop) }));
  }
  const { content, link } = printed;
  const logo = await logoData(reader, content.shop.logo);
  return inertPage(language, () => ({ title: content.number, style, body: receiptHtml({ content, link, logo, isCopy, paper }) }));
}

const testHtml = (shop: string): string => `
    <article class="receipt"><p class="centred"><strong>${htmlOf([strong(shop)])}</strong></p>
    <h1 class="centred">${htmlOf(receiptWords.test.title)}</h1>
    <hr><p class="centred">${htmlOf(receiptWords.test.words)}</p><p class="centred">${TEST_LETTERS}</p><hr>
    </article>`;

/** The logo of a receipt as a URL that contains it, as long as the shop still has the same one. */
async function logoData(reader: Reader, hash: string | null): Promise<string | null> {
  const logo = hash === null ? undefined : await readLogo(reader);
  return logo?.hash === hash && logo !== undefined ? `data:${logo.type};base64,${logo.bytes.toString('base64')}` : null;
}
