// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */
/** @typedef {{ text: string, line: number }} CodeLine */
/** @typedef {{ path: string, at: number }} Place */

/** From this many equal lines in a row on, the same code stands there a second time. */
const LEAST_EQUAL = 10;
/** Brackets follow from what stands between them. So at least this many of the first equal lines must have words. */
const LEAST_WITH_WORDS = 6;

const WORD = /\w/;
const BEGINS_IMPORT = /^import\b(?! ?\()|^export (type )?(\*|\{.*\} from )/;
const ENDS_IMPORT = /'[^']*'( with \{.*\})?;$/;
const TWO_SPACES = /\s\s|\t/;
const COMMENT = /^(\/\/|\{?\/\*|\*)/;
const COMMENT_AFTER_CODE = /([;,{)]) \/\/ .*$/;
/** Begins what a command of the project wrote. Nobody changes it by hand, so it may repeat itself. */
const WRITTEN = '// Written by scripts/';

/**
 * Finds places where production code stands a second time. Comments, blank lines and imports do not count. The white
 * space of a line is folded.
 * @param {Map<string, string>} texts path in the project → text, of production code only
 * @returns {Violation[]} one for each place that repeats an earlier one
 */
export function equalCode(texts) {
  const own = [...texts].filter(([, text]) => !text.startsWith(WRITTEN));
  /** @type {Map<string, CodeLine[]>} */
  const files = new Map(own.map(([path, text]) => [path, codeLines(text)]));
  /** @type {Map<number, Place>} */
  const seen = new Map();
  return [...files].flatMap(([path, lines]) => repetitions(path, lines, { files, seen }));
}

/**
 * @param {string} path
 * @param {CodeLine[]} lines
 * @param {{ files: Map<string, CodeLine[]>, seen: Map<number, Place> }} known `seen` learns the windows of this file
 * @returns {Violation[]}
 */
function repetitions(path, lines, { files, seen }) {
  /** @type {Violation[]} */
  const found = [];
  let told = 0;
  for (const [at, hash] of windowHashes(lines).entries()) {
    const first = seen.get(hash);
    if (first === undefined) seen.set(hash, { path, at });
    if (first === undefined || at < told) continue;
    const others = files.get(first.path) ?? [];
    const length = equalLength(lines.slice(at), others.slice(first.at, first.path === path ? at : undefined));
    if (length < LEAST_EQUAL || lines.slice(at, at + LEAST_EQUAL).filter(({ text }) => WORD.test(text)).length < LEAST_WITH_WORDS) continue;
    const other = `${first.path}:${others[first.at]?.line}`;
    found.push({ path, line: lines[at]?.line ?? 1, words: `repeats ${length} lines of ${other}; let one place serve both` });
    told = at + length;
  }
  return found;
}

/**
 * A number for every window of `LEAST_EQUAL` lines. Equal windows have equal numbers. Different ones nearly never do:
 * the number has 53 bits.
 * @param {CodeLine[]} lines
 * @returns {number[]}
 */
function windowHashes(lines) {
  const hashes = lines.map(({ text }) => lineHash(text));
  return hashes.slice(LEAST_EQUAL - 1).map((_, at) => {
    let [high, low] = [0, 0];
    for (let next = at; next < at + LEAST_EQUAL; next++) {
      high = Math.imul(high ^ (hashes[next] ?? 0), 0x85ebca6b) + 1;
      low = Math.imul(low + (hashes[next] ?? 0), 0xc2b2ae35) ^ (low >>> 15);
    }
    return (high >>> 11) * 2 ** 32 + (low >>> 0);
  });
}

/** @param {string} text */
function lineHash(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** @param {CodeLine[]} one @param {CodeLine[]} other @returns {number} how many of their first lines are equal */
function equalLength(one, other) {
  const different = one.findIndex(({ text }, index) => text !== other[index]?.text);
  return different < 0 ? one.length : different;
}

/** @param {string} text @returns {CodeLine[]} the lines that count */
function codeLines(text) {
  let isImport = false;
  let isComment = false;
  return text.split('\n').flatMap((content, index) => {
    const trimmed = content.trim();
    const folded = TWO_SPACES.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
    if (isComment || COMMENT.test(folded)) {
      isComment = (isComment || /^\{?\/\*/.test(folded)) && !folded.includes('*/');
      return [];
    }
    isImport ||= BEGINS_IMPORT.test(folded);
    if (isImport || folded === '') {
      isImport &&= !ENDS_IMPORT.test(folded);
      return [];
    }
    return [{ text: folded.includes(' // ') ? folded.replace(COMMENT_AFTER_CODE, '$1') : folded, line: index + 1 }];
  });
}
