// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

/** What a browser draws: the console, and the public pages of the node. */
const DRAWN = /^(src-renderer\/.*\.(css|html|tsx?)|src-main\/open-payments-api\/pages\/.*\.ts)$/;
const TEST = /\.test\.tsx?$|\/testing\//;

const SIDES = [
  /(?:^|[\s;{"'`])((?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)(?:-\w+)*|border-(?:top|bottom)-(?:left|right)-radius)\s*:/,
  // Members of objects are called `left`, too, so only a length counts.
  /(?:^|[\s;{"'`])(?:left|right)\s*:\s*['"]?(?:-?[\d.]|auto\b|calc\(|var\()/,
  /\b(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
  /\b(?:margin|padding|border)(?:Left|Right)\w*\b|\btextAlign:\s*['"](?:left|right)['"]/,
  /(?<=\s|^)(?:ml|mr|pl|pr|left|right)=["{]|\bta=["'](?:left|right)["']/,
  /\btranslateX\(/,
];
/** The values of a shorthand. Those of a function such as `calc()` are one value. */
const SHORTHAND = /(?:^|[\s;{])(?:inset|margin|padding)\s*:\s*([^;}]+)/g;
const VALUES = /(?:[^\s(]+\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s(])+/g;

/**
 * Finds the left and the right side in what a browser draws. A page is also read in languages that run from right to
 * left, so a style names the start and the end of a line.
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
export function namedSides(path, text) {
  if (!DRAWN.test(path) || TEST.test(path)) return [];
  return text.split('\n').flatMap((content, index) => {
    const what = sideIn(content);
    return what === undefined ? [] : [{ path, line: index + 1, words: `“${what}” names left or right; name start or end of the line` }];
  });
}

/** @param {string} line */
function sideIn(line) {
  const named = SIDES.map((pattern) => pattern.exec(line)?.[0].trim()).find((found) => found !== undefined);
  return named ?? [...line.matchAll(SHORTHAND)].find(({ 1: values = '' }) => isLopsided(values))?.[0].trim();
}

/** @param {string} values */
function isLopsided(values) {
  const [, right, , left] = values.match(VALUES) ?? [];
  return left !== undefined && left !== right;
}
