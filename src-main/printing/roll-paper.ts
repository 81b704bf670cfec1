import type { RollName } from '../../src-shared/receipts/print-jobs.ts';
import type { ReceiptContent } from '../../src-shared/receipts/receipt-content.ts';
import { blackDots, type LogoDots } from '../../src-shared/shop/logo-dots.ts';
import type { LanguageTag } from '../../src-shared/words/catalogues/languages.ts';
import { inLanguage } from '../../src-shared/words/language/language.ts';
import { printedReceipt, receiptWords, TEST_LETTERS } from '../../src-shared/words/sales/receipt-text.ts';
import { latinText, linesOf } from './latin-text.ts';

/**
 * How many characters every printer for the roll writes in a line. Many for 80 mm write 48, and leave an edge then.
 */
const COLUMNS: Readonly<Record<RollName, number>> = { roll80: 42, roll58: 32 };
/** The size of the squares of the code, in dots. */
const CODE_SIZE: Readonly<Record<RollName, 5 | 6>> = { roll80: 6, roll58: 5 };
/** The paper goes on by so many lines, so that the knife is below the last one. */
const LINES_BEFORE_CUT = 4;
/** `ESC a 1`: the middle of the paper, which may be wider than the lines. */
const TO_THE_MIDDLE = [0x1b, 0x61, 0x01];

/** What is printed of a receipt beside its content. */
interface RollView {
  content: ReceiptContent;
  /** The link of its page, which the code on it contains. */
  link: string;
  isCopy: boolean;
  /** The logo of the shop, which is above its name; null prints none. */
  logo: LogoDots | null;
}

/** One line of the paper, filled up with blanks. */
interface RollLine {
  readonly text: string;
  readonly isBold?: boolean;
}

/** The lines of a paper of a fixed width. */
class Roll {
  readonly lines: RollLine[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  /** Writes in the middle. */
  middle(text: string, isBold = false): void {
    for (const line of linesOf(latinText(text), this.#width)) {
      const before = Math.floor((this.#width - line.length) / 2);
      this.lines.push({ text: (' '.repeat(before) + line).padEnd(this.#width), isBold });
    }
  }

  /** Writes from the edge at which lines begin. @param by how many blanks stand before the text */
  from(text: string, by = 0): void {
    for (const line of linesOf(latinText(text), this.#width - by)) this.lines.push({ text: (' '.repeat(by) + line).padEnd(this.#width) });
  }

  /** Writes a text, and an amount up to the other edge. An amount that leaves no room has a line of its own. */
  both(text: string, amount: string, isBold: boolean): void {
    const right = latinText(amount);
    const room = this.#width - right.length - 1;
    const left = linesOf(latinText(text), room < 8 ? this.#width : room);
    const [first = '', ...others] = room < 8 ? ['', ...left] : left;
    if (room >= 8) this.lines.push({ text: `${first.padEnd(room)} ${right}`, isBold });
    for (const line of others) this.lines.push({ text: line.padEnd(this.#width), isBold });
    if (room < 8) this.lines.push({ text: right.slice(-this.#width).padStart(this.#width), isBold });
  }

  rule(): void {
    this.lines.push({ text: '-'.repeat(this.#width) });
  }

  blank(): void {
    this.lines.push({ text: ' '.repeat(this.#width) });
  }
}

function receiptLines({ content, isCopy }: RollView, width: number): RollLine[] {
  const { shop } = content;
  const { title, facts, rows } = printedReceipt(content);
  const roll = new Roll(width);
  roll.middle(shop.name, true);
  for (const line of shop.address) roll.middle(line);
  if (shop.taxNumber !== '') roll.middle(receiptWords.taxNumber({ number: shop.taxNumber }));
  roll.blank();
  roll.middle(title, true);
  if (isCopy) roll.middle(receiptWords.copy, true);
  roll.blank();
  for (const [name, value] of facts) {
    // Where both fit, they share a line.
    if (latinText(name).length + latinText(value).length + 2 <= width) roll.both(name, value, false);
    else {
      roll.from(name);
      roll.from(value, 2);
    }
  }
  roll.rule();
  for (const { kind, text, detail, amount } of rows) {
    if (kind === 'total') roll.rule();
    roll.both(text, amount, kind === 'total');
    if (detail !== undefined) roll.from(detail, 2);
  }
  roll.blank();
  roll.middle(shop.closingLine);
  return roll.lines;
}

/** Dots as a picture of black and white pixels, which the library takes. */
function pixelsOf(dots: LogoDots): { width: number; height: number; data: number[] } {
  const data = blackDots(dots).flatMap((isBlack) => (isBlack ? [0, 0, 0, 255] : [255, 255, 255, 255]));
  return { width: dots.width, height: dots.height, data };
}

/** What is printed, from the top. */
interface Printout {
  logo: LogoDots | null;
  lines: readonly RollLine[];
  code?: { link: string; says: string };
}

/** Turns it into the bytes that the printer understands (ESC/POS). */
async function bytesOf(paper: RollName, { logo, lines, code }: Printout): Promise<Uint8Array> {
  // Only a shop with a receipt printer needs the library, which is read the first time.
  const { default: ReceiptPrinterEncoder } = await import('@point-of-sale/receipt-printer-encoder');
  const columns = COLUMNS[paper];
  const encoder = new ReceiptPrinterEncoder({
    ...{ language: 'esc-pos', columns, newline: '\n', codepageMapping: 'epson', feedBeforeCut: LINES_BEFORE_CUT, imageMode: 'raster' },
  });
  encoder.initialize().codepage('windows1252').raw(TO_THE_MIDDLE);
  if (logo !== null) encoder.image(pixelsOf(logo)).raw(TO_THE_MIDDLE);
  for (const { text, isBold = false } of lines) encoder.bold(isBold).line(text);
  if (code !== undefined) {
    encoder.bold(false).qrcode(code.link, { model: 2, size: CODE_SIZE[paper], errorlevel: 'm' });
    const roll = new Roll(columns);
    roll.middle(code.says);
    encoder.raw(TO_THE_MIDDLE);
    for (const { text } of roll.lines) encoder.line(text);
  }
  return encoder.cut('partial').encode();
}

/** A receipt for a receipt printer, in a language that is loaded. */
export async function receiptBytes(view: RollView, paper: RollName, tag: LanguageTag): Promise<Uint8Array> {
  const [lines, says] = inLanguage(tag, () => [receiptLines(view, COLUMNS[paper]), receiptWords.scan] as const);
  return await bytesOf(paper, { logo: view.logo, lines, code: { link: view.link, says } });
}

/** What the test receipt says of the shop. */
interface TestView {
  shop: string;
  logo: LogoDots | null;
}

/** The test receipt: it shows the edges of the paper, and letters that only some printers have. */
export async function testBytes({ shop, logo }: TestView, paper: RollName, tag: LanguageTag): Promise<Uint8Array> {
  const lines = inLanguage(tag, () => {
    const roll = new Roll(COLUMNS[paper]);
    roll.middle(shop, true);
    roll.blank();
    roll.middle(receiptWords.test.title, true);
    roll.rule();
    roll.middle(receiptWords.test.words);
    roll.middle(TEST_LETTERS);
    roll.rule();
    return roll.lines;
  });
  return await bytesOf(paper, { logo, lines });
}
