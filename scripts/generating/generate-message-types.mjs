// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { commandOf, root, runNode } from '../project.mjs';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/** @typedef {{ [key: string]: string | Tree }} Tree */

// Writes the types of the English messages: a text for a message without facts, a function of facts for any other.

const HEADER = '// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.\n';
const CATALOGUES = join(root, 'src-shared/words/catalogues');

/**
 * The parts of an element that are messages of their own.
 * @param {Element} element
 * @returns {(readonly Element[])[]}
 */
function partsOf(element) {
  if (element.type === TYPE.tag) return [element.children];
  return element.type === TYPE.select || element.type === TYPE.plural ? Object.values(element.options).map(({ value }) => value) : [];
}

/**
 * The type of a choice by a name: a flag when there is only true, false or anything else.
 * @param {readonly string[]} keys
 */
const choiceType = (keys) => (keys.every((key) => ['true', 'false', 'other'].includes(key)) ? 'boolean' : 'string');

/**
 * What an element takes. A fact that is only named is a text.
 * @param {Element} element
 * @returns {[string, string] | undefined}
 */
function factOf(element) {
  if (element.type === TYPE.argument) return [element.value, 'text'];
  if (element.type === TYPE.number || element.type === TYPE.plural) return [element.value, 'number'];
  return element.type === TYPE.select ? [element.value, choiceType(Object.keys(element.options))] : undefined;
}

/**
 * All elements of a message, those within others too.
 * @param {readonly Element[]} elements
 * @returns {Element[]}
 */
const allOf = (elements) => elements.flatMap((element) => [element, ...partsOf(element).flatMap(allOf)]);

/**
 * All elements of a message.
 * @param {string} message
 */
export const elementsOf = (message) => allOf(parse(message));

/**
 * What a message takes and whether it is rich, as one text that is the same in all languages.
 * @param {string} message
 */
