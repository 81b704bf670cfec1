import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogueModules, languageFolders, messageTypes, signatureOf } from './generating/generate-message-types.mjs';

const CATALOGUES = join(import.meta.dirname, '../src-shared/words/catalogues');
/** What is said at a terminal is English, as its commands are. */
const isOfTerminal = (name: string): boolean => name.startsWith('terminal');

/** All messages of a language, by key. */
function catalogueOf(language: string): Map<string, string> {
  const files = readdirSync(join(CATALOGUES, language)).filter((name) => name.endsWith('.json') && !isOfTerminal(name));
  const entries = files.flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(join(CATALOGUES, language, name), 'utf8'))));
  return new Map(entries);
}

/** What a message takes, as a text. */
function taken(message: string): string {
  const { isRich, facts } = signatureOf(message);
  return `${isRich ? 'rich' : 'plain'} ${[...facts].map(([name, type]) => `${name}: ${type}`).join(', ')}`;
}

const english = catalogueOf('en');
/** The words of a text in the order of the alphabet, because the formatter sorts imports. */
const parts = (text: string): string[] => (text.match(/[\w./-]+/g) ?? []).sort();

describe('the catalogues', () => {
  it('of all languages have the same files, without those of the terminal', () => {
    const filesOf = (language: string) => readdirSync(join(CATALOGUES, language)).filter((name) => name.endsWith('.json'));
    const wanted = filesOf('en').filter((name) => !isOfTerminal(name));
    for (const language of languageFolders()) if (language !== 'en') expect(filesOf(language), language).toEqual(wanted);
  });

  it.each(languageFolders())('of %s have every message of the English one, and no other', (language) => {
    expect([...catalogueOf(language).keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each(languageFolders())('of %s take in each message what the English one takes', (language) => {
    const differing = [...catalogueOf(language)].flatMap(([key, message]) => {
      const [own, asked] = [taken(message), taken(english.get(key) ?? '')];
      return own === asked ? [] : [`${key} takes ${own}, not ${asked}`];
    });
    expect(differing).toEqual([]);
  });

  it.each([...messageTypes()].map(([name, text]) => [join('types', name), text] as const).concat([...catalogueModules()]))(
    'stand behind %s as it is (node scripts/generating/generate-message-types.mjs)',
    (path, text) => {
      expect(parts(readFileSync(join(CATALOGUES, path), 'utf8'))).toEqual(parts(text));
    },
  );

  it('are compared by what a message takes', () => {
    expect(taken('{count, plural, one {# payment} other {# payments}} of {name}')).toBe('plain count: number, name: text');
    expect(taken('Of <strong>{name}</strong>')).toBe('rich name: text');
    expect(taken('{isOn, select, true {On} other {Off}}')).toBe('plain isOn: boolean');
  });
});
