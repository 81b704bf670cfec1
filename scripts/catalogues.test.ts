import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { MOST_COUNTED } from '../src-shared/operator-contract/most-counted.ts';
import {
  catalogueModules,
  elementsOf,
  isAtStart,
  languageFolders,
  messageTypes,
  signatureOf,
} from './generating/generate-message-types.mjs';

const CATALOGUES = join(import.meta.dirname, '../src-shared/words/catalogues');
const filesOf = (language: string): string[] => readdirSync(join(CATALOGUES, language)).filter((name) => name.endsWith('.json'));

/** All messages of a language, by key. */
function catalogueOf(language: string): Map<string, string> {
  const entries = filesOf(language).flatMap((name) =>
    Object.entries<string>(JSON.parse(readFileSync(join(CATALOGUES, language, name), 'utf8'))),
  );
  return new Map(entries);
}

/** What a message takes, as a text. */
function taken(message: string): string {
  const { isRich, facts } = signatureOf(message);
  return `${isRich ? 'rich' : 'plain'} ${[...facts].map(([name, type]) => `${name}: ${type}`).join(', ')}`;
}

/** The categories of plurals that are not those of CLDR. A plural may also have none: its number changes no word. */
function wrongPlurals(message: string, language: string): string[] {
  const named = elementsOf(message).flatMap((element) => {
    if (element.type !== TYPE.plural) return [];
    const { pluralCategories } = new Intl.PluralRules(language, { type: element.pluralType ?? 'cardinal' }).resolvedOptions();
    const own = Object.keys(element.options).filter((name) => !name.startsWith('='));
    return [{ own: own.sort().join(), wanted: [...pluralCategories].sort().join() }];
  });
  return named.flatMap(({ own, wanted }) => (own === wanted || own === 'other' ? [] : [own]));
}

const english = catalogueOf('en');
/** The words of a text in the order of the alphabet, because the formatter sorts imports. */
const parts = (text: string): string[] => (text.match(/[\w./-]+/g) ?? []).sort();

/**
 * Every name in the source that can lead to a message. A file that has words can name one in any way. Elsewhere only a
 * text or a key can be the code of something for which there is a message.
 */
function namesInSource(): Set<string> {
  const root = join(import.meta.dirname, '..');
  const names = new Set<string>(BY_STATUS);
  for (const folder of ['src-main', 'src-renderer', 'src-shared']) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${file}`;
      if (!/\.tsx?$/.test(path) || /\.test\.|\/testing\/|\/catalogues\//.test(path)) continue;
      const text = readFileSync(join(root, path), 'utf8');
      const hasWords = /^src-shared\/(words|operator-contract)\//.test(path) || /from '[^']*\/words\//.test(text);
      for (const [ending] of text.matchAll(/(?<=\$\{\w+)\}[A-Z]\w+(?=`)/g)) names.add(ending);
      for (const name of text.match(hasWords ? /[\w$-]+/g : /(?<=')[\w$.-]+(?=')|\b[\w$]+(?=:)/g) ?? [])
        names.add(name.replaceAll('.', '_'));
    }
  }
  return names;
}

/** Codes that no file names: the client makes them from the status of an answer. */
const BY_STATUS = ['UNAUTHORIZED'];

/** Whether the source names a part of a key, as it is or with an ending that a template adds. */
function isNamed(part: string, names: ReadonlySet<string>): boolean {
  const isWhole = (name: string) => /^\d+$/.test(name) || names.has(name);
  if (isWhole(part)) return true;
  const endings = [...names].filter((name) => name.startsWith('}') && part.endsWith(name.slice(1)));
  return endings.some((ending) => isWhole(part.slice(0, 1 - ending.length)));
}

/** The keys of which a part is named nowhere. An operation is named by its groups and itself. */
const unused = (keys: Iterable<string>, names: ReadonlySet<string>): string[] =>
  [...keys].filter((key) => {
    const isOperation = key.startsWith('activity.did.');
    return !key.split('.').every((part) => isNamed(part, names) || (isOperation && part.split('_').every((one) => names.has(one))));
  });

describe('the catalogues', () => {
  it('of all languages have the same files', () => {
    for (const language of languageFolders()) expect(filesOf(language), language).toEqual(filesOf('en'));
  });

  it('hold no message that nothing says', () => {
    const names = namesInSource();
    expect(unused(english.keys(), names)).toEqual([]);
    expect(unused(['common.cancel', 'common.nobodySaysThis'], names)).toEqual(['common.nobodySaysThis']);
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

  it.each(languageFolders())('of %s add at most 30 kB with gzip to the console’s start', (language) => {
    const files = filesOf(language).filter(isAtStart);
    const words = Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(CATALOGUES, language, name), 'utf8'))));
    expect(gzipSync(JSON.stringify(words)).length).toBeLessThanOrEqual(30_000);
  });

  it.each(languageFolders())('of %s name in each plural the categories that CLDR has for the language, and no others', (language) => {
    expect(
      [...catalogueOf(language)].flatMap(([key, message]) => wrongPlurals(message, language).map((wrong) => `${key}: ${wrong}`)),
    ).toEqual([]);
  });

  it('are told which categories a plural lacks or has too many', () => {
    expect(wrongPlurals('{n, plural, one {# pago} other {# pagos}}', 'es')).toEqual(['one,other']);
    expect(wrongPlurals('<strong>{n, plural, one {a} few {b} other {c}}</strong>', 'en')).toEqual(['few,one,other']);
    expect(wrongPlurals('{n, plural, =0 {} one {a} many {b} other {c}}', 'fr')).toEqual([]);
    // A number beside words that it does not change.
    expect(wrongPlurals('{n, plural, =0 {Filters} other {Filters (#)}}', 'ar')).toEqual([]);
  });

  it('are compared by what a message takes', () => {
    expect(taken('{count, plural, one {# payment} other {# payments}} of {name}')).toBe('plain count: number, name: text');
    expect(taken('Of <strong>{name}</strong>')).toBe('rich name: text');
    expect(taken('{isOn, select, true {On} other {Off}}')).toBe('plain isOn: boolean');
  });
});

it.each(languageFolders())('%s has words for more than what is counted', (language) => {
  const packets = ['incoming_payment.received', 'incoming_payment.receivedMoney', 'outgoing_payment.sent', 'outgoing_payment.sentMoney'];
  const keys = ['apps.payments', 'payments.fact.packetsCount', ...packets.map((key) => `payments.timelineEvents.${key}Packets`)];
  const messages = catalogueOf(language);
  const more = new RegExp(`=${MOST_COUNTED + 1} \\{\\D+10\\D000\\D+\\}`);
  for (const key of keys) expect(messages.get(key)).toMatch(more);
});
