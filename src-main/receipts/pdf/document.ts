import { deflateSync } from 'node:zlib';
import { isMark, shaped } from './arabic.ts';
import type { Picture } from './picture.ts';
import type { TrueType } from './true-type.ts';
import { directionOfText, inVisualOrder, isSeen } from './visual-order.ts';

/** The size of a page, in points of 1/72 inch. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  /** The size, in points. */
  size: number;
  isBold?: boolean;
  isQuiet?: boolean;
}

/** A glyph on a line, and where it begins, in points from the beginning of the line. */
interface Placed {
  readonly glyph: number;
  readonly character: string;
  readonly x: number;
}

/** One line of text in the order of the paper. */
interface Line {
  readonly glyphs: readonly Placed[];
  readonly width: number;
}

const number = (value: number): string => String(Math.round(value * 100) / 100);
const hex = (glyph: number): string => glyph.toString(16).padStart(4, '0');
/** A text as PDF has it in the facts about a document: UTF-16. */
const utf16 = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/**
 * A document of pages with text, lines, squares and pictures (ISO 32000-1). It has one font, of which it contains the
 * glyphs that it shows. The same content makes the same bytes.
 */
export class PdfDocument {
  readonly #font: TrueType;
  readonly #page: PageSize;
  readonly #direction: 'ltr' | 'rtl';
  readonly #pages: string[][] = [[]];
  /** The glyphs that are shown, each with a character for those who copy the text. */
  readonly #shown = new Map<number, string>();
  readonly #pictures: Picture[] = [];

  constructor(font: TrueType, page: PageSize, direction: 'ltr' | 'rtl') {
    this.#font = font;
    this.#page = page;
    this.#direction = direction;
  }

  addPage(): void {
    this.#pages.push([]);
  }

