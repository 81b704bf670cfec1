/**
 * Blanks of every kind. Some of them count as letters or symbols but look empty. With them a stranger's word could fill
 * a line and continue as another word.
 */
const BLANK = /[\s\u115F\u1160\u2800\u3164\uFFA0]+/gu;

/** Control characters, invisible marks that turn the direction of writing or hide inside words, and lone surrogates. */
const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** More marks on one letter than any language needs. They would cover the lines above and below the text. */
const PILED_UP = /(\p{M}{4})\p{M}+/gu;

/**
 * Makes a stranger's text safe to read: the text cannot turn, hide or break the text beside it. Show it inside a
 * `<bdi>` element (see InertText). An emoji that joins several with invisible characters falls apart into its parts.
 */
export const inertText = (text: string): string =>
  text.replace(BLANK, ' ').replace(HARMFUL, '').replace(PILED_UP, '$1').replace(/ {2,}/g, ' ').trim();

const escaped = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A stranger's data as JSON of several lines. Of the characters that {@link inertText} removes it has the escapes. */
export const inertJson = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? '').replace(HARMFUL, (found) => (found === '\n' ? found : escaped(found)));

/**
 * A stranger's inert text for a place between quotation marks. It cannot end the quotation and continue as if it were
 * our own text.
 */
export const quotable = (text: string): string => inertText(text).replace(/[“”„‟"«»＂〝〞]/g, '’');

/** The segmenter is made once, because making one takes longer than using it. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The start of `text` with at most `length` characters as people count them. */
export function shortened(text: string, length: number): { text: string; whole: boolean } {
  // A character as people count them is at least one unit of the text, so a short text needs no counting. This saves
  // time in a list with hundreds of texts.
  if (text.length <= length) return { text, whole: true };
  const characters = [...graphemes.segment(text)];
  if (characters.length <= length) return { text, whole: true };
  const kept = characters.slice(0, length - 1).map(({ segment }) => segment);
  return { text: `${kept.join('').trimEnd()}…`, whole: false };
}

/** A URL without its scheme and its last slash, such as `shop.example/till`. */
export const hostAndPath = (url: string): string => inertText(url.replace(/^https?:\/\//, '').replace(/\/$/, ''));

/** The host of a URL, with its port if it has one. For a URL with an app's own scheme it is the scheme. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return inertText(url);
  return parsed.host === '' ? parsed.protocol : parsed.host;
}
