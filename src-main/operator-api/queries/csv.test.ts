import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

/** Reads a CSV text as RFC 4180 defines it. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/gy;
  let row: string[] = [];
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    row.push((match[1] ?? '').replaceAll('""', '"'));
    if (match[2] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

it('an export gives back every text that was written', () => {
  const cells = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1, maxLength: 3 }), (rows) => {
      const plain = (text: string) => text.replace(/^'(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/u, '');
      expect(read(rows.map((cells) => csvLine(cells)).join('')).map((row) => row.map(plain))).toEqual(rows.map((row) => row.map(plain)));
    }),
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '＝1', '=HYPERLINK("http://x","y")'])(
  'an export never begins a cell with %j',
  (text) => {
    expect(csvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
  },
);

it('an export leaves ordinary text unchanged', () => {
  expect(csvLine(['12.50', null, 'two "books", one', 'a-b'])).toBe('"12.50","","two ""books"", one","a-b"\r\n');
});
