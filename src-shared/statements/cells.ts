/** What a spreadsheet takes for a formula, also after spaces and in its full-width form. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** The text of a stranger as spreadsheets show it and never compute it: an apostrophe stands in front of a formula. */
export const inert = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** It tells programs that guess the encoding that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A text as a cell, in quotes, so that no separator and no line in it ends it. Nothing makes an empty cell. */
export const textCell = (text: string | null): string =>
  text === null || text === '' ? '' : `"${inert(text).toWellFormed().replaceAll('"', '""')}"`;

/** Cells as one line with its line end (RFC 4180). */
export const cellLine = (cells: readonly string[], separator = ','): string => `${cells.join(separator)}\r\n`;

/** Text on one line: line ends and other control characters become spaces. */
export const onOneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();

/** The first characters of a text. A pair of surrogates is not cut apart. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = text.slice(0, most);
  return end.isWellFormed() ? end : end.slice(0, -1);
};
