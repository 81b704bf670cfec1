// @ts-check
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./floors.mjs').Violation} Violation
 * @typedef {{ path: string, line: number }} Place
 */

/**
 * The two neighbours that an import ties together. Both lie in the deepest folder that holds both files, and each is
 * the file itself or the room that holds it. So an import between files of one room ties the files, and an import
 * between files of different rooms ties the rooms.
 * @param {string} from
 * @param {string} to
 */
function neighbours(from, to) {
  const [a, b] = [from.split('/'), to.split('/')];
  const shared = a.findIndex((part, index) => part !== b[index]);
  return { from: a.slice(0, shared + 1).join('/'), to: b.slice(0, shared + 1).join('/') };
}

/**
 * The ties between neighbours. Each pair of neighbours has the first place that imports. The imports of tests tie only
 * files.
 * @param {Map<string, Source>} sources
 * @param {Set<string>} tests
 */
function ties(sources, tests) {
  /** @type {Map<string, Map<string, Place>>} */
  const found = new Map();
  for (const [path, { imports }] of sources) {
    for (const { specifier, line } of imports) {
      const target = targetOf(path, specifier);
      if (!specifier.startsWith('.') || !sources.has(target) || target === path) continue;
      const { from, to } = tests.has(path) ? { from: path, to: target } : neighbours(path, target);
      const others = found.get(from) ?? new Map();
      if (!others.has(to)) others.set(to, { path, line });
      found.set(from, others);
    }
  }
  return found;
}

/**
 * Finds files that import each other in a circle, and rooms whose files do. Imports of types count too, because a
 * person who reads one file of a circle has to read all of them.
 * @param {Map<string, Source>} sources
 * @param {Set<string>} tests the test files
 * @returns {Violation[]}
 */
export function circles(sources, tests) {
  const tied = ties(sources, tests);
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @type {string[]} */
  const trail = [];
  /** @type {Violation[]} */
  const found = [];
  /** @param {string} place */
  const walk = (place) => {
    state.set(place, 'open');
    trail.push(place);
    for (const [target, { path, line }] of tied.get(place) ?? []) {
      if (state.get(target) === 'open')
        found.push({ path, line, words: `imports in a circle: ${[...trail.slice(trail.indexOf(target)), target].join(' → ')}` });
      else if (!state.has(target)) walk(target);
    }
    trail.pop();
    state.set(place, 'done');
  };
  for (const place of tied.keys()) if (!state.has(place)) walk(place);
  return found;
}
