import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReceiptContent } from '../../../src-shared/receipts/receipt-content.ts';
import { catalogues } from '../../../src-shared/words/catalogues/load.ts';
import { learn } from '../../../src-shared/words/language/language.ts';
import { shaped } from './arabic.ts';
import { receiptPdf } from './receipt-pdf.ts';
import { inVisualOrder } from './visual-order.ts';

const content: ReceiptContent = {
  ...{ version: 1, kind: 'sale', number: 'S-2026-000001' },
  shop: { name: 'Kaffee & Brötchen', address: ['Hauptstraße 1'], taxNumber: 'DE123', logo: null, closingLine: 'Danke!' },
  account: { name: 'The shop', walletAddress: 'https://shop.example/till' },
  ...{ issuedAt: '2026-11-26T10:00:00.000Z', paidAt: '2026-11-26T09:59:00.000Z', timeZone: 'Europe/Berlin' },
  ...{ assetCode: 'EUR', assetScale: 2, pricesIncludeTax: true },
  lines: [
    { text: 'Rose', quantity: 2_000, unitPrice: 250n, tax: { name: 'MwSt.', rate: 19_000 }, amount: 500n, net: 420n, taxAmount: 80n },
  ],
  rates: [{ name: 'MwSt.', rate: 19_000, net: 420n, taxAmount: 80n }],
  ...{ net: 420n, taxAmount: 80n, tip: 0n, total: 500n, paid: 500n, paidBy: 'open_payments', refundOf: null, reason: null },
};
const view = { content, link: 'https://shop.example/receipt/secret', isCopy: false, logo: undefined, paper: 'a4' as const };

/** Says which object begins where, as a reader of the file finds out. */
function objectsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const places = [...text.slice(at).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  return places.map((place, nth) => {
    expect(text.slice(place, place + `${nth + 1} 0 obj`.length)).toBe(`${nth + 1} 0 obj`);
    return text.slice(place, text.indexOf('\nendobj\n', place));
  });
}
const streamOf = (object: string): Buffer => {
  const begin = object.indexOf('stream\n') + 'stream\n'.length;
  return inflateSync(Buffer.from(object.slice(begin, begin + Number(/\/Length (\d+)/.exec(object)?.[1])), 'latin1'));
};
/** What somebody reads who copies the text. */
function textOf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const table = objects
    .map((one) => (one.includes('/FlateDecode') ? streamOf(one).toString('latin1') : ''))
    .find((one) => one.includes('begincmap'));
  const characters = new Map(
    [...(table ?? '').matchAll(/^<(\w{4})> <(\w+)>$/gm)].map(([, glyph, code]) => [glyph, String.fromCharCode(Number(`0x${code}`))]),
  );
  const pages = objects.filter((one) => one.includes('/FlateDecode')).map((one) => streamOf(one).toString('latin1'));
  const lines = pages.flatMap((page) => (page.startsWith('BT') ? page.split('\n') : []));
  return lines
    .map((line) => [...line.matchAll(/<(\w{4})> Tj/g)].map(([, glyph]) => characters.get(glyph ?? '') ?? '?').join(''))
    .join('\n');
}

