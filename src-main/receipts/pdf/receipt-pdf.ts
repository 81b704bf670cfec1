import { inflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { PAPERS, type Paper as PaperName } from '../../../src-shared/receipts/papers.ts';
import type { ReceiptContent } from '../../../src-shared/receipts/receipt-content.ts';
import type { LanguageTag } from '../../../src-shared/words/catalogues/languages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { directionOf, inLanguage } from '../../../src-shared/words/language/language.ts';
import { type PrintedReceipt, printedReceipt, receiptWords } from '../../../src-shared/words/sales/receipt-text.ts';
import { type PageSize, PdfDocument, type TextStyle } from './document.ts';
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
  paper: PaperName;
}

/** The size of A4, in points of 1/72 inch. */
const A4: PageSize = { width: 595.28, height: 841.89 };
/** The longest page that there is (ISO 32000-1, annex C), in points. */
const LONGEST = 14_400;
const POINTS_PER_MM = 72 / 25.4;
const CODE = 110;
/** The room for the logo. */
const LOGO = { width: 160, height: 48 } as const;
/** The share of the width for names, and the share that is left for texts beside amounts. */
const NAMES = 0.34;
const TEXTS = 0.72;
const LEADING = 1.45;

/** How a receipt looks on A4 and on a roll: its margin in points, and its texts. */
const LOOKS = {
  a4: { margin: 57, name: 15, title: 13, copy: 11, total: 12, body: { size: 10 }, quiet: { size: 8.5, isQuiet: true } },
  roll: { margin: undefined, name: 10, title: 11, copy: 9, total: 9, body: { size: 8 }, quiet: { size: 7, isQuiet: true } },
} as const;

let font: Promise<TrueType> | undefined;
/** The font is read when the first receipt is wanted. */
const readFont = (): Promise<TrueType> => {
  font ??= import('./font.json', { with: { type: 'json' } }).then(
    ({ default: { deflated } }) => new TrueType(inflateSync(Buffer.from(deflated, 'base64'))),
  );
  return font;
};

/**
 * A receipt as a PDF file, in a language that is loaded. The same receipt and logo make the same bytes. A roll has one
 * page that is as long as the receipt, unless that is longer than pages of PDF files are. Characters of scripts that
 * the font does not have (such as Chinese ones) are boxes.
 */
export async function receiptPdf(view: PdfView, tag: LanguageTag): Promise<Buffer> {
  const font = await readFont();
  return inLanguage(tag, () => {
    if (view.paper === 'a4') return new Paper({ font, view, tag, page: A4 }).written().bytes;
    const width = PAPERS[view.paper].width * POINTS_PER_MM;
    // It is written once to find out how long it is.
    const { length } = new Paper({ font, view, tag, page: { width, height: LONGEST } }).written();
    return new Paper({ font, view, tag, page: { width, height: Math.ceil(length) } }).written().bytes;
  });
}

interface Parts {
  font: TrueType;
  view: PdfView;
  tag: LanguageTag;
  page: PageSize;
}

/** The paper on which a receipt is written, from the top down. */
class Paper {
  readonly #document: PdfDocument;
  readonly #parts: Parts;
  readonly #isRight: boolean;
  readonly #look: (typeof LOOKS)[keyof typeof LOOKS];
  readonly #margin: number;
  /** How wide the texts are. */
  readonly #width: number;
  #y: number;
  #isOnePage = true;

  constructor(parts: Parts) {
    const direction = directionOf(parts.tag);
    const { paper } = parts.view;
    this.#document = new PdfDocument(parts.font, parts.page, direction);
    this.#parts = parts;
    this.#isRight = direction === 'rtl';
    this.#look = LOOKS[paper === 'a4' ? 'a4' : 'roll'];
    this.#margin = this.#look.margin ?? PAPERS[paper].margin * POINTS_PER_MM;
    this.#width = parts.page.width - 2 * this.#margin;
    this.#y = this.#margin;
  }

