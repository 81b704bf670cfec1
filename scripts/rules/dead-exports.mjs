// @ts-check
import { targetOf } from './test-files.mjs';

/** @typedef {import('./floors.mjs').Violation} Violation */

const CODE = /\.(ts|tsx|mjs|js)$/;
const CHECKED = /^(src-(main|shared|renderer)|e2e|bench)\//;
/** A declaration that a file exports. Its name is the group. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|class|interface|type|enum|function\*?) ([\w$]+)/gm;
/** Names that a file exports in braces. With a second group it hands on those of another file. */
const LISTED = /^export (?:type )?\{([^}]*)\}(?:\s*from '([^']+)')?/gm;
const IMPORTED = /^import (?:type )?(?:[\w$]+, )?\{([^}]*)\}\s*from '([^']+)'/gm;
/** A file of which all names are handed on. */
const STARRED = /^export \* from '([^']+)'/gm;
/** A file that is imported as a whole. Whichever of its names the importing file says is used there. */
const WHOLE = /(?:^import (?:type )?\* as [\w$]+ from |\bimport\(\s*|\bimportActual<[^>]*>\(|\bvi\.mock\()'(\.[^']+)'/gm;

/**
 * Names that something other than an import of the name reads, by the file that exports them.
 * @type {Map<string, string[]>}
 */
const READ_OTHERWISE = new Map([
  // The main script of the desktop app gets it in place of Electron.
  ['e2e/standin/electron.mjs', ['*']],
  // `z` of src-shared/zod.ts is the file as a whole.
  ['src-shared/typed-zod.ts', ['*']],
  // package.json names both under `#default-catalogue`.
  ['src-shared/words/catalogues/english-default.ts', ['defaultCatalogue']],
  ['src-shared/words/catalogues/no-default.ts', ['defaultCatalogue']],
  // shortcuts.tsx takes it from what open-palette.ts has loaded.
  ['src-renderer/shell/palette/palette.tsx', ['Palette']],
  // The compiler names them in the declarations of files that pass such a value on.
  ['src-main/access/grants/grants.ts', ['Continuation']],
  ['src-shared/words/console/people/people.ts', ['ToldAct']],
]);

/** The names in the braces of an import or export, as the other file calls them. @param {string} list */
const namesIn = (list) =>
  list
    .split(',')
    .map((one) => /^(?:type )?([\w$]+)/.exec(one.trim())?.[1] ?? '')
    .filter((name) => name !== '');

/** The names in the braces of an export, as others import them. @param {string} list */
const namesOut = (list) =>
  list
    .split(',')
    .map((one) => /([\w$]+)$/.exec(one.trim())?.[1] ?? '')
    .filter((name) => name !== '');

/**
 * Finds names that a file exports and no other file imports. A reader would look for their uses everywhere.
 * @param {Map<string, string>} files path in the project → text
 * @returns {Violation[]}
 */
export function deadExports(files) {
  const code = [...files].filter(([path]) => CODE.test(path));
  const used = usedNames(code);
  return code.flatMap(([path, text]) => {
    const others = READ_OTHERWISE.get(path) ?? [];
    if (!CHECKED.test(path) || others.includes('*')) return [];
    return exportsOf(text)
      .filter(({ name }) => used.get(path)?.has(name) !== true && !others.includes(name))
      .map(({ name, index }) => ({ path, line: text.slice(0, index).split('\n').length, words: `exports ${name}, which no file imports` }));
  });
}

/** @param {string} text */
const exportsOf = (text) => [
  ...[...text.matchAll(DECLARED)].map(({ 1: name = '', index }) => ({ name, index })),
  ...[...text.matchAll(LISTED)].flatMap(({ 1: list = '', index }) => namesOut(list).map((name) => ({ name, index }))),
];

/**
 * The names that a file takes from others, with the specifier of each other file.
 * @param {string} text
 */
const takenBy = (text) => [
  ...[...text.matchAll(IMPORTED), ...text.matchAll(LISTED)].map(({ 1: list = '', 2: from = '' }) => ({ from, names: namesIn(list) })),
  ...[...text.matchAll(WHOLE)].map(({ 1: from = '' }) => ({ from, names: text.match(/[\w$]+/g) ?? [] })),
];

/**
 * The names of each file that others use.
 * @param {[path: string, text: string][]} code
 * @returns {Map<string, Set<string>>}
 */
function usedNames(code) {
  /** @type {Map<string, Set<string>>} */
  const used = new Map();
  /** @param {string} path @param {Iterable<string>} names */
  const use = (path, names) => {
    const known = used.get(path) ?? new Set();
    for (const name of names) known.add(name);
    used.set(path, known);
  };
  for (const [path, text] of code) for (const { from, names } of takenBy(text)) if (from.startsWith('.')) use(targetOf(path, from), names);
  for (const [path, text] of code)
    for (const { 1: from = '' } of text.matchAll(STARRED)) if (from.startsWith('.')) use(targetOf(path, from), used.get(path) ?? []);
  return used;
}
