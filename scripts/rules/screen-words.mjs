// @ts-check
import { partOf } from '../generating/generate-message-types.mjs';
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./floors.mjs').Violation} Violation
 */

const CATALOGUE = /^src-shared\/words\/catalogues\/en\/([\w-]+)\.json$/;
/** It names every area of the console. Who imports it names only those that it then says. */
const ALL_AREAS = 'src-shared/words/console/messages.ts';
const NAMES_AN_AREA = /\b(?:area|extended)\('(\w+)'/g;
const NAMES_A_MEMBER = /\bmessages\.(\w+)(?!\w|\.ts')/g;
const TAKES_MEMBERS = /\{([^{}]*)\} = messages;/g;
const COMMENT = /^\s*(\/\/|\/?\*).*$/gm;
const WITH_WORDS = /withWords\(\s*\[([^\]]*)\],\s*\(\)\s*=>\s*import\('([^']+)'\)/g;

/**
 * Finds files of the console that load another one without the parts of the catalogue that it names, or with others.
 * Modules read their words when they are loaded, and the start has only some.
 * @param {Map<string, Source>} sources
 * @param {Set<string>} tests
 * @param {Map<string, string>} files
 * @returns {Violation[]}
 */
export function screenWords(sources, tests, files) {
  const partsOf = partReader(sources, files);
  return [...sources]
    .filter(([path]) => path.startsWith('src-renderer/') && !tests.has(path))
    .flatMap(([path, { imports }]) => {
      const loaded = new Map([...(files.get(path) ?? '').matchAll(WITH_WORDS)].map(([, list = '', to = '']) => [to, list]));
      return imports
        .filter(({ specifier, dynamic }) => dynamic && specifier.startsWith('.') && !tests.has(targetOf(path, specifier)))
        .flatMap(({ specifier, line }) => {
          const own = (loaded.get(specifier)?.match(/[\w-]+/g) ?? []).sort().join(', ');
          const named = partsOf(targetOf(path, specifier)).join(', ');
          const words = `loads ${specifier} with these parts of the catalogue: ${own || 'none'}; its modules name: ${named || 'none'}`;
          return own === named ? [] : [{ path, line, words }];
        });
    });
}

/**
 * @param {Map<string, Source>} sources
 * @param {Map<string, string>} files
 * @returns {(path: string) => string[]} the parts of the catalogue that a file and everything loaded with it name
 */
function partReader(sources, files) {
  const parts = partsOfAreas(files);
  const areasOf = areaReader(sources, files);
  return (path) => [...new Set([...areasOf(path)].flatMap((area) => parts.get(area) ?? []))].sort();
}

/** The part in which each area lies, unless the console has it from its start. @param {Map<string, string>} files */
function partsOfAreas(files) {
  /** @type {Map<string, string>} */
  const parts = new Map();
  for (const [path, text] of files) {
    const part = partOf(CATALOGUE.exec(path)?.[1] ?? '');
    if (part !== undefined) for (const key of Object.keys(JSON.parse(text))) parts.set(key.replace(/\..*/, ''), part);
  }
  return parts;
}

/**
 * @param {Map<string, Source>} sources
 * @param {Map<string, string>} files
 * @returns {(path: string) => Set<string>} the areas that a file and everything loaded with it name
 */
function areaReader(sources, files) {
  const bag = sources.get(ALL_AREAS)?.imports ?? [];
  const members = new Map(bag.flatMap(({ specifier, names }) => names.map((name) => [name, targetOf(ALL_AREAS, specifier)])));
  const loadedWith = (/** @type {string} */ path) =>
    (sources.get(path)?.imports ?? [])
      .filter(({ specifier, typeOnly, dynamic }) => !typeOnly && !dynamic && specifier.startsWith('.'))
      .map(({ specifier }) => targetOf(path, specifier))
      .filter((target) => target !== ALL_AREAS);
  return (start) => {
    /** @type {Set<string>} */
    const areas = new Set();
    const open = new Set([start]);
    // A set is walked to its end, with what is added meanwhile.
    for (const path of open) {
      const { named, said } = wordsIn((files.get(path) ?? '').replace(COMMENT, ''));
      for (const name of [...named, ...said.filter((one) => !members.has(one))]) areas.add(name);
      for (const next of [...loadedWith(path), ...said.flatMap((one) => members.get(one) ?? [])]) open.add(next);
    }
    return areas;
  };
}

/** The areas that a text names, and the members of all areas that it says something of. @param {string} text */
function wordsIn(text) {
  const found = (/** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const taken = found(TAKES_MEMBERS).flatMap((list) => list.match(/\w+/g) ?? []);
  return { named: found(NAMES_AN_AREA), said: [...found(NAMES_A_MEMBER), ...taken] };
}
