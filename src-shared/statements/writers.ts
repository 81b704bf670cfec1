import type { DatevSettings } from './datev-settings.ts';
import { camt053 } from './formats/camt053.ts';
import { datev } from './formats/datev.ts';
import { ofx } from './formats/ofx.ts';
import { bookkeeping, scriptTable, spreadsheet } from './formats/tables.ts';
import type { StatementFormat, StatementHead, StatementWords, StatementWriter } from './statement.ts';

/** What decides how a file looks. Only `datev` has settings. */
export type FileChoice =
  | { readonly format: Exclude<StatementFormat, 'datev'>; readonly language: string }
  | { readonly format: 'datev'; readonly language: string; readonly datev: DatevSettings };

/** What writes the file that was chosen. @param words those of the chosen language */
export function writerOf(choice: FileChoice, head: StatementHead, words: StatementWords): StatementWriter {
  switch (choice.format) {
    case 'spreadsheet':
      return spreadsheet(head, words, choice.language);
    case 'csv':
      return scriptTable(head);
    case 'bookkeeping':
      return bookkeeping(head, words);
    case 'camt053':
      return camt053(head, words);
    case 'ofx':
      return ofx(head, words);
    case 'datev':
      return datev(head, words, choice.datev);
  }
}
