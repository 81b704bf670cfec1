import { IntlMessageFormat } from 'intl-messageformat';
import { defaultCatalogue } from '#default-catalogue';
import type { Catalogue, LanguageTag } from '../catalogues/languages.ts';
import type { Messages } from '../catalogues/types/messages.ts';
import type { Words } from '../words.ts';

/** A language with its words. */
interface Language {
  readonly tag: LanguageTag;
  readonly messages: Messages;
}

type Piece = Words[number];
type Fact = string | number | boolean | Words;
type Message = string | Words | ((facts: Readonly<Record<string, Fact>>) => string | Words);
interface Tree {
  [key: string]: Message | Tree | readonly (Message | Tree)[];
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar']);

/** The direction in which a language is written, as the attribute `dir` of HTML names it. */
export const directionOf = (tag: LanguageTag): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(tag) ? 'rtl' : 'ltr');

/** U+2068 and U+2069 keep a name or a number from changing the order of the words around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** A message that no format has to read: it has no facts, no emphasis and no quotes. */
const isLiteral = (message: string): boolean => !/[{}<>']/.test(message);

/** The message as a text or a function of its facts. It is read when it is first used. */
function messageOf(message: string, tag: LanguageTag, numbers: string): Message {
  if (isLiteral(message)) return message;
  const isRich = /<\/(strong|words)>/.test(message);
  const hasFacts = /[{]/.test(message.replace(/'[{}<>][^']*'/g, ''));
  let format: IntlMessageFormat | undefined;
  const told = (facts: Readonly<Record<string, Fact>>): string | Words => {
    format ??= new IntlMessageFormat(message, numbers);
    return isRich ? richText(format, facts, tag) : plainText(format, facts, tag);
  };
  return hasFacts ? told : told({});
}

/** The facts as the format takes them: names and amounts cannot reorder a sentence that is written from the right. */
const safely = (facts: Readonly<Record<string, Fact>>, tag: LanguageTag): Record<string, Fact> =>
  directionOf(tag) === 'ltr'
    ? facts
    : Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? isolated(fact) : fact]));

const plainText = (format: IntlMessageFormat, facts: Readonly<Record<string, Fact>>, tag: LanguageTag): string =>
  String(format.format<Words>(safely(facts, tag)));

/**
 * A text with emphasis, with each isolated fact in it as a piece of its own. Whoever shows a strong piece makes it
 * inert, which takes the marks away, and isolates the piece.
 */
const emphasized = (text: string): Piece[] =>
  text
    .split(/(\u2068[^\u2068\u2069]*\u2069)/)
    .filter((part) => part !== '')
    .map((part) => ({ strong: part }));

function richText(format: IntlMessageFormat, facts: Readonly<Record<string, Fact>>, tag: LanguageTag): Words {
  const said = format.format<Piece>({
    ...safely(facts, tag),
    words: (chunks) => chunks.flat(),
    strong: (chunks) => chunks.flat().flatMap((piece) => (typeof piece === 'string' ? emphasized(piece) : [piece])),
  });
  // A fact that is itself in pieces lies one deeper.
  return [said].flat(2);
}

const isList = (tree: object): boolean => Object.keys(tree).every((key, index) => key === String(index));

/** Groups with the keys 0, 1, 2 … become lists. */
const listed = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      if (typeof value !== 'object' || Array.isArray(value)) return [key, value];
      const inner = listed(value as Tree);
      return [key, isList(inner) ? Object.values(inner) : inner];
    }),
  ) as Tree;

/** The catalogue's keys with dots as a tree. */
function treeOf(catalogue: Catalogue, tag: LanguageTag): Tree {
  const numbers = regionalTag(tag);
  const tree: Tree = {};
  for (const [key, message] of Object.entries(catalogue)) {
    const names = key.split('.');
    const last = names.pop() ?? key;
    let place = tree;
    for (const name of names) {
      place[name] ??= {};
      place = place[name] as Tree;
    }
    place[last] = messageOf(message, tag, numbers);
  }
  return listed(tree);
}

/**
 * The tag for numbers and dates: the reader's own kind of the language, such as `en-GB` for a reader whose browser says
 * so. It is the language itself for a reader of another one.
 */
