import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Catalogue } from '../../src-shared/words/catalogues/languages.ts';
import { catalogues } from '../../src-shared/words/catalogues/load.ts';

/** Finds what a message says on a screen, whatever its facts are. @throws Error when no message has this key. */
export type Say = (key: string) => RegExp;

/** A pattern for the words of a message. Facts, plurals and choices stand for any text. */
const pattern = (elements: readonly MessageFormatElement[]): string =>
  elements
    .map((element) => {
      if (element.type === TYPE.literal)
        return element.value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\s+/g, String.raw`\s+`);
      return element.type === TYPE.tag ? pattern(element.children) : '.*';
    })
    .join('');

/** The words of a catalogue, to find buttons and fields by their names in any language. */
export const sayIn =
  (catalogue: Catalogue): Say =>
  (key) => {
    const message = catalogue[key];
    if (message === undefined) throw new Error(`no message has the key ${key}`);
    // A field that must be filled in has a star behind its name.
    return new RegExp(String.raw`^${pattern(parse(message))}[\s*]*$`);
  };

/** The same for one of the program's languages. */
export async function sayInLanguage(language: keyof typeof catalogues): Promise<Say> {
  const { catalogue } = await (catalogues[language] ?? catalogues.en)();
  return sayIn(catalogue);
}