describe('a receipt as a file', () => {
  it('says what the receipt says, and is the same file each time', async () => {
    const pdf = await receiptPdf(view, 'en');
    for (const part of ['Kaffee & Brötchen', 'Receipt', 'S-2026-000001', 'Rose', '5.00', 'Danke!', 'Tax number DE123'])
      expect(textOf(pdf)).toContain(part);
    expect(textOf(pdf)).not.toContain('Copy');
    expect(await receiptPdf(view, 'en')).toEqual(pdf);
    expect(textOf(await receiptPdf({ ...view, isCopy: true }, 'en'))).toContain('Copy');
    expect(pdf.length).toBeLessThan(40_000);
  });

  it('has the logo above everything else, with what shines through it, within its room', async () => {
    const opacity = { width: 40, height: 10, entries: '/Opacity', data: Buffer.from('seen'), opacity: undefined };
    const logo = { ...opacity, entries: '/Picture', data: Buffer.from('pixels'), opacity };
    const pdf = await receiptPdf({ ...view, logo }, 'en');
    const objects = objectsOf(pdf);
    const picture = objects.findIndex((one) => one.includes('/Length 6 /Picture')) + 1;
    expect(objects[picture - 1]).toContain(`/SMask ${picture + 1} 0 R >>\nstream\npixels`);
    expect(objects[picture]).toContain('/Length 4 /Opacity >>\nstream\nseen');
    const page = objects.findIndex((one) => one.includes(`/XObject << /P0 ${picture} 0 R >>`));
    // 160 × 40 points in the middle of 595.28, with its lower edge 97 below the upper one of the page.
    expect(streamOf(objects[page + 1] ?? '').toString('latin1')).toMatch(/^q 160 0 0 40 217\.64 744\.89 cm \/P0 Do Q\n/);
    expect(await receiptPdf({ ...view, logo: { ...logo, opacity: undefined } }, 'en')).toSatisfy(
      (other: Buffer) => objectsOf(other).length === objects.length - 1,
    );
  });

  it.each([
    ['roll80', 226.77],
    ['roll58', 164.41],
  ] as const)('for a %s is one page as long as the receipt, whatever that says, and nothing stands beside it', async (paper, width) => {
    const [line] = content.lines;
    if (line === undefined) throw new Error('a receipt without lines');
    const lengths: number[] = [];
    for (const count of [1, 2, 80]) {
      const lines = Array.from({ length: count }, () => ({ ...line, text: 'A rose is a rose is a rose', amount: 12_345_678_900n }));
      const pdf = await receiptPdf({ ...view, paper, content: { ...content, lines, total: 12_345_678_900n } }, 'en');
      const objects = objectsOf(pdf);
      const pages = objects.flatMap((one) => /\/Type \/Page .*\/MediaBox \[0 0 ([\d.]+) (\d+)\]/.exec(one)?.slice(1).map(Number) ?? []);
      expect(pages).toEqual([width, expect.any(Number)]);
      lengths.push(pages[1] ?? 0);
      expect(textOf(pdf)).toContain('Danke!');
      const drawn = streamOf(objects[objects.findIndex((one) => one.includes('/Type /Page ')) + 1] ?? '').toString('latin1');
      const places = [...drawn.matchAll(/1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
      expect(places.every(([x, y]) => x >= 8 && x < width - 8 && y > 8)).toBe(true);
      // The last line ends at the margin, with less than a line of room.
      expect(Math.min(...places.map(([, y]) => y))).toBeLessThan(8 + 13);
    }
    expect(lengths[1]).toBeGreaterThan(lengths[0] ?? 0);
    expect(lengths[2]).toBeGreaterThan(2_000);
  });

  it('for a roll has several pages only when it is longer than pages of PDF files are', async () => {
    const [line] = content.lines;
    if (line === undefined) throw new Error('a receipt without lines');
    const lines = Array.from({ length: 100 }, () => ({ ...line, text: 'A rose is a rose. '.repeat(27) }));
    const pdf = await receiptPdf({ ...view, paper: 'roll58', content: { ...content, lines } }, 'en');
    const pages = objectsOf(pdf).filter((one) => one.includes('/Type /Page '));
    expect(pages.map((one) => /MediaBox \[0 0 [\d.]+ (\d+)\]/.exec(one)?.[1])).toEqual(['14400', '14400']);
  });

  it('is in each language, and in Arabic runs from the right', async () => {
    for (const tag of ['de', 'fr', 'es', 'pt-BR', 'ar'] as const) {
      const words = await catalogues[tag]?.();
      if (words !== undefined) learn(tag, words.catalogue);
      const pdf = await receiptPdf(view, tag);
      expect(objectsOf(pdf).length).toBeGreaterThan(9);
      expect(textOf(pdf)).toContain('S-2026-000001');
      // A box stands where the font lacks a character.
      expect(pdf.toString('latin1')).not.toMatch(/\/W \[0 \[/);
    }
  });

  it('goes on over as many pages as it needs, whatever its texts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 100 }), async (texts) => {
        const [line] = content.lines;
        if (line === undefined) throw new Error('a receipt without lines');
        const lines = texts.map((text) => ({ ...line, text }));
        const pdf = await receiptPdf({ ...view, content: { ...content, lines } }, 'en');
        const pages = objectsOf(pdf).filter((one) => one.includes('/Type /Page ')).length;
        expect(pages).toBeGreaterThanOrEqual(texts.length > 40 ? 2 : 1);
      }),
      { numRuns: 20 },
    );
  });
});

describe('letters', () => {
  it.each([
    ['ب', '\ufe8f'],
    ['ببب', '\ufe91\ufe92\ufe90'],
    ['دب', '\ufea9\ufe8f'],
    ['لا', '\ufefb'],
    ['بلا', '\ufe91\ufefc'],
    ['بَب', '\ufe91\u064e\ufe90'],
    ['ي', '\ufef1'],
    ['پیک', '\ufb58\ufbff\ufb8f'],
    ['abc 12', 'abc 12'],
  ])('of %s have the forms that they have beside their neighbours', (text, forms) => {
    expect(shaped(text)).toBe(forms);
  });
});

describe('the order on the paper', () => {
  it.each([
    ['abc', 'ltr', 'abc'],
    ['אבג', 'rtl', 'גבא'],
    ['אב (גד)', 'rtl', '(דג) בא'],
    ['אב 12.50 €', 'rtl', '€ 12.50 בא'],
    ['אב 12.50€', 'rtl', '12.50€ בא'],
    ['אב two words', 'rtl', 'two words בא'],
    ['Tea אב גד', 'ltr', 'Tea דג בא'],
    ['Tea אב 12', 'ltr', 'Tea 12 בא'],
    ['12:30', 'rtl', '12:30'],
    ['\u2068Tea\u2069 אב', 'rtl', 'בא Tea'],
    ['', 'rtl', ''],
  ] as const)('of %j in a text that runs %s is %j', (text, direction, seen) => {
    expect(inVisualOrder(text, direction).join('')).toBe(seen);
  });

  it('keeps every character that is seen', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'ב', '1', ' ', '(', '.', '€') }),
        fc.constantFrom('ltr' as const, 'rtl' as const),
        (text, direction) => {
          const count = (all: string) => [...all.replace(/[()]/g, '(')].sort().join('');
          expect(count(inVisualOrder(text, direction).join(''))).toBe(count(text));
        },
      ),
    );
  });
});
