import type { Asset } from '../amounts.ts';
import { plainNumberText } from '../words/amount-text.ts';
import { locale } from '../words/language/locale.ts';
import { inAscii } from './in-ascii.ts';

/** A number as it is written out: its digits before and after the decimal point. */
interface Reading {
  readonly whole: string;
  readonly fraction: string;
}

/** The meaning of a text that a person typed. */
type Typed<T> =
  | { readonly kind: 'value'; readonly value: T }
  /**
   * `write` shows how to write each of the two numbers that the text can mean, so that it means nothing else. The
   * second one is missing when it has more decimal places than its currency.
   */
  | { readonly kind: 'ambiguous'; readonly write: readonly string[] }
  | { readonly kind: 'invalid' };

/**
 * A tag in place of a language's: a text that can mean two numbers in any language is refused. It is for texts that
 * people write for programs.
 */
export const NO_LANGUAGE = 'und';

/** The languages whose signs for currencies are known here: `$`, `CA$` and `US$` for dollars, and the wide `￥`. */
const SIGN_LANGUAGES = ['en', 'en-CA', 'ja'];

/** Thousands between points, commas, spaces, apostrophes or Arabic separators, as long as they are all alike. */
const THOUSANDS = /^[1-9]\d{0,2}(?<between>[., '٬])\d{3}(?:\k<between>\d{3})*$/;
/** Lakhs and crores, such as 12,34,567. */
const LAKHS = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;
/** Decimal places, or the dash that stands for none in prices such as `12,-`. */
const FRACTION = /^(?<left>.*)(?<point>[.,٫])(?:(?<fraction>\d{0,255})|[-–—]{1,2})$/;

/**
 * Reads the amount that a person typed or pasted in any form that can mean one number only, such as `12.5`,
 * `1.234,50`, `€ 1’234.50`, `12,34,567 INR` or `١٢٫٥`. Of two numbers the reader's language decides where it can
 * (decisions.md#D-195). Nothing is rounded.
 * @param tag the language in which the reader sees amounts, or {@link NO_LANGUAGE}
 * @returns a value in smallest units of the asset. It is not negative, and it can be more than an account holds.
 */
export function readTyped(text: string, asset: Asset, tag: string = locale()): Typed<bigint> {
  const { assetCode, assetScale } = asset;
  const meant = meaningOf(withoutCurrency(inAscii(text), assetCode, tag), assetScale, tag);
  if (meant.kind !== 'value') return meant;
  const { whole, fraction } = meant.value;
  if (fraction.length > assetScale) return { kind: 'invalid' };
  return { kind: 'value', value: BigInt(whole + fraction.padEnd(assetScale, '0')) };
}

/** The value of {@link readTyped}. It is undefined when the text is no amount, or can mean two. */
export function typedAmount(text: string, asset: Asset, tag: string = locale()): bigint | undefined {
  const typed = readTyped(text, asset, tag);
  return typed.kind === 'value' ? typed.value : undefined;
}

/** Reads a number whose currency is not known, in the forms of {@link readTyped}, as plain text such as `1234.5`. */
export function readTypedNumber(text: string, tag: string = locale()): Typed<string> {
  const meant = meaningOf(inAscii(text), undefined, tag);
  if (meant.kind !== 'value') return meant;
  const { whole, fraction } = meant.value;
  return { kind: 'value', value: fraction === '' ? whole : `${whole}.${fraction}` };
}

/** The text without the currency before or after it. Another currency stays, so that it is no number. */
function withoutCurrency(text: string, assetCode: string, tag: string): string {
  if (/^[\d\s.,'٫٬–—-]*$/.test(text)) return text;
  const upper = text.toUpperCase();
  for (const sign of signsOf(assetCode, tag)) {
    // A point after a sign belongs to the sign (12 kr.), unless it can begin the number (kr.50).
    const before = [`${sign}. `, sign].find((start) => upper.startsWith(start));
    if (before !== undefined) return text.slice(before.length).trimStart();
    const after = [`${sign}.`, sign].find((end) => upper.endsWith(end));
    if (after !== undefined) return text.slice(0, -after.length).trimEnd();
  }
  return text;
}

/** The code and the signs of a currency in capitals, the longest first. */
function signsOf(assetCode: string, tag: string): string[] {
  const signs = new Set([assetCode.toUpperCase()]);
  if (/^[A-Z]{3}$/.test(assetCode)) {
    for (const language of [...SIGN_LANGUAGES, ...(tag === NO_LANGUAGE ? [] : [tag])]) {
      for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
        const format = new Intl.NumberFormat(language, { style: 'currency', currency: assetCode, currencyDisplay });
        const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
        if (sign !== undefined) signs.add(inAscii(sign).toUpperCase());
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
 * no decimal places it begins thousands. Otherwise the language decides.
 */
function meaningOf(number: string, assetScale: number | undefined, tag: string): Typed<Reading> {
  const [first, second] = readings(number);
  if (first === undefined) return { kind: 'invalid' };
  if (second === undefined || assetScale === 0) return { kind: 'value', value: first };
  const meant = useOf(number.includes('.') ? '.' : ',', assetScale, tag);
  // A number without a currency can have any decimal places.
  if (meant === 'decimal' && (assetScale ?? 3) >= 3) return { kind: 'value', value: second };
  // With three decimal places and more a currency can hold both numbers, and they are too far apart for a guess.
  if (meant === 'group' && (assetScale ?? 0) <= 2) return { kind: 'value', value: first };
  return { kind: 'ambiguous', write: written(first, second, assetScale).map((one) => plainNumberText(one, tag)) };
}

/** Each of two numbers as plain text. The second one is left out when its currency cannot hold it. */
function written({ whole: thousands }: Reading, { whole, fraction }: Reading, assetScale: number | undefined): string[] {
  const places = assetScale !== undefined && assetScale <= 3 ? fraction.slice(0, assetScale) : `${fraction}0`;
  const isCut = /[1-9]/.test(fraction.slice(places.length));
  return isCut ? [thousands] : [thousands, `${whole}.${places}`];
}

const uses = new Map<string, ReadonlyMap<string, 'group' | 'decimal'>>();

/**
 * Says whether a mark parts groups or begins decimals in a language, with its own digits or with those from 0 to 9. It
 * is undefined when the language does not use the mark.
 * Without a language, a point before three decimal places is the one that programs write.
 */
function useOf(mark: string, assetScale: number | undefined, tag: string): 'group' | 'decimal' | undefined {
  if (tag === NO_LANGUAGE) return assetScale === 3 && mark === '.' ? 'decimal' : undefined;
  let known = uses.get(tag);
  if (known === undefined) {
    const parts = [undefined, 'latn'].flatMap((numberingSystem) =>
      new Intl.NumberFormat(tag, { ...(numberingSystem && { numberingSystem }) }).formatToParts(1_234_567.5),
    );
    known = new Map(parts.flatMap(({ type, value }) => (type === 'group' || type === 'decimal' ? [[value, type] as const] : [])));
    uses.set(tag, known);
  }
  return known.get(mark);
}
