// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

const CODE = /\.(ts|tsx|mjs|css)$/;
/** A line that begins with a comment, or ends with one. */
const COMMENT = /^\s*(\/\/|\*|\/\*)|[;,{)] \/\/ /;
const MOST_COLUMNS = 120;
/** A docstring that begins in the middle of a sentence. A reader of "Null when it has none." looks for what is null. */
const FRAGMENT =
  /\/\*\*\s+(?:\* )?((?:Null|Undefined|Empty|Whoever|Only|Of|By|To be|As of|So (?:many|much|long|often)|In (?:milli)?seconds|In (?:smallest|thousandths|hundredths|points|bytes|whole|per ?cent))\b)/g;

/**
 * Finds lines of comments and of documents that are too long to be read at first sight.
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
export function longComments(path, text) {
  if (path.endsWith('.md')) return longProse(path, text);
  if (!CODE.test(path)) return [];
  return text.split('\n').flatMap((content, index) => {
    if (content.length <= MOST_COLUMNS || !COMMENT.test(content)) return [];
    return [{ path, line: index + 1, words: `is a comment of ${content.length} columns; ${MOST_COLUMNS} is the most` }];
  });
}

/**
 * Finds docstrings that begin with a fragment. They say what the thing is first: "The wait, in milliseconds."
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
export function fragments(path, text) {
  if (!CODE.test(path)) return [];
  return [...text.matchAll(FRAGMENT)].map(({ 1: words, index }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    words: `is a docstring that begins with “${words}”; say first what the thing is`,
  }));
}

/**
 * Finds lines of a document that are too long. A row of a table, a picture and a line of code have no other place.
 * @param {string} path
 * @param {string} text
 * @returns {Violation[]}
 */
function longProse(path, text) {
  let isCode = false;
  return text.split('\n').flatMap((content, index) => {
    if (/^\s*```/.test(content)) isCode = !isCode;
    if (isCode || content.length <= MOST_COLUMNS || /^\s*(\||!\[|```)/.test(content)) return [];
    return [{ path, line: index + 1, words: `is a line of ${content.length} columns; ${MOST_COLUMNS} is the most` }];
  });
}
