/** What a spreadsheet takes for a formula, also after spaces and in its full-width form. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * A cell with a stranger's text. The apostrophe in front tells spreadsheets to show the text and never to compute it.
 */
const inert = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** It tells programs that guess the encoding that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Cells as one line of a CSV file with its line end (RFC 4180). Every cell is quoted, so that no country's separator
 * ends it. A file cannot hold lone surrogates, so they are replaced.
 */
export const csvLine = (cells: readonly (string | null | undefined)[]): string =>
  `${cells
    .map(
      (cell) =>
        `"${inert(cell ?? '')
          .toWellFormed()
          .replaceAll('"', '""')}"`,
    )
    .join(',')}\r\n`;
