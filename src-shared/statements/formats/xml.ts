import { cut, onOneLine } from '../cells.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** What no XML 1.0 document may contain, in a text without lone surrogates. */
const FORBIDDEN = /[\uFFFE\uFFFF]/g;

/** A text as the content of an element, on one line and cut to so many characters. */
export const xmlText = (text: string, most: number): string =>
  cut(onOneLine(text).replace(FORBIDDEN, '\uFFFD'), most).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** An element with what is in it, which must be XML already. Without content there is no element. */
export const element = (name: string, ...content: readonly string[]): string => {
  const inner = content.join('');
  return inner === '' ? '' : `<${name}>${inner}</${name}>`;
};

/** An element with a text of at most so many characters. Without a text there is no element. */
export const textElement = (name: string, text: string | null, most: number): string => element(name, xmlText(text ?? '', most));
