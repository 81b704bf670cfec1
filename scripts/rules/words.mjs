// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

const RULES = [
  {
    pattern: /registry\.(npmjs|yarnpkg|npmmirror)|npm\.pkg\.github|(pypi|pythonhosted)\.org|"resolved": "https?:/,
    words: 'names a host that packages come from; the lockfile holds versions and hashes only',
  },
  { pattern: /(?<![\w.}$])\/(home|Users|root|work|workspace|mnt)\/\w/, words: 'is a path of one machine' },
  { pattern: /[A-Z]:\\Users\\/, words: 'is a path of one machine' },
  { pattern: /biome-ignore|eslint-disable|@ts-(ignore|expect-error|nocheck)\b/, words: 'silences a check; mend what it found' },
  { pattern: /\b(TODO|FIXME|XXX)\b/, words: 'is left for later; do it, or write it into an issue' },
];

/**
 * Finds words that belong in no file of the project.
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
export function forbiddenWords(path, text) {
  const lines = text.split('\n');
  return RULES.flatMap(({ pattern, words }) =>
    lines.flatMap((content, index) => {
      const match = pattern.exec(content);
      return match === null ? [] : [{ path, line: index + 1, words: `“${match[0]}” ${words}` }];
    }),
  );
}
