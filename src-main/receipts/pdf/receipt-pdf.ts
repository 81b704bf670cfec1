import { inflateSync } from 'node:zlib';
import { encode } from 'uqr';
import type { ReceiptContent } from '../../../src-shared/receipts/receipt-content.ts';
import type { LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { directionOf, inLanguage } from '../../../src-shared/words/language/language.ts';
import { type PrintedReceipt, printedReceipt, receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { PAGE, PdfDocument, type TextStyle } from './document.ts';
import type { Picture } from './picture.ts';
import { TrueType } from './true-type.ts';

/** The facts that a receipt as a file shows beside its content. */
interface PdfView {
  content: ReceiptContent;
  /** The link of its page, which the code on it contains. */
  link: string;
  /** Whether the console has printed it before, so that this is a copy. */
  isCopy: boolean;
  /** The logo of the shop, where a file can show it. */
  logo: Picture | undefined;
}

/** The margin, in points. */
const MARGIN = 57;
const WIDTH = PAGE.width - 2 * MARGIN;
const CODE = 110;
/** The room for the logo. */
const LOGO = { width: 160, height: 48 } as const;
/** The share of the width for names, and the share that is left for texts beside amounts. */
const NAMES = 0.34;
const TEXTS = 0.72;
const BODY: TextStyle = { size: 10 };
const QUIET: TextStyle = { size: 8.5, isQuiet: true };
const LEADING = 1.45;

let font: Promise<TrueType> | undefined;
/** The font is read when the first receipt is wanted. */
const readFont = (): Promise<TrueType> => {
  font ??= import('./font.json', { with: { type: 'json' } }).then(
    ({ default: { deflated } }) => new TrueType(inflateSync(Buffer.from(deflated, 'base64'))),
  );
  return font;
};

/**
 * A receipt as a PDF file for A4, in a language that is loaded. The same receipt and logo make the same bytes.
 * Characters of scripts that the font does not have (such as Chinese ones) are boxes.
 */
export async function receiptPdf(view: PdfView, tag: LanguageTag): Promise<Buffer> {
  const font = await readFont();
  return inLanguage(tag, () => new Paper({ font, view, tag }).bytes());
}

interface Parts {
  font: TrueType;
  view: PdfView;
  tag: LanguageTag;
}

/** The paper on which a receipt is written, from the top down. */
class Paper {
  readonly #document: PdfDocument;
  readonly #parts: Parts;
  readonly #isRight: boolean;
  #y = MARGIN;

  constructor(parts: Parts) {
    const direction = directionOf(parts.tag);
    this.#document = new PdfDocument(parts.font, direction);
    this.#parts = parts;
    this.#isRight = direction === 'rtl';
  }

  bytes(): Buffer {
    const { content, isCopy } = this.#parts.view;
    const { shop } = content;
    const printed = printedReceipt(content);
    this.#logo();
    for (const line of this.#wrapped(shop.name, 15, WIDTH)) this.#middle(line, { size: 15, isBold: true });
    const tax = shop.taxNumber === '' ? [] : [receiptWords.taxNumber({ number: shop.taxNumber })];
    for (const line of [...shop.address, ...tax].flatMap((one) => this.#wrapped(one, BODY.size, WIDTH))) this.#middle(line, BODY);
    this.#y += 14;
    this.#middle(printed.title, { size: 13, isBold: true });
    if (isCopy) this.#middle(receiptWords.copy, { size: 11, isBold: true });
    this.#y += 8;
    this.#facts(printed);
    this.#rows(printed);
    this.#y += 14;
    for (const line of this.#wrapped(shop.closingLine, BODY.size, WIDTH)) if (line !== '') this.#middle(line, BODY);
    this.#code();
    return this.#document.bytes({ title: `${printed.title} ${content.number}`, language: this.#parts.tag, madeAt: content.issuedAt });
  }

  /** Texts of strangers keep to their line, and their order changes nothing beside them. */
  #wrapped(text: string, size: number, width: number): string[] {
    return this.#document.linesOf(inertText(text), size, width);
  }

  /** Begins a new page when the height does not fit any more. */
  #need(height: number): void {
    if (this.#y + height <= PAGE.height - MARGIN) return;
    this.#document.addPage();
    this.#y = MARGIN;
  }

  #down(style: TextStyle): void {
    this.#need(style.size * LEADING);
    this.#y += style.size * LEADING;
  }

  #middle(text: string, style: TextStyle): void {
    this.#down(style);
    this.#document.text(text, { x: PAGE.width / 2, y: this.#y, at: 'middle' }, style);
  }

  /** Writes at a distance from the edge at which lines begin: the left one, or the right one in Arabic. */
  #from(offset: number, text: string, style: TextStyle): void {
    const x = this.#isRight ? PAGE.width - MARGIN - offset : MARGIN + offset;
    this.#document.text(text, { x, y: this.#y, at: this.#isRight ? 'end' : 'start' }, style);
  }

  /** Writes up to the edge at which lines end. */
  #upToEnd(text: string, style: TextStyle): void {
    const x = this.#isRight ? MARGIN : PAGE.width - MARGIN;
    this.#document.text(text, { x, y: this.#y, at: this.#isRight ? 'start' : 'end' }, style);
  }

  /** The logo above everything else, as large as there is room for it. */
  #logo(): void {
    const { logo } = this.#parts.view;
    if (logo === undefined) return;
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    this.#document.picture(logo, { x: (PAGE.width - width) / 2, y: this.#y, width, height });
    this.#y += height + 4;
  }

  #facts({ facts }: PrintedReceipt): void {
    const offset = WIDTH * NAMES;
    for (const [name, value] of facts) {
      const lines = this.#wrapped(value, BODY.size, WIDTH - offset);
      for (const [nth, line] of lines.entries()) {
        this.#down(BODY);
        if (nth === 0) this.#from(0, name, { ...BODY, isQuiet: true });
        this.#from(offset, line, BODY);
      }
    }
  }

  /** Draws a line above the next text. */
  #rule(): void {
    this.#need(24);
    this.#document.rule(MARGIN, this.#y + 5, WIDTH);
    this.#y += 4;
  }

  #rows({ rows }: PrintedReceipt): void {
    this.#y += 10;
    for (const { kind, text, detail, amount } of rows) {
      const style = kind === 'total' ? { size: 12, isBold: true } : BODY;
      if (kind === 'line' || kind === 'total') this.#rule();
      for (const [nth, line] of this.#wrapped(text, style.size, WIDTH * TEXTS).entries()) {
        this.#down(style);
        this.#from(0, line, style);
        if (nth === 0) this.#upToEnd(amount, style);
      }
      if (detail !== undefined) this.#detail(detail);
    }
  }

  #detail(text: string): void {
    for (const line of this.#wrapped(text, QUIET.size, WIDTH * TEXTS)) {
      this.#down(QUIET);
      this.#from(0, line, QUIET);
    }
  }

  #code(): void {
    this.#need(CODE + 40);
    const { data, size } = encode(this.#parts.view.link, { ecc: 'M', border: 3 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
    this.#y += 10;
    this.#document.squares(dark, { x: (PAGE.width - CODE) / 2, y: this.#y, size: CODE / size });
    this.#y += CODE;
    for (const line of this.#wrapped(receiptWords.scan, QUIET.size, WIDTH)) this.#middle(line, QUIET);
  }
}
