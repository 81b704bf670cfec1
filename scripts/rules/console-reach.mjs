// @ts-check
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./floors.mjs').Violation} Violation
 */

const ZOD = 'src-shared/zod.ts';

/**
 * Finds imports by which the console would load zod. The node parses what comes and goes. In a page zod would take
 * 80 kB, and it tries at its start whether it may make code from text. The page's policy forbids that, and reports it.
 * @param {Map<string, Source>} sources
 * @param {Set<string>} tests
 * @returns {Violation[]}
 */
export function zodInConsole(sources, tests) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  /** @param {string} path @returns {boolean} whether the file loads zod */
  const loads = (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, path === ZOD);
    const found = path === ZOD || valueImports(path).some(({ target }) => loads(target));
    known.set(path, found);
    return found;
  };
  /** @param {string} path */
  const valueImports = (path) =>
    (sources.get(path)?.imports ?? [])
      .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith('.'))
      .map(({ specifier, line }) => ({ target: targetOf(path, specifier), line }));
  return [...sources.keys()]
    .filter((path) => path.startsWith('src-renderer/') && !tests.has(path))
    .flatMap((path) =>
      valueImports(path)
        .filter(({ target }) => !target.startsWith('src-renderer/') && loads(target))
        .map(({ target, line }) => ({ path, line, words: `loads zod into the console, by ${target}` })),
    );
}
