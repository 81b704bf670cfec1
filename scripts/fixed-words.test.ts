import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, it } from 'vitest';
import { elementsOf, languageFolders } from './generating/generate-message-types.mjs';

// The glossary says which words a language does not use, because it has another one for the thing.

const root = join(import.meta.dirname, '..');
const CATALOGUES = join(root, 'src-shared/words/catalogues');

/** The words that the glossary forbids, by the language. */
function forbidden(glossary: string): Map<string, string[]> {
  const table = glossary.slice(glossary.lastIndexOf('| Language | Words |'));
  return new Map(
    [...table.matchAll(/^\| ([a-zA-Z-]+) \| (.+) \|$/gm)].slice(1).map(([, language = '', words = '']) => [language, words.split(', ')]),
  );
}

/** What a reader sees of a message: its words, without the names of what is put in. */
const wordsIn = (message: string): string =>
  elementsOf(message)
    .flatMap((element) => (element.type === TYPE.literal ? element.value : []))
    .join(' ');

/**
 * The words of a list that are in a message, as whole words. One with a capital letter is the name of a screen, or what
 * only begins a sentence, such as an order; any other is found with a capital letter, too.
 */
const found = (message: string, words: readonly string[]): string[] =>
  words.filter((word) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, /^\p{Lu}/u.test(word) ? 'u' : 'iu').test(wordsIn(message)));

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const lists = forbidden(glossary);

it('the glossary has a list for every language', () => {
  expect([...lists.keys()].sort()).toEqual(languageFolders().sort());
});

it.each([...lists])('the catalogue of %s uses none of the words that the glossary forbids', (language, words) => {
  const wrong = readdirSync(join(CATALOGUES, language))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(join(CATALOGUES, language, name), 'utf8'))))
    .flatMap(([key, message]) => found(message, words).map((word) => `${key}: ${word}`));
  expect(wrong).toEqual([]);
});

/** The words of a row of the glossary's table of languages, by the heading of the column. A word may have a plural. */
function row(name: string): Map<string, string[]> {
  const cells = (line: string) => line.split('|').map((cell) => cell.trim());
  const lines = glossary.split('\n');
  const headings = cells(lines.find((line) => line.startsWith('| | English |')) ?? '');
  const found = cells(lines.find((line) => line.startsWith(`| ${name} | ${name} |`)) ?? '');
  return new Map(
    headings.flatMap((heading, at) => (at > 1 ? [[heading, (found[at] ?? '').split(/ [(]|[)]/).filter(Boolean)] as const] : [])),
  );
}

const COLUMNS: Readonly<Record<string, string>> = {
  ...{ ar: 'Arabic', de: 'German', en: 'English', es: 'Spanish', fr: 'French', 'pt-BR': 'Portuguese' },
};
const messagesOf = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...readdirSync(join(CATALOGUES, language))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(CATALOGUES, language, name), 'utf8'))),
  );
/** Without capitals, and without the marks that the plural of some words has: Kassenkräfte. */
const bare = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

it.each([...lists.keys()])('in %s the cashier has a word of their own, which is not that of the till', (language) => {
  const [cashier, till] = ['cashier', 'till'].map((name) => row(name).get(COLUMNS[language] ?? '') ?? []);
  expect(cashier).not.toEqual(till);
  const messages = messagesOf(language);
  expect(bare(messages['people.roles.cashier'] ?? '')).toBe(bare(cashier?.[0] ?? 'no word'));
  const about = Object.entries(messagesOf('en')).filter(([, message]) => /cashier/i.test(wordsIn(message)));
  expect(about.length).toBeGreaterThan(8);
  const without = about.filter(([key]) => !cashier?.some((word) => bare(messages[key] ?? '').includes(bare(word))));
  expect(without.map(([key]) => key)).toEqual([]);
});

it('a word is found at the beginning of a sentence and within a plural, and not in another word or a name', () => {
  expect(found('{n, plural, one {Cartera llena} other {Nada}}', ['cartera'])).toEqual(['cartera']);
  expect(found('Carteras {cartera}', ['cartera'])).toEqual([]);
  expect([found('Mire aquí', ['Mire']), found('Quien lo mire', ['Mire'])]).toEqual([['Mire'], []]);
});
