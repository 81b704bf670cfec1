import { type Asset, MAX_MOVED } from '../../src-shared/amounts.ts';

/** What a key of the keypad does. */
export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '00' | 'point' | 'back' | 'clear';

/**
 * The amount after a key was pressed, as plain text such as `12.5`; nothing is typed in an empty one. It never has more
 * decimal places than the currency, and is never more than an account holds: such a key changes nothing.
 */
export function pressed(text: string, key: Key, asset: Pick<Asset, 'assetScale'>): string {
  if (key === 'clear') return '';
  if (key === 'back') return text === '0.' ? '' : text.slice(0, -1);
  if (key === 'point') return asset.assetScale === 0 || text.includes('.') ? text : `${text || '0'}.`;
  const next = text + key;
  // Zeros before the first other digit are one.
  const clean = next.includes('.') ? next : next.replace(/^0+(?=\d)/, '');
  return fits(clean, asset) ? clean : text;
}

const fits = (text: string, asset: Pick<Asset, 'assetScale'>): boolean =>
  (placesOf(text) ?? 0) <= asset.assetScale && typedValue(text, asset) <= MAX_MOVED;

/** How many decimal places are typed. It is undefined before the decimal point. */
export const placesOf = (text: string): number | undefined => text.split('.')[1]?.length;

/** The typed amount in smallest units. */
export function typedValue(text: string, { assetScale }: Pick<Asset, 'assetScale'>): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(assetScale, '0') || '0');
}

/** Reads what a key of a keyboard means. It is undefined for a key that types nothing here. */
export function keyOf(key: string, digitOf: (text: string) => string | undefined): Key | undefined {
  if (key === 'Backspace') return 'back';
  if (key === 'Delete') return 'clear';
  if (key === '.' || key === ',' || key === '٫') return 'point';
  return /^\p{Nd}$/u.test(key) ? DIGITS.find((digit) => digit === digitOf(key)) : undefined;
}

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

/**
 * Divides the text of an amount into what is typed and the decimal places that are not yet, which a screen shows paler.
 * @param shown the whole amount as its readers write it, such as `€12.50`.
 * @param typed what was typed of it, such as `12.5`.
 */
export function typedParts(
  shown: string,
  typed: string,
  { assetScale }: Pick<Asset, 'assetScale'>,
): [typed: string, still: string, rest: string] {
  if (typed === '') return ['', shown, ''];
  const found = new RegExp(`^(.*\\p{Nd})(\\P{Nd}?)(\\p{Nd}{${assetScale}})(\\P{Nd}*)$`, 'u').exec(shown);
  if (assetScale === 0 || found === null) return [shown, '', ''];
  const [, whole = '', point = '', fraction = '', rest = ''] = found;
  const places = placesOf(typed);
  if (places === undefined) return [whole, point + fraction, rest];
  return [whole + point + fraction.slice(0, places), fraction.slice(places), rest];
}