export const regionalTag = (tag: LanguageTag): string =>
  globalThis.navigator?.languages?.find((one) => one.toLowerCase().startsWith(tag.toLowerCase())) ?? tag;

const languages = new Map<LanguageTag, Language>();

/**
 * Makes words of a language known, besides those that are known already. A message that the catalogue lacks is the
 * English one; `scripts/catalogues.test.ts` refuses such a catalogue.
 */
export function learn(tag: LanguageTag, catalogue: Catalogue): void {
  const whole = tag === 'en' || defaultCatalogue === undefined ? catalogue : { ...defaultCatalogue, ...catalogue };
  // The types are written from the English catalogue, and that test compares every other one with it.
  const messages = { ...languages.get(tag)?.messages, ...treeOf(whole, tag) } as unknown as Messages;
  languages.set(tag, { tag, messages });
}

if (defaultCatalogue !== undefined) learn('en', defaultCatalogue);

let spokenTag: LanguageTag = 'en';

/** Chooses the language of this process or page. It must have been learnt. */
export function speak(tag: LanguageTag): void {
  messagesIn(tag);
  spokenTag = tag;
}

/**
 * Says something in another language, for a reader whose language is not that of the process.
 * @param say must not wait for anything, because the language is that of the whole process meanwhile
 */
export function inLanguage<Said>(tag: LanguageTag, say: () => Said): Said {
  const before = spokenTag;
  speak(tag);
  try {
    return say();
  } finally {
    spokenTag = before;
  }
}

/** Whether the words of a language are known. */
export const isLearnt = (tag: LanguageTag): boolean => languages.has(tag);

/** The language of this process or page. */
export const spoken = (): LanguageTag => spokenTag;

/** All messages of a language that has been learnt, for a reader whose language is not that of the process. */
export function messagesIn(tag: LanguageTag): Messages {
  const language = languages.get(tag);
  if (language === undefined) throw new Error(`the catalogue of ${tag} is not loaded`);
  return language.messages;
}

/**
 * The words of one area in the language of this process or page. Each word is looked up when it is read, so a module
 * may name an area before the language is chosen.
 */
export function area<Name extends keyof Messages>(name: Name): Messages[Name] {
  return lookedUp(() => areaSpoken(name));
}

function areaSpoken<Name extends keyof Messages>(name: Name): Messages[Name] {
  const messages: Partial<Messages> = messagesIn(spokenTag);
  const words = messages[name];
  if (words === undefined) throw new Error(`the words of ${name} are read before they are loaded`);
  return words;
}

/** The words of an area with functions beside them that choose among its words. */
export function extended<Name extends keyof Messages, Added extends object>(
  name: Name,
  added: () => Added,
): Extended<Messages[Name], Added> {
  const merged = new WeakMap<object, object>();
  return lookedUp(() => {
    const words: object = areaSpoken(name);
    const known = merged.get(words) ?? merge(words, added());
    merged.set(words, known);
    return known as Extended<Messages[Name], Added>;
  });
}

type Extended<Base, Added> = Omit<Base, keyof Added> & {
  [Key in keyof Added]: Key extends keyof Base
    ? Added[Key] extends (...given: never[]) => unknown
      ? Added[Key]
      : Extended<Base[Key], Added[Key]>
    : Added[Key];
};

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of `added` take the place of those of `words`, group by group. */
function merge(words: object, added: object): object {
  const all = new Map<string, unknown>(Object.entries(words));
  for (const [key, value] of Object.entries(added)) {
    const known = all.get(key);
    all.set(key, isGroup(known) && isGroup(value) ? merge(known, value) : value);
  }
  return Object.fromEntries(all);
}

/** An object that looks each member up when it is read. */
function lookedUp<Target extends object>(find: () => Target): Target {
  const described = (key: string | symbol) => {
    const found = Reflect.getOwnPropertyDescriptor(find(), key);
    return found === undefined ? undefined : { ...found, configurable: true };
  };
  // A proxy answers for an object that is not frozen, so the target is an empty one.
  return new Proxy({} as Target, {
    get: (_, key) => Reflect.get(find(), key),
    has: (_, key) => Reflect.has(find(), key),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, key) => described(key),
  });
}