export function signatureOf(message) {
  const elements = elementsOf(message);
  const isRich = elements.some(({ type }) => type === TYPE.tag);
  /** @type {Map<string, string>} */
  const facts = new Map();
  for (const [name, type] of elements.flatMap((element) => [factOf(element)]).filter((fact) => fact !== undefined)) {
    if (type !== 'text' || !facts.has(name)) facts.set(name, type);
  }
  return { isRich, facts: new Map([...facts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** @param {string} message */
function typeOf(message) {
  const { isRich, facts } = signatureOf(message);
  const result = isRich ? 'Words' : 'string';
  if (facts.size === 0) return result;
  const text = isRich ? 'string | Words' : 'string';
  const members = [...facts].map(([name, type]) => `readonly ${name}: ${type === 'text' ? text : type}`);
  return `(facts: { ${members.join('; ')} }) => ${result}`;
}

/** @param {Record<string, string>} catalogue @returns {Tree} */
function treeOf(catalogue) {
  /** @type {Tree} */
  const tree = {};
  for (const [key, message] of Object.entries(catalogue)) {
    const names = key.split('.');
    const last = names.pop() ?? '';
    let place = tree;
    for (const name of names) place = /** @type {Tree} */ ((place[name] ??= {}));
    place[last] = typeOf(message);
  }
  return tree;
}

const isList = (/** @type {Tree} */ tree) => Object.keys(tree).every((key, index) => key === String(index));

/** @param {string | Tree} node @returns {string} */
function print(node) {
  if (typeof node === 'string') return node;
  if (isList(node)) return `readonly [${Object.values(node).map(print).join(', ')}]`;
  const members = Object.entries(node).map(([key, value]) => `readonly ${/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`}: ${print(value)};`);
  return `{\n${members.join('\n')}\n}`;
}

const pascal = (/** @type {string} */ name) => name.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase());

/**
 * The English catalogue's files, by name.
 * @returns {Map<string, Record<string, string>>}
 */
export const englishFiles = () =>
  new Map(
    readdirSync(join(CATALOGUES, 'en'))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(CATALOGUES, 'en', name), 'utf8'))]),
  );

/** Where the types of a file stand. @param {string} name */
const typesFile = (name) => `${name.startsWith('console') ? 'console/' : ''}${name}.ts`;

/** The generated files, by their paths, not formatted. */
export function messageTypes() {
  const files = englishFiles();
  /** @type {Map<string, string>} */
  const written = new Map();
  for (const [name, catalogue] of files) {
    const body = print(treeOf(catalogue));
    const path = typesFile(name);
    const up = path.replaceAll(/[^/]+(\/|$)/g, '../');
    const words = /\bWords\b/.test(body) ? `import type { Words } from '${up}../words.ts';\n\n` : '\n';
    written.set(path, `${HEADER}${words}export interface ${pascal(name)}Messages ${body}\n`);
  }
  const imports = [...files.keys()].map((name) => `import type { ${pascal(name)}Messages } from './${typesFile(name)}';`);
  const all = [...files.keys()].map((name) => `${pascal(name)}Messages`).join(', ');
  written.set(
    'messages.ts',
    `${HEADER}${imports.join('\n')}\n\n/** Every message, by area. */\nexport interface Messages extends ${all} {}\n`,
  );
  return written;
}

/** The languages that have a folder of catalogues. */
export const languageFolders = () =>
  readdirSync(CATALOGUES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'types')
    .map(({ name }) => name)
    .sort();

/** What the console needs before it starts. Its other files are parts that come with the screens which name them. */
const AT_START = ['common', 'console', 'console-access', 'console-payments', 'console-people', 'console-sign-in'];

/**
 * The part of the console's catalogue that comes with screens.
 * @param {string} name of a file without its ending
 */
export const partOf = (name) => (AT_START.includes(name) ? undefined : /^console-(.+)$/.exec(name)?.[1]);

/**
 * Whether the console needs a file before it starts.
 * @param {string} name of the file
 */
export const isAtStart = (name) => AT_START.includes(name.replace('.json', ''));

/**
 * What only the program at a terminal or on a desktop says. No page in a browser gets it.
 * @param {string} name of a file
 */
const isOfTerminal = (name) => name.startsWith('terminal');

/**
 * A module that has the words of some files.
 * @param {readonly string[]} names
 * @param {string} what
 * @param {boolean} isOnTop whether they stand beside those of the module with all other words
 */
function catalogueModule(names, what, isOnTop = false) {
  const variable = (/** @type {string} */ name) =>
    `${name.replace('.json', '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Words`;
  const imports = names.map((name) => `import ${variable(name)} from './${name}' with { type: 'json' };`).join('\n');
  const others = isOnTop
    ? { from: "import { catalogue as others } from './catalogue.ts';\n", spread: ['...others'] }
    : { from: '', spread: [] };
  const spread = [...others.spread, ...names.map((name) => `...${variable(name)}`)].join(', ');
  return `${others.from}${imports}\n\n/** ${what} in this language, by key. */\nexport const catalogue: Readonly<Record<string, string>> = { ${spread} };\n`;
}

/** What loads the other words of the console in a language. @param {readonly string[]} names of files */
function partLoaders(names) {
  const loaders = names.flatMap((name) => {
    const part = partOf(name.replace('.json', ''));
    return part === undefined ? [] : [`  '${part}': () => import('./${name}'),`];
  });
  return `\n/** Its other words in this language, in parts that come with screens. */\nexport const parts = {\n${loaders.join('\n')}\n};\n`;
}

/** The modules from which the catalogues are loaded, by their paths, not formatted. */
export function catalogueModules() {
  /** @type {Map<string, string>} */
  const written = new Map();
  const languages = languageFolders();
  for (const language of languages) {
    const names = readdirSync(join(CATALOGUES, language))
      .filter((name) => name.endsWith('.json'))
      .sort();
    const others = names.filter((name) => !isOfTerminal(name));
    written.set(
      join(language, 'catalogue.ts'),
      HEADER + catalogueModule(others, 'The words of the pages, the console and the desktop app'),
    );
    written.set(join(language, 'terminal.ts'), HEADER + catalogueModule(names.filter(isOfTerminal), 'All words', true));
    written.set(
      join(language, 'console.ts'),
      HEADER + catalogueModule(names.filter(isAtStart), 'The words with which the console starts') + partLoaders(names),
    );
  }
  const loader = (/** @type {string} */ file, isAsked = (/** @type {string} */ _tag) => true) =>
    languages
      .filter(isAsked)
      .map((tag) => `  '${tag}': () => import('./${tag}/${file}'),`)
      .join('\n');
  written.set(
    'load.ts',
    `${HEADER}import type { parts } from './en/console.ts';
import type { Catalogue, LanguageTag } from './languages.ts';

/** A part of the console's words that comes with screens. */
export type ScreenPart = keyof typeof parts;

interface Words {
  readonly catalogue: Catalogue;
}

/** The words with which the console starts, and what loads its other parts. */
export interface ConsoleWords extends Words {
  readonly parts: Readonly<Record<ScreenPart, () => Promise<{ readonly default: Catalogue }>>>;
}

type Loaders<Loaded> = Readonly<Partial<Record<LanguageTag, () => Promise<Loaded>>>> & { readonly en: () => Promise<Loaded> };

/** What the console needs of each language before it starts. */
export const consoleCatalogues: Loaders<ConsoleWords> = {
${loader('console.ts')}
};

/** The words of the pages, the console and the desktop app in each language. */
export const catalogues: Loaders<Words> = {
${loader('catalogue.ts')}
};
`,
  );
  // A file of its own, because the console has the one above.
  written.set(
    'load-terminal.ts',
    `${HEADER}import type { Catalogue, LanguageTag } from './languages.ts';

/** All words of each language. The English ones are there from the start. */
export const terminalCatalogues: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<{ readonly catalogue: Catalogue }>>> = {
${loader('terminal.ts', (tag) => tag !== 'en')}
};
`,
  );
  return written;
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(CATALOGUES, 'types');
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'console'), { recursive: true });
  for (const [name, text] of messageTypes()) writeFileSync(join(folder, name), text);
  for (const [path, text] of catalogueModules()) writeFileSync(join(CATALOGUES, path), text);
  const { code } = await runNode(commandOf('@biomejs/biome', 'biome'), ['check', '--write', CATALOGUES]);
  process.exitCode = code;
}
