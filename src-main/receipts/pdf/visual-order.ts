/** How a character takes part in the direction of a text (UAX #9, without its rarer classes). */
type Kind = 'left' | 'right' | 'number' | 'neutral';

const RIGHT = /[\u0590-\u05ff\u0600-\u0603\u0608\u060b\u060d\u061b-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
const NUMBER = /[0-9\u0660-\u0669\u06f0-\u06f9]/u;
/** These belong to the number when they stand between two digits, and those below when they stand beside one. */
const WITHIN_NUMBER = /[.,:/\u00a0\u066b\u066c+\-\u2212]/u;
const BESIDE_NUMBER = /[%\u066a#$\u00a2-\u00a5\u20a0-\u20cf\u00b0\u2030]/u;
const STRONG = /\p{L}|\p{M}/u;
/** Characters that say how a text is to be ordered, and are not seen. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\u200b-\u200d\ufeff]/u;

/** Whether a character is something on the paper. */
export const isSeen = (character: string): boolean => !INVISIBLE.test(character);

const MIRRORED: ReadonlyMap<string, string> = new Map(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([open = '', close = '']) => [
    [open, close],
    [close, open],
  ]),
);

function kindOf(character: string): Kind {
  if (RIGHT.test(character)) return 'right';
  if (NUMBER.test(character)) return 'number';
  return STRONG.test(character) ? 'left' : 'neutral';
}

/** Signs that belong to a number count as part of it. */
function withNumbers(characters: readonly string[], kinds: readonly Kind[]): Kind[] {
  const joined = kinds.map((kind, at) => {
    const isWithin = WITHIN_NUMBER.test(characters[at] ?? '') && kinds[at - 1] === 'number' && kinds[at + 1] === 'number';
    return kind === 'neutral' && isWithin ? 'number' : kind;
  });
  return joined.map((kind, at) => {
    const isBeside = BESIDE_NUMBER.test(characters[at] ?? '') && (joined[at - 1] === 'number' || joined[at + 1] === 'number');
    return kind === 'neutral' && isBeside ? 'number' : kind;
  });
}

/** The direction of the first letter of a text. It is undefined for a text without letters. */
export function directionOfText(text: string): 'ltr' | 'rtl' | undefined {
  for (const character of text) {
    const kind = kindOf(character);
    if (kind === 'left' || kind === 'right') return kind === 'right' ? 'rtl' : 'ltr';
  }
  return undefined;
}

/** The level of each character: even from left to right, odd from right to left. */
function levelsOf(characters: readonly string[], base: 0 | 1): number[] {
  const kinds = withNumbers(characters, characters.map(kindOf));
  const start: Kind = base === 1 ? 'right' : 'left';
  let strong = start;
  // A number is written from left to right, and belongs to the text in which it stands.
  const sides = kinds.map((kind) => {
    if (kind === 'left' || kind === 'right') strong = kind;
    return kind === 'number' ? strong : kind;
  });
  return kinds.map((kind, at) => {
    if (kind === 'number') return sides[at] === 'right' || base === 1 ? 2 : 0;
    const before = sides.slice(0, at + 1).findLast((one) => one !== 'neutral') ?? start;
    const after = sides.slice(at).find((one) => one !== 'neutral') ?? start;
    const side = before === after ? before : start;
    return side === 'right' ? 1 : base === 1 ? 2 : 0;
  });
}

/**
 * Puts the characters of one line into the order in which they stand on the paper, from left to right (UAX #9).
 * @param direction of the line as a whole.
 */
export function inVisualOrder(text: string, direction: 'ltr' | 'rtl'): string[] {
  const characters = [...text].filter(isSeen);
  const levels = levelsOf(characters, direction === 'rtl' ? 1 : 0);
  const places = characters.map((_, at) => at);
  for (let level = Math.max(0, ...levels); level > 0; level -= 1) reverseFrom(places, levels, level);
  return places.map((place) => {
    const character = characters[place] ?? '';
    return (levels[place] ?? 0) % 2 === 1 ? (MIRRORED.get(character) ?? character) : character;
  });
}

/** Reverses every run of places that have at least this level. */
function reverseFrom(places: number[], levels: readonly number[], level: number): void {
  for (let at = 0; at < places.length; at += 1) {
    let end = at;
    while (end < places.length && (levels[places[end] ?? 0] ?? 0) >= level) end += 1;
    if (end > at) places.splice(at, end - at, ...places.slice(at, end).reverse());
    at = Math.max(at, end);
  }
}