  /** Writes the receipt. `length` is how much of a page it takes, in points: all of it when there are several. */
  written(): { bytes: Buffer; length: number } {
    const { content, isCopy } = this.#parts.view;
    const { shop } = content;
    const { name, title, copy, body } = this.#look;
    const printed = printedReceipt(content);
    this.#logo();
    for (const line of this.#wrapped(shop.name, name, this.#width)) this.#middle(line, { size: name, isBold: true });
    const tax = shop.taxNumber === '' ? [] : [receiptWords.taxNumber({ number: shop.taxNumber })];
    for (const line of [...shop.address, ...tax].flatMap((one) => this.#wrapped(one, body.size, this.#width))) this.#middle(line, body);
    this.#y += 14;
    this.#middle(printed.title, { size: title, isBold: true });
    if (isCopy) this.#middle(receiptWords.copy, { size: copy, isBold: true });
    this.#y += 8;
    this.#facts(printed);
    this.#rows(printed);
    this.#y += 14;
    for (const line of this.#wrapped(shop.closingLine, body.size, this.#width)) if (line !== '') this.#middle(line, body);
    this.#code();
    const { height } = this.#parts.page;
    const about = { title: `${printed.title} ${content.number}`, language: this.#parts.tag, madeAt: content.issuedAt };
    return { bytes: this.#document.bytes(about), length: this.#isOnePage ? this.#y + this.#margin : height };
  }

  /** Texts of strangers keep to their line, and their order changes nothing beside them. */
  #wrapped(text: string, size: number, width: number): string[] {
    return this.#document.linesOf(inertText(text), size, width);
  }

  /** Begins a new page when the height does not fit any more. */
  #need(height: number): void {
    if (this.#y + height <= this.#parts.page.height - this.#margin) return;
    this.#document.addPage();
    this.#isOnePage = false;
    this.#y = this.#margin;
  }

  #down(style: TextStyle): void {
    this.#need(style.size * LEADING);
    this.#y += style.size * LEADING;
  }

  #middle(text: string, style: TextStyle): void {
    this.#down(style);
    this.#document.text(text, { x: this.#parts.page.width / 2, y: this.#y, at: 'middle' }, style);
  }

  /** Writes at a distance from the edge at which lines begin: the left one, or the right one in Arabic. */
  #from(offset: number, text: string, style: TextStyle): void {
    const x = this.#isRight ? this.#parts.page.width - this.#margin - offset : this.#margin + offset;
    this.#document.text(text, { x, y: this.#y, at: this.#isRight ? 'end' : 'start' }, style);
  }

  /** Writes up to the edge at which lines end. */
  #upToEnd(text: string, style: TextStyle): void {
    const x = this.#isRight ? this.#margin : this.#parts.page.width - this.#margin;
    this.#document.text(text, { x, y: this.#y, at: this.#isRight ? 'start' : 'end' }, style);
  }

  /** The logo above everything else, as large as there is room for it. */
  #logo(): void {
    const { logo } = this.#parts.view;
    if (logo === undefined) return;
    const scale = Math.min(LOGO.width / logo.width, this.#width / logo.width, LOGO.height / logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    this.#document.picture(logo, { x: (this.#parts.page.width - width) / 2, y: this.#y, width, height });
    this.#y += height + 4;
  }

  #facts({ facts }: PrintedReceipt): void {
    const { body } = this.#look;
    const name = { ...body, isQuiet: true };
    // A roll has no room for two columns.
    const offset = this.#parts.view.paper === 'a4' ? this.#width * NAMES : 0;
    for (const [what, value] of facts) {
      if (offset === 0) this.#lines(what, name, this.#width);
      for (const [nth, line] of this.#wrapped(value, body.size, this.#width - offset).entries()) {
        this.#down(body);
        if (nth === 0 && offset > 0) this.#from(0, what, name);
        this.#from(offset, line, body);
      }
    }
  }

  /** Writes a text from the edge at which lines begin. */
  #lines(text: string, style: TextStyle, width: number): void {
    for (const line of this.#wrapped(text, style.size, width)) {
      this.#down(style);
      this.#from(0, line, style);
    }
  }

  /** Draws a line above the next text. */
  #rule(): void {
    this.#need(24);
    this.#document.rule(this.#margin, this.#y + 5, this.#width);
    this.#y += 4;
  }

  #rows({ rows }: PrintedReceipt): void {
    const { body, quiet, total } = this.#look;
    this.#y += 10;
    for (const { kind, text, detail, amount } of rows) {
      const style = kind === 'total' ? { size: total, isBold: true } : body;
      if (kind === 'line' || kind === 'total') this.#rule();
      // An amount that is longer than its share takes the room of the text beside it.
      const beside = this.#width - this.#document.widthOf(amount, style.size) - style.size;
      for (const [nth, line] of this.#wrapped(text, style.size, Math.min(this.#width * TEXTS, beside)).entries()) {
        this.#down(style);
        this.#from(0, line, style);
        if (nth === 0) this.#upToEnd(amount, style);
      }
      if (detail !== undefined) this.#lines(detail, quiet, this.#width * TEXTS);
    }
  }

  #code(): void {
    const { quiet } = this.#look;
    const lines = this.#wrapped(receiptWords.scan, quiet.size, this.#width);
    // On a roll there is exactly as much room as is used.
    this.#need(10 + CODE + lines.length * quiet.size * LEADING);
    const { data, size } = encode(this.#parts.view.link, { ecc: 'M', border: 3 });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
    this.#y += 10;
    this.#document.squares(dark, { x: (this.#parts.page.width - CODE) / 2, y: this.#y, size: CODE / size });
    this.#y += CODE;
    for (const line of lines) this.#middle(line, quiet);
  }
}