  #draw(operators: string): void {
    this.#pages.at(-1)?.push(operators);
  }

  /**
   * A line of text in its own direction, in the order in which it stands on the paper. Marks stand in the middle of
   * their letter.
   */
  #lineOf(text: string, size: number): Line {
    const scale = size / this.#font.unitsPerEm;
    const glyphs: Placed[] = [];
    const marks: { character: string; glyph: number }[] = [];
    let x = 0;
    for (const character of inVisualOrder(shaped(text), directionOfText(text) ?? this.#direction)) {
      const glyph = this.#font.glyphOf(character);
      // In the order of the paper a mark comes before its letter.
      if (isMark(character.codePointAt(0) ?? 0)) {
        marks.push({ character, glyph });
        continue;
      }
      const width = this.#font.widthOf(glyph) * scale;
      glyphs.push({ glyph, character, x });
      for (const mark of marks.splice(0)) {
        const [left, right] = this.#font.extentOf(mark.glyph);
        glyphs.push({ ...mark, x: x + (width - (left + right) * scale) / 2 });
      }
      x += width;
    }
    return { glyphs, width: x };
  }

  /** The width of a text in one line, in points. */
  widthOf(text: string, size: number): number {
    let units = 0;
    for (const character of shaped(text))
      if (isSeen(character) && !isMark(character.codePointAt(0) ?? 0)) units += this.#font.widthOf(this.#font.glyphOf(character));
    return (units * size) / this.#font.unitsPerEm;
  }

  /** Divides a text into lines of at most this width. A word that is longer is divided, too. */
  linesOf(text: string, size: number, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(/ +/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.widthOf(longer, size) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      for (const character of word) {
        if (line !== '' && this.widthOf(line + character, size) > width) {
          lines.push(line);
          line = '';
        }
        line += character;
      }
    }
    return [...lines, line];
  }

  /**
   * Writes one line.
   * @param x where it begins, in points from the left edge; for `end` where it ends, and for `middle` its middle.
   * @param y its base line, in points from the upper edge.
   */
  text(text: string, { x, y, at = 'start' }: { x: number; y: number; at?: 'start' | 'middle' | 'end' }, style: TextStyle): void {
    const { size, isBold = false, isQuiet = false } = style;
    const line = this.#lineOf(text, size);
    const begin = at === 'start' ? x : at === 'end' ? x - line.width : x - line.width / 2;
    const shown = line.glyphs.map(({ glyph, character, x: offset }) => {
      this.#shown.set(glyph, character.normalize('NFKC'));
      return `1 0 0 1 ${number(begin + offset)} ${number(this.#page.height - y)} Tm <${hex(glyph)}> Tj`;
    });
    const grey = isQuiet ? '0.35 g 0.35 G' : '0 g 0 G';
    this.#draw(`BT ${grey} ${isBold ? `2 Tr ${number(size * 0.035)} w` : '0 Tr'} /F ${number(size)} Tf ${shown.join(' ')} ET`);
  }

  /** A thin line from left to right. */
  rule(x: number, y: number, width: number): void {
    this.#draw(`0.75 G 0.5 w ${number(x)} ${number(this.#page.height - y)} m ${number(x + width)} ${number(this.#page.height - y)} l S`);
  }

  /** Dark squares of one size. @param squares their places, counted in squares from the left and the upper edge. */
  squares(squares: readonly (readonly [number, number])[], { x, y, size }: { x: number; y: number; size: number }): void {
    const rectangles = squares.map(
      ([column, row]) =>
        `${number(x + column * size)} ${number(this.#page.height - y - (row + 1) * size)} ${number(size)} ${number(size)} re`,
    );
    this.#draw(`0 g ${rectangles.join(' ')} f`);
  }

  /** A picture. The place is that of its upper left corner, and place and size are in points. */
  picture(picture: Picture, { x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
    const nth = this.#pictures.push(picture) - 1;
    const [w, h] = [number(width), number(height)];
    this.#draw(`q ${w} 0 0 ${h} ${number(x)} ${number(this.#page.height - y - height)} cm /P${nth} Do Q`);
  }

  /** The bytes of the document. @param facts its title, its language (BCP 47), and when it was made (ISO 8601, UTC) */
  bytes({ title, language, madeAt }: { title: string; language: string; madeAt: string }): Buffer {
    const file = this.#font.withOnly(this.#shown.keys());
    const glyphs = [...this.#shown].sort(([one], [other]) => one - other);
    const inEm = (glyph: number) => Math.round((1_000 * this.#font.widthOf(glyph)) / this.#font.unitsPerEm);
    const widths = glyphs.map(([glyph]) => `${glyph} [${inEm(glyph)}]`).join(' ');
    const first = 8;
    const kids = this.#pages.map((_, nth) => `${first + 2 * nth} 0 R`).join(' ');
    const pictures = pictureObjects(this.#pictures, first + 2 * this.#pages.length);
    const shown = pictures.places.map((place, nth) => `/P${nth} ${place} 0 R`).join(' ');
    const moment = madeAt.replace(/[^\d]/g, '').slice(0, 14);
    const font = '/BaseFont /AAAAAA+DejaVuSans';
    const objects: (string | Buffer)[] = [
      `<< /Type /Catalog /Pages 2 0 R /Lang ${utf16(language)} /ViewerPreferences << /DisplayDocTitle true >> >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${this.#pages.length} >>`,
      `<< /Type /Font /Subtype /Type0 ${font} /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>`,
      `<< /Type /Font /Subtype /CIDFontType2 ${font} /CIDToGIDMap /Identity /FontDescriptor 5 0 R /W [${widths}]` +
        ' /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      '<< /Type /FontDescriptor /FontName /AAAAAA+DejaVuSans /Flags 4 /FontBBox [-1021 -463 1793 1232] /ItalicAngle 0' +
        ' /Ascent 928 /Descent -236 /CapHeight 729 /StemV 80 /FontFile2 7 0 R >>',
      streamOf(Buffer.from(toUnicode(glyphs), 'latin1')),
      streamOf(file, `/Length1 ${file.length}`),
      ...this.#pages.flatMap((operators, nth) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${number(this.#page.width)} ${number(this.#page.height)}] /Contents ${first + 2 * nth + 1} 0 R` +
          ` /Resources << /Font << /F 3 0 R >> /XObject << ${shown} >> >> >>`,
        streamOf(Buffer.from(operators.join('\n'), 'latin1')),
      ]),
      ...pictures.objects,
      `<< /Title ${utf16(title)} /Producer (paydesk) /CreationDate (D:${moment}Z) >>`,
    ];
    return assembled(objects);
  }
}

const streamOf = (content: Buffer, more = ''): Buffer => packedStream(deflateSync(content, { level: 1 }), `/Filter /FlateDecode ${more}`);

const packedStream = (packed: Buffer, entries: string): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} ${entries} >>\nstream\n`, 'latin1'),
    packed,
    Buffer.from('\nendstream', 'latin1'),
  ]);

/** The objects of pictures and of their opacities, and which of them are the pictures. @param first the first number */
function pictureObjects(pictures: readonly Picture[], first: number): { objects: Buffer[]; places: number[] } {
  const objects: Buffer[] = [];
  const places = pictures.map(({ entries, data, opacity }) => {
    const place = first + objects.length;
    objects.push(packedStream(data, opacity === undefined ? entries : `${entries} /SMask ${place + 1} 0 R`));
    if (opacity !== undefined) objects.push(packedStream(opacity.data, opacity.entries));
    return place;
  });
  return { objects, places };
}

/** The most entries of one part of the table (ISO 32000-1, 9.10.3). */
const ENTRIES = 100;

/** The table of the characters for which glyphs stand. */
function toUnicode(glyphs: readonly (readonly [number, string])[]): string {
  const parts: string[] = [];
  for (let from = 0; from < glyphs.length; from += ENTRIES) {
    const some = glyphs.slice(from, from + ENTRIES);
    const lines = some.map(([glyph, text]) => `<${hex(glyph)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`);
    parts.push(`${some.length} beginbfchar\n${lines.join('\n')}\nendbfchar`);
  }
  return (
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def /CMapType 2 def\n' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n' +
    `1 begincodespacerange <0000> <ffff> endcodespacerange\n${parts.join('\n')}\nendcmap end end`
  );
}

/**
 * A file of these objects, with the place where each begins. The first is the catalog, and the last says what the file
 * is.
 */
function assembled(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [nth, object] of objects.entries()) {
    places.push(at);
    add(Buffer.from(`${nth + 1} 0 obj\n`, 'latin1'));
    add(typeof object === 'string' ? Buffer.from(object, 'latin1') : object);
    add(Buffer.from('\nendobj\n', 'latin1'));
  }
  const begin = at;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${begin}\n%%EOF\n`;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, 'latin1'));
  return Buffer.concat(parts);
}
