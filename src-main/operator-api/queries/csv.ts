/** What a spreadsheet takes for a formula, also after blanks and in its full-width form. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A cell with a stranger's text: it is shown as it stands and never computed. An apostrophe in front says so to spreadsheets. */
const inert = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Tells programs that guess that the file is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Cells as one line of a CSV file (RFC 4180), with its line end: all are quoted, so that no separator of any country ends a cell. Lone halves of
 * characters, which no file can hold, are replaced.
 */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells
    .map(
      (cell) =>
        `"${inert(cell ?? '')
          .toWellFormed()
          .replaceAll('"', '""')}"`,
    )
    .join(',')}\r\n`;
