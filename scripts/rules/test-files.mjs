// @ts-check
import { posix } from 'node:path';

/** @typedef {import('./source.mjs').Source} Source */

const ENTRIES = [
  'src-main/headless/entry.ts',
  'src-main/desktop/main.ts',
  'src-main/desktop/preload.ts',
  'src-renderer/main.tsx',
  'src-renderer/till/customer/main.tsx',
  // The second engine. It is loaded only when a node is started with a shared database.
  'src-main/platform/database/postgres/postgres-database.ts',
  'src-main/platform/database/postgres/migrate.ts',
];
const NAMED = /\.test\.tsx?$|\/testing\//;

/** The path of the file to which a relative import in `from` leads. @param {string} from @param {string} specifier */
export const targetOf = (from, specifier) => posix.join(posix.dirname(from), specifier);

/**
 * Finds the tests and their support: files whose names say so, and files that only those import. The program's entry
 * files reach none of them.
 * @param {Map<string, Source>} sources
 * @returns {Set<string>}
 */
export function testFiles(sources) {
  const named = [...sources.keys()].filter((path) => NAMED.test(path));
  const product = reached(sources, ENTRIES, new Set(named));
  const support = reached(sources, named, product);
  return new Set([...named, ...support]);
}

/**
 * The files that the files in `from` import, directly or through others, without the files in `except`.
 * @param {Map<string, Source>} sources
 * @param {string[]} from
 * @param {Set<string>} except
 */
function reached(sources, from, except) {
  /** @type {Set<string>} */
  const found = new Set();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !sources.has(path)) continue;
    found.add(path);
    for (const { specifier } of sources.get(path)?.imports ?? []) {
      const target = targetOf(path, specifier);
      if (specifier.startsWith('.') && !except.has(target)) open.push(target);
    }
  }
  return found;
}
