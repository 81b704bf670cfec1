import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { catalogue } from '../../../src-shared/words/catalogues/en/catalogue.ts';
import type { Catalogue } from '../../../src-shared/words/catalogues/languages.ts';

const MARKED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'ü',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ö',
  U: 'Ü',
  n: 'ñ',
  c: 'ç',
};

const marked = (text: string): string => [...text].map((letter) => MARKED[letter] ?? letter).join('');

const turned = (elements: readonly MessageFormatElement[]): MessageFormatElement[] =>
  elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: marked(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: turned(element.children) };
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return element;
    const options = Object.entries(element.options).map(([key, option]) => [key, { ...option, value: turned(option.value) }] as const);
    return { ...element, options: Object.fromEntries(options) };
  });

/** How long a message is at most, without what its facts add. */
const lengthOf = (elements: readonly MessageFormatElement[]): number =>
  elements.reduce((sum, element) => {
    if (element.type === TYPE.literal) return sum + element.value.length;
    if (element.type === TYPE.tag) return sum + lengthOf(element.children);
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return sum;
    return sum + Math.max(...Object.values(element.options).map(({ value }) => lengthOf(value)));
  }, 0);

/** Fills a message up until it is half as long again. */
const padding = (length: number): string =>
  Array.from({ length: Math.ceil(length * 0.4) }, (_, index) => (index % 7 === 0 ? ' ' : 'ö')).join('');

function pseudo(message: string): string {
  const elements = parse(message);
  return message === '' ? '' : `⟦${printAST(turned(elements))}${padding(lengthOf(elements))}⟧`;
}

/**
 * The catalogue of a language that nobody speaks, made from the English one: its letters have marks, it is half as long
 * again, and each message stands between brackets. A text without brackets does not come from the catalogues.
 */
export const pseudoCatalogue = (): Catalogue =>
  Object.fromEntries(Object.entries(catalogue).map(([key, message]) => [key, pseudo(message)]));
