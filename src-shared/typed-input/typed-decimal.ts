import { inAscii } from './in-ascii.ts';

const DECIMAL = /^(?<whole>\d{1,18})(?:[.,٫](?<fraction>\d{1,18}))?$/;

/**
 * Reads a rate or a percentage that a person typed, in the digits of any script. A point, a comma and the Arabic mark
 * all stand before decimal places, because nobody writes thousands there, and 1.085 must not become 1085.
 * @returns plain text such as `1.085`; undefined for everything else
 */
export function typedDecimal(text: string): string | undefined {
  const { whole, fraction } = DECIMAL.exec(inAscii(text))?.groups ?? {};
  if (whole === undefined) return undefined;
  return `${whole.replace(/^0+(?=\d)/, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}

/**
 * Reads a percentage that a person typed, with or without its sign.
 * @param places how many decimal places it may have
 * @returns a whole number: 5.5 with two places is 550. It is undefined for everything else
 */
export function typedPercentage(text: string, places: number): number | undefined {
  const decimal = typedDecimal(text.replace(/\s*[%٪]\s*$/, ''));
  const [whole = '', fraction = ''] = decimal?.split('.') ?? [];
  if (decimal === undefined || whole.length > 3 || fraction.length > places) return undefined;
  return Number(whole + fraction.padEnd(places, '0'));
}
