import { PAPER_NAMES, type Paper } from '../../../src-shared/receipts/papers.ts';
import { qrPath } from '../../../src-shared/receipts/qr-path.ts';
import type { ReceiptContent } from '../../../src-shared/receipts/receipt-content.ts';
import { receiptPageWords as words } from '../../../src-shared/words/pages/receipt-words.ts';
import { printedReceipt, receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { strong } from '../../../src-shared/words/words.ts';
import type { Checked } from '../../receipts/receipts.ts';
import { emphasized, escapeHtml, type HtmlPage, htmlOf } from './html-page.ts';
import { paperData, RECEIPT_SCRIPT, receiptStyle } from './receipt-style.ts';
import { shopHead } from './shop-html.ts';

/** What the page of a receipt shows. */
interface ReceiptView {
  content: ReceiptContent;
  /** The link of the page, which the code on it contains. */
  link: string;
  secret: string;
  /** The path of the logo, when the shop still has the same one. */
  logo: string | null;
  /** Whether the console has printed it before, so that this is a copy. */
  isCopy: boolean;
  paper: Paper;
}

/** A receipt as its customer sees and prints it. */
export function receiptPage(view: ReceiptView): HtmlPage {
  const { content, secret, paper } = view;
  const { title } = printedReceipt(content);
  return {
    title: `${title} ${content.number}`,
    style: receiptStyle(paper),
    script: RECEIPT_SCRIPT,
    hasForms: true,
    body: `${receiptHtml(view)}
    <div class="actions">
      <div class="papers" role="group" aria-label="${htmlOf(receiptWords.paper)}">${PAPER_NAMES.map((name) => paperLink(name, view)).join('')}</div>
      <p class="centred"><a href="/receipt/${escapeHtml(secret)}/receipt.pdf" download>${htmlOf(receiptWords.pdf)}</a></p>
      <button type="button" data-print hidden>${htmlOf(receiptWords.print)}</button>
      <form method="post" action="/receipt/check"><input type="hidden" name="receipt" value="${escapeHtml(secret)}">
        <button type="submit" class="second">${htmlOf(words.checkThis)}</button></form>
      <p class="quiet centred"><a href="/receipt/${escapeHtml(secret)}/signed">${htmlOf(words.signed)}</a></p>
    </div>`,
  };
}

const paperLink = (name: Paper, { paper }: ReceiptView): string =>
  `<a href="?paper=${name}"${name === paper ? ' aria-current="true"' : ''}>${htmlOf(receiptWords.papers[name])}</a>`;

/** The receipt itself, in an element `.receipt`. */
export function receiptHtml({ content, link, logo, isCopy, paper }: Omit<ReceiptView, 'secret'>): string {
  const { shop } = content;
  const { title, facts, rows } = printedReceipt(content);
  const { size, path } = qrPath(link);
  const address = [...shop.address, ...(shop.taxNumber === '' ? [] : [receiptWords.taxNumber({ number: shop.taxNumber })])];
  const lines = rows.map(({ kind, text, detail, amount }) => {
    const more = detail === undefined ? '' : `<br><span class="quiet">${escapeHtml(detail)}</span>`;
    return `<tr data-kind="${kind}"><th scope="row">${htmlOf([strong(text)])}${more}</th><td>${htmlOf([strong(amount)])}</td></tr>`;
  });
  return `
    <article class="receipt" ${paperData(paper)} aria-label="${htmlOf(title)}">${shopHead({ ...shop, address, logo, colour: null })}
    <h1>${htmlOf(title)}</h1>${isCopy ? `<p class="copy">${htmlOf(receiptWords.copy)}</p>` : ''}
    <dl>${facts.map(([name, value]) => `<dt>${htmlOf(name)}</dt><dd>${htmlOf([strong(value)])}</dd>`).join('')}</dl>
    <table class="bill" aria-label="${htmlOf(title)}">${lines.join('')}</table>${shop.closingLine === '' ? '' : `<p class="closing">${htmlOf([strong(shop.closingLine)])}</p>`}
    <svg class="qr" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="${htmlOf(receiptWords.codeLabel)}"><path d="${path}"/></svg>
    <p class="quiet centred">${htmlOf(receiptWords.scan)}</p>
    </article>`;
}

/** A receipt of which nobody knows any more what it said. */
export const damagedReceiptPage = (): HtmlPage => ({
  title: receiptWords.title.sale,
  body: `<h1>${htmlOf(receiptWords.title.sale)}</h1><p class="alert" role="alert">${htmlOf(receiptWords.damaged)}</p>`,
});

/** The page on which a person checks a receipt. */
export function checkPage(checked?: Checked): HtmlPage {
  const { title, lead, label, button, another } = words.check;
  const form = `
    <form method="post" action="/receipt/check">
      <label for="receipt">${htmlOf(label)}</label>
      <textarea id="receipt" name="receipt" required maxlength="60000" autocomplete="off" autocapitalize="none" spellcheck="false" dir="ltr"></textarea>
      <button type="submit">${htmlOf(button)}</button>
    </form>`;
  const page = { title, style: receiptStyle('a4'), hasForms: true };
  if (checked === undefined) return { ...page, body: `<h1>${htmlOf(title)}</h1><p>${htmlOf(lead)}</p>${form}` };
  return { ...page, body: `${foundHtml(checked)}<hr><h2>${htmlOf(another)}</h2>${form}` };
}

function foundHtml(checked: Checked): string {
  if (!('content' in checked)) {
    const { title, words: said } = words.found[checked.found];
    return `<h1>${htmlOf(title)}</h1><p class="alert" role="alert" data-found="${checked.found}">${htmlOf(said)}</p>`;
  }
  const { content, found, secret } = checked;
  const { facts, rows } = printedReceipt(content);
  const told = [
    ...facts.slice(0, 2),
    ...rows.filter(({ kind }) => kind === 'total' || kind === 'paid').map(({ text, amount }) => [text, amount] as const),
  ];
  const isGood = found === 'unchanged';
  return `
    <h1>${htmlOf(words.found[found].title)}</h1>
    <p class="${isGood ? 'note' : 'alert'}" role="${isGood ? 'status' : 'alert'}" data-found="${found}">${htmlOf(words.found[found].words({ shop: content.shop.name }), emphasized)}</p>
    <dl>${told.map(([name, value]) => `<dt>${htmlOf(name)}</dt><dd>${htmlOf([strong(value)])}</dd>`).join('')}</dl>${secret === undefined ? '' : `<p><a href="/receipt/${escapeHtml(secret)}">${htmlOf(words.check.show)}</a></p>`}`;
}
