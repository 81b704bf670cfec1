// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

const CODE = /\.(ts|tsx|mjs|css)$/;
/** A line that begins with a comment, or ends with one. */
const COMMENT = /^\s*(\/\/|\*|\/\*)|[;,{)] \/\/ /;
const MOST_COLUMNS = 120;

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
