import { inert } from '../../../src-shared/statements/cells.ts';

export { BYTE_ORDER_MARK } from '../../../src-shared/statements/cells.ts';

/**
 * Cells as one line of a CSV file with its line end (RFC 4180). Every cell is quoted, so that no country's separator
 * ends it. A file cannot hold lone surrogates, so they are replaced.
 */
export const csvLine = (cells: readonly (string | null | undefined)[], separator = ','): string =>
  `${cells
    .map(
      (cell) =>
        `"${inert(cell ?? '')
          .toWellFormed()
          .replaceAll('"', '""')}"`,
    )
    .join(separator)}\r\n`;
