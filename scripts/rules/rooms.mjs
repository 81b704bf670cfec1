// @ts-check
import { posix } from 'node:path';

/** @typedef {import('./floors.mjs').Violation} Violation */

/** The most files in one folder. A reader does not take in more; a folder with more must be divided into rooms. */
const MOST_FILES = 20;

/**
 * Finds folders that directly hold too many files, and test support that does not lie in a folder `testing/`.
 * @param {string[]} paths of all source files
 * @param {Set<string>} tests the test files
 * @returns {Violation[]}
 */
export function crowdedRooms(paths, tests) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const path of paths) {
    const folder = posix.dirname(path);
    if (!tests.has(path)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  const crowded = [...sizes].filter(([, size]) => size > MOST_FILES);
  const strayed = [...tests].filter((path) => !/\.test\.tsx?$|\/testing\//.test(path));
  return [
    ...crowded.map(([path, size]) => ({ path, line: 1, words: `holds ${size} files, and ${MOST_FILES} at most; divide it into rooms` })),
    ...strayed.map((path) => ({ path, line: 1, words: 'is used by tests only: it belongs in a folder testing/' })),
  ];
}
