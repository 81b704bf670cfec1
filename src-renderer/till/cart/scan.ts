/** A key that was typed. */
export interface TypedKey {
  readonly key: string;
  /** The time at which it was typed, in milliseconds of any clock that never goes back. */
  readonly at: number;
  /** The amount that was typed before it. */
  readonly before: string;
}

/** What a scanner has typed, and the amount that a person had typed before. */
export interface Scan {
  readonly code: string;
  readonly before: string;
}

/** Nobody types four keys with so little time between two of them, in milliseconds. */
const BURST_MS = 50;
const LEAST_BURST = 4;
/** A text of this many letters and digits is no slip of the hand. */
const LEAST_LETTERS = 3;

/**
 * Tells what a scanner has typed when Enter comes, apart from an amount that a person has typed (decisions.md#D-250).
 * @returns undefined for an amount.
 */
export function scanOf(keys: readonly TypedKey[]): Scan | undefined {
  const burst = lastBurst(keys);
  const isBurst = burstOf(keys) !== undefined;
  const whole = textOf(keys);
  // A busy computer can part what a scanner types. What came before a burst was typed by a person if it is an amount.
  const isApart = isBurst && isAmount(whole.slice(0, -textOf(burst).length)) && (hasLetters(textOf(burst)) || isGtin(textOf(burst)));
  if (isApart) return told(burst);
  if (isGtin(whole) || (whole.length >= LEAST_LETTERS && hasLetters(whole))) return told(keys);
  return burstOf(keys);
}

/**
 * Tells what a scanner has typed into a field when Enter comes. A person writes words there, so letters tell nothing.
 * @returns undefined for what a person has typed.
 */
export const scanInField = (keys: readonly TypedKey[]): Scan | undefined => (isGtin(textOf(keys)) ? told(keys) : burstOf(keys));

function burstOf(keys: readonly TypedKey[]): Scan | undefined {
  const burst = lastBurst(keys);
  return burst.length >= LEAST_BURST && !isFraction(textOf(burst)) ? told(burst) : undefined;
}

const isAmount = (text: string): boolean => /^[\p{Nd}.,٫]*$/u.test(text);

const hasLetters = (text: string): boolean => !isAmount(text);

const textOf = (keys: readonly TypedKey[]): string => keys.map(({ key }) => key).join('');

const told = (keys: readonly TypedKey[]): Scan => ({ code: textOf(keys), before: keys[0]?.before ?? '' });

/** A text with a decimal point is an amount, however quickly it was typed. */
const isFraction = (text: string): boolean => /^\p{Nd}*[.,٫]\p{Nd}*$/u.test(text);

/** The last keys between which hardly any time has passed. */
function lastBurst(keys: readonly TypedKey[]): readonly TypedKey[] {
  let first = keys.length - 1;
  while (first > 0 && (keys[first]?.at ?? 0) - (keys[first - 1]?.at ?? 0) <= BURST_MS) first -= 1;
  return keys.slice(Math.max(first, 0));
}

/**
 * Whether a text is the number of a product with its check digit: GTIN-12, 13 or 14 (GS1 General Specifications, 7.9).
 * One of 8 digits can be a round amount, such as 12,500,000.
 */
export function isGtin(text: string): boolean {
  if (!/^\d{12,14}$/.test(text)) return false;
  const sum = [...text].reverse().reduce((all, digit, nth) => all + Number(digit) * (nth % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
