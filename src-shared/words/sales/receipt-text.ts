import type { ReceiptContent } from '../../receipts/receipt-content.ts';
import { numberText } from '../amount-text.ts';
import { area } from '../language/language.ts';
import { locale } from '../language/locale.ts';
import { billRows } from './bill-text.ts';

/** Letters with marks, and the sign of the euro, for the test receipt: what printers lack first. */
export const TEST_LETTERS = 'ÄÖÜ äöüß éèêëç ñ¿¡ ãõ € “”';

export const receiptWords = area('receipt');

/** One row of the sums of a receipt as it is printed. */
interface ReceiptRow {
  readonly kind: 'line' | 'tax' | 'tip' | 'total' | 'paid';
  readonly text: string;
  readonly detail: string | undefined;
  readonly amount: string;
}

/** A receipt as it is printed, in the language of its reader. */
export interface PrintedReceipt {
  readonly title: string;
  /** Name and value. Values are texts of the shop, of this node, or numbers. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly rows: readonly ReceiptRow[];
}

/** The moment by the clock of the shop, whose time zone it names. */
const momentText = (at: string, timeZone: string, tag: string): string =>
  new Intl.DateTimeFormat(tag, {
    ...{ timeZone, day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(new Date(at));

/** @param tag the language in which its readers see numbers and moments. */
export function printedReceipt(content: ReceiptContent, tag: string = locale()): PrintedReceipt {
  const words = receiptWords;
  const { kind, number, assetCode, assetScale, total, paid, account, paidAt, issuedAt, timeZone, refundOf, reason } = content;
  const isSale = kind === 'sale';
  const money = (value: bigint) => numberText({ value, assetCode, assetScale }, tag);
  const lines = content.lines.map((line) => (line.text === '' ? { ...line, text: isSale ? words.payment : words.refund } : line));
  const rows: ReceiptRow[] = billRows({ ...content, lines }, money, tag).map((row) =>
    row.kind === 'total' ? { ...row, amount: `${row.amount} ${assetCode}` } : row,
  );
  const more = (text: string, value: bigint): ReceiptRow => ({ kind: 'paid', text, detail: undefined, amount: money(value) });
  rows.push(more(isSale ? words.paid : words.givenBack, paid));
  if (paid < total) rows.push(more(words.notPaid, total - paid));
  const moment = (at: string) => momentText(at, timeZone, tag);
  return {
    title: words.title[kind],
    facts: [
      [words.number, number],
      ...(refundOf === null ? [] : [[words.refundOf, refundOf] as const]),
      [isSale ? words.paidAt : words.givenBackAt, moment(paidAt)],
      [words.issuedAt, moment(issuedAt)],
      [isSale ? words.paidTo : words.givenBackFrom, `${account.name} (${account.walletAddress.replace(/^https?:\/\//, '')})`],
      [words.means, words.by[content.paidBy]],
      ...(reason === null ? [] : [[words.reason, reason] as const]),
    ],
    rows,
  };
}
