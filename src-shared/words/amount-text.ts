import { type Amount, type Asset, assetKey, toDecimal } from '../amounts.ts';
import { CURRENCIES } from '../currencies.ts';
import { locale } from './language/locale.ts';

const isoAssets: ReadonlySet<string> = new Set(CURRENCIES.map(assetKey));
const formats = new Map<string, Intl.NumberFormat>();

/** Uses currency style where readers know the currency with these decimal places, and a plain number otherwise. */
function formatOf(asset: Asset, tag: string): Intl.NumberFormat {
  const key = `${tag} ${assetKey(asset)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = currencyFormat(asset, tag) ?? plainFormat(asset, tag);
    formats.set(key, format);
  }
  return format;
}

function currencyFormat(asset: Asset, tag: string): Intl.NumberFormat | undefined {
  if (!isoAssets.has(assetKey(asset))) return undefined;
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency: asset.assetCode });
  return format.resolvedOptions().maximumFractionDigits === asset.assetScale ? format : undefined;
}

const plainFormat = ({ assetScale }: Asset, tag: string): Intl.NumberFormat =>
  new Intl.NumberFormat(tag, { minimumFractionDigits: assetScale, maximumFractionDigits: assetScale });

/** The most decimal places that `Intl.NumberFormat` accepts. */
const MOST_PLACES = 100;

const isNumeric = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/**
 * The amount as people of the language `tag` write it. It is exact at any size, because it never becomes a
 * floating-point number.
 */
export const amountText = (amount: Amount, tag: string = locale()): string => inOrder(unordered(amount, tag));

function unordered({ value, assetCode, assetScale }: Amount, tag: string): string {
  const decimal = toDecimal(value, assetScale);
  if (!isNumeric(decimal) || assetScale > MOST_PLACES) return `${decimal}\u00a0${assetCode}`;
  const format = formatOf({ assetCode, assetScale }, tag);
  const text = format.format(decimal);
  return format.resolvedOptions().style === 'currency' ? text : `${text}\u00a0${assetCode}`;
}

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT, ARABIC] = ['\u200e', '\u200f', '\u061c'];
const isFromRight = (text: string): boolean => text.startsWith(RIGHT_TO_LEFT) || text.startsWith(ARABIC);

/**
 * The amount with marks that keep its two pieces whole where it runs from right to left. `Intl` says only that it does:
 * the sign of `US$` would stand apart from its letters, and a number with a sign to the left of the currency.
 */
function inOrder(text: string): string {
  const [number, currency] = text.split('\u00a0');
  if (!isFromRight(text) || number === undefined || currency === undefined) return text;
  const isLatin = /^[A-Z]/.test(currency);
  return `${number}${RIGHT_TO_LEFT}\u00a0${isLatin ? LEFT_TO_RIGHT : ''}${currency}${isLatin ? LEFT_TO_RIGHT : ''}`;
}

/**
 * The amount followed by the code of its currency. It is for readers of whom only the language is known, because `$`
 * stands for many currencies.
 */
export const codedAmountText = (amount: Amount, tag: string): string => `${numberText(amount, tag)} ${amount.assetCode}`;

/** The amount alone, where its currency stands beside it. */
export function numberText({ value, assetCode, assetScale }: Amount, tag: string): string {
  const decimal = toDecimal(value, assetScale);
  return isNumeric(decimal) ? plainFormat({ assetCode, assetScale }, tag).format(decimal) : decimal;
}

/**
 * A number that is not negative as people of the language `tag` type it, without marks between thousands.
 * @param decimal plain text such as `1234.50`, whose decimal places are all kept
 * @param tag `und` for the plain text itself
 */
export function plainNumberText(decimal: string, tag: string = locale()): string {
  const places = decimal.split('.')[1]?.length ?? 0;
  if (tag === 'und' || !isNumeric(decimal) || places > MOST_PLACES) return decimal;
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
  return new Intl.NumberFormat(tag, { useGrouping: false, ...digits }).format(decimal);
}

/** The pieces of the text of an amount between which a line may break: the number, and its currency. */
export const moneyParts = (text: string): string[] => text.split(/[ \u00a0]/);

/** The number of characters of an amount that a reader sees, without the marks that order it. */
export const lengthOf = (text: string): number => text.replace(/[\u200e\u200f\u061c]/g, '').length;

/** The text of {@link amountText} with a true minus sign, which is as wide as a digit. */
export const signedText = (amount: Amount, tag: string = locale()): string => amountText(amount, tag).replace('-', '\u2212');

/** The text of {@link signedText}, with a plus sign for money that came in. */
export function changeText(amount: Amount, tag: string = locale()): string {
  const text = signedText(amount, tag);
  if (amount.value <= 0n) return text;
  // The sign is a part of the number, which runs from left to right.
  return isFromRight(text) ? `${text.charAt(0)}${LEFT_TO_RIGHT}+${text.slice(1)}` : `+${text}`;
}

/** How much of `whole` is `part`, in whole per cent from 0 to 100. */
export function percent(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 0;
  const exact = Number((part * 100n) / whole);
  return exact > 100 ? 100 : exact;
}

const names = new Map<string, Intl.DisplayNames>();

/** The name of a currency, such as "Euro". It is undefined when there is no such ISO currency. */
export function currencyName(assetCode: string, tag: string = locale()): string | undefined {
  if (!/^[A-Z]{3}$/.test(assetCode)) return undefined;
  let display = names.get(tag);
  if (display === undefined) {
    display = new Intl.DisplayNames(tag, { type: 'currency', fallback: 'none' });
    names.set(tag, display);
  }
  return display.of(assetCode);
}
