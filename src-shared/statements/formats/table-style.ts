/** How people of a language write a table. */
export interface TableStyle {
  separator: string;
  /** The decimal separator. */
  point: string;
  /** How a day is written: a text with YYYY, MM and DD. */
  day: string;
}

const ISO_DAY = 'YYYY-MM-DD';
export const PLAIN: TableStyle = { separator: ',', point: '.', day: ISO_DAY };
const SLASHES: TableStyle = { separator: ';', point: ',', day: 'DD/MM/YYYY' };

/**
 * The style of each language. Where a comma stands before the decimals, spreadsheets expect semicolons between the
 * cells. English and Arabic readers do not agree on the order of day and month, so theirs is that of ISO 8601.
 */
const STYLES: Readonly<Record<string, TableStyle>> = {
  de: { ...SLASHES, day: 'DD.MM.YYYY' },
  fr: SLASHES,
  es: SLASHES,
  'pt-BR': SLASHES,
};

/** How people of a language write a table. */
export const tableStyleOf = (language: string): TableStyle => STYLES[language] ?? PLAIN;

/** A day as a table has it. @param text begins with a day of ISO 8601, such as `2026-03-14T09:30:00`. */
export const dayIn = ({ day }: TableStyle, text: string): string =>
  day.replace('YYYY', text.slice(0, 4)).replace('MM', text.slice(5, 7)).replace('DD', text.slice(8, 10));
