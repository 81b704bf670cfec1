import type { Asset } from '../amounts.ts';

/** A number as it is written out: its digits before and after the decimal point. */
interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

/** What a text that a person typed means. */
type Typed<T> =
  | { readonly kind: 'value'; readonly value: T }
  /**
   * `write` is how each of the two numbers that the text can mean is written so that it means nothing else. The second
   * one is missing when it has more decimal places than its currency.
   */
  | { readonly kind: 'ambiguous'; readonly write: readonly [whole: string, decimal?: string] }
  | { readonly kind: 'invalid' };

/** The languages whose signs for currencies are known here: `$`, `CA$` and `US$` for dollars, and the wide `￥`. */
const SIGN_LANGUAGES = ['en', 'en-CA', 'ja'];

/** Marks of direction, which `Intl` writes into Arabic and Hebrew numbers. They show nothing. */
const MARKS = /[\u200e\u200f\u061c]/g;
/** Thousands between points, commas, spaces, apostrophes or Arabic separators, as long as they are all alike. */
const THOUSANDS = /^[1-9]\d{0,2}(?<between>[., '٬])\d{3}(?:\k<between>\d{3})*$/;
/** Lakhs and crores, such as 12,34,567. */
const LAKHS = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;
/** Decimal places, or the dash that stands for none in prices such as `12,-`. */
const FRACTION = /^(?<left>.*)(?<point>[.,٫])(?:(?<fraction>\d{0,255})|[-–—]{1,2})$/;

/**
 * Reads the amount that a person typed or pasted in any form that can mean one number only, such as `12.5`,
 * `1.234,50`, `€ 1’234.50`, `12,34,567 INR` or `١٢٫٥`. Nothing is rounded, and no language is assumed
 * (decisions.md#D-14).
 * @returns a value in smallest units of the asset. It is not negative, and it can be more than an account holds.
 */
export function readTyped(text: string, asset: Asset): Typed<bigint> {
  const number = withoutCurrency(plain(text), asset.assetCode);
  const { assetScale } = asset;
  const meant = oneOf(readings(number), number.includes('.'), assetScale);
  if (meant.kind !== 'value') return meant;
  const { whole, fraction } = meant.value;
  if (fraction.length > assetScale) return { kind: 'invalid' };
  return { kind: 'value', value: BigInt(whole + fraction.padEnd(assetScale, '0')) };
}

/** The value of {@link readTyped}. It is undefined when the text is no amount, or can mean two. */
export function typedAmount(text: string, asset: Asset): bigint | undefined {
  const typed = readTyped(text, asset);
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Reads a number whose currency is not known, in the forms of {@link readTyped}, as plain text such as `1234.5`. */
export function readTypedNumber(text: string): Typed<string> {
  const meant = oneOf(readings(plain(text)), false, undefined);
  if (meant.kind !== 'value') return meant;
  const { whole, fraction } = meant.value;
  return { kind: 'value', value: fraction === '' ? whole : `${whole}.${fraction}` };
}

/** The text in ASCII as far as its digits, spaces and full-width forms go. Every other character stays. */
const plain = (text: string): string =>
  text
    .replace(MARKS, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('’', "'")
    .replace(/\s/g, ' ')
    .trim();

/** The ASCII digit with the same value. Unicode has the ten digits of a script in a row, from zero to nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** The text without the currency before or after it. Another currency stays, so that it is no number. */
function withoutCurrency(text: string, assetCode: string): string {
  if (/^[\d\s.,'٫٬–—-]*$/.test(text)) return text;
  const upper = text.toUpperCase();
  for (const sign of signsOf(assetCode)) {
    // A point after a sign belongs to the sign (12 kr.), unless it can begin the number (kr.50).
    const before = [`${sign}. `, sign].find((start) => upper.startsWith(start));
    if (before !== undefined) return text.slice(before.length).trimStart();
    const after = [`${sign}.`, sign].find((end) => upper.endsWith(end));
    if (after !== undefined) return text.slice(0, -after.length).trimEnd();
  }
  return text;
}

/** The code and the signs of a currency in capitals, the longest first. */
function signsOf(assetCode: string): string[] {
  const signs = new Set([assetCode.toUpperCase()]);
  if (/^[A-Z]{3}$/.test(assetCode)) {
    for (const language of SIGN_LANGUAGES) {
      for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
        const format = new Intl.NumberFormat(language, { style: 'currency', currency: assetCode, currencyDisplay });
        const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
        if (sign !== undefined) signs.add(sign.toUpperCase());
      }
    }
  }
  return [...signs].sort((a, b) => b.length - a.length);
}

/** Every number that the text can mean: none, one, or two. When it is two, the first has no decimal places. */
function readings(number: string): Reading[] {
  const whole = wholeOf(number);
  const found = whole === undefined ? [] : [{ whole, fraction: '' }];
  const { left = '', point = '', fraction = '' } = FRACTION.exec(number)?.groups ?? {};
  const before = left === '' && fraction !== '' ? '0' : wholeOf(left);
  if (point !== '' && before !== undefined && !left.includes(point)) found.push({ whole: before, fraction });
  return found;
}

function wholeOf(text: string): string | undefined {
  const isWhole = /^\d+$/.test(text) || THOUSANDS.test(text) || LAKHS.test(text);
  const digits = text.replace(/\D/g, '');
  return isWhole && digits.length <= 30 ? digits : undefined;
}

/**
 * Decides which number is meant. A separator before three digits can begin thousands or decimal places. Where there are
 * no decimal places it begins thousands. Where there are three, the point is the one that the console itself writes.
 */
function oneOf([first, second]: readonly Reading[], hasPoint: boolean, assetScale: number | undefined): Typed<Reading> {
  if (first === undefined) return { kind: 'invalid' };
  if (second === undefined || assetScale === 0) return { kind: 'value', value: first };
  if (assetScale === 3 && hasPoint) return { kind: 'value', value: second };
  const { whole, fraction } = second;
  const places = assetScale !== undefined && assetScale <= 3 ? fraction.slice(0, assetScale) : `${fraction}0`;
  const isCut = /[1-9]/.test(fraction.slice(places.length));
  return { kind: 'ambiguous', write: isCut ? [first.whole] : [first.whole, `${whole}.${places}`] };
}
