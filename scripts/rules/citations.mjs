// @ts-check

/** @typedef {import('./floors.mjs').Violation} Violation */

/** The two documents whose entries are cited in code, tests and documents, and the names of their entries. */
const DOCUMENTS = [
  { path: 'docs/decisions.md', heading: /^### (D-\d+) /gm },
  { path: 'docs/protocol-notes.md', heading: /^### (PN-\d+) /gm },
];
const CITATION = /\b(?:decisions|protocol-notes)\.md#((?:D|PN)-\d+)/g;
/** A decision that is cited by its number alone, such as "(D-62)". */
const SHORT_CITATION = /(?<![#\w-])(D-\d+)\b/g;
/** What each decision says, on lines of their own. */
const REASONS = [
  { line: /^- Why: \S/m, name: '- Why: …' },
  { line: /^- Rejected: \S/m, name: '- Rejected: …' },
];
/** Citations that name no entry. */
const WITHOUT_ENTRY = [
  { pattern: /\bdecisions, ["“]/i, example: 'decisions.md#D-07' },
  { pattern: /\bfacts §/, example: 'protocol-notes.md#PN-12' },
  { pattern: /\bdesign notes\b/, example: 'protocol-notes.md#PN-12' },
  { pattern: /\(specification[,;)]/, example: 'protocol-notes.md#PN-12' },
];
/** This rule and its test contain the forbidden citations. */
const THE_RULE = ['scripts/rules/citations.mjs', 'scripts/check-imports.test.ts'];

/** A path of the project in a document. It stands in backticks and begins with a top folder. */
const PATH = /`((?:src-main|src-shared|src-renderer|e2e|bench|scripts|docs|drizzle)\/[\w./-]+?)\/?`/g;
/** A line of a recipe with this mark names a file that the reader is to make. */
const MAKES_A_FILE = '(new)';

/**
 * Finds citations of decisions and protocol notes that have no entry, numbers that two entries have, decisions that do
 * not say why or what was rejected, and documents that name a file that does not exist.
 * @param {Map<string, string>} files
 * @returns {Violation[]}
 */
export function brokenCitations(files) {
  const entries = new Set(
    DOCUMENTS.flatMap(({ path, heading }) => [...(files.get(path) ?? '').matchAll(heading)].map(([, entry]) => entry)),
  );
  const paths = [...files.keys()];
  /** @param {string} path */
  const isThere = (path) => files.has(path) || paths.some((other) => other.startsWith(`${path}/`));
  const doubles = DOCUMENTS.flatMap(({ path, heading }) => doubleEntries(path, files.get(path) ?? '', heading));
  const broken = [...files]
    .filter(([path]) => !THE_RULE.includes(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((content, index) => {
        const words = [...unknownEntries(content, entries), ...(path.endsWith('.md') ? missingFiles(content, isThere) : [])];
        return words.map((found) => ({ path, line: index + 1, words: found }));
      }),
    );
  return [...doubles, ...unexplainedDecisions(files.get('docs/decisions.md') ?? ''), ...broken];
}

/** @param {string} text of decisions.md @returns {Violation[]} */
function unexplainedDecisions(text) {
  return [...text.matchAll(/^### (D-\d+) .*\n((?:(?!##).*\n?)*)/gm)].flatMap(({ 1: entry, 2: says = '', index }) =>
    REASONS.filter(({ line }) => !line.test(says)).map(({ name }) => ({
      path: 'docs/decisions.md',
      line: text.slice(0, index).split('\n').length,
      words: `${entry} lacks a line "${name}"`,
    })),
  );
}

/** @param {string} path @param {string} text @param {RegExp} heading @returns {Violation[]} */
function doubleEntries(path, text, heading) {
  const seen = new Set();
  return [...text.matchAll(heading)].flatMap(({ 1: entry, index }) => {
    const isFirst = !seen.has(entry);
    seen.add(entry);
    if (isFirst) return [];
    return [{ path, line: text.slice(0, index).split('\n').length, words: `${entry} has an entry before; take the next free number` }];
  });
}

/** @param {string} content @param {Set<string | undefined>} entries @returns {string[]} */
function unknownEntries(content, entries) {
  const unknown = [...content.matchAll(CITATION)].filter(([, entry]) => !entries.has(entry)).map(([text]) => `${text} has no entry there`);
  const unknownShort = [...content.matchAll(SHORT_CITATION)]
    .filter(([, entry]) => !entries.has(entry))
    .map(([text]) => `${text} is no entry of decisions.md`);
  const vague = WITHOUT_ENTRY.filter(({ pattern }) => pattern.test(content)).map(
    ({ example }) => `cites without an entry; write it like ${example}`,
  );
  return [...unknown, ...unknownShort, ...vague];
}

/** @param {string} content @param {(path: string) => boolean} isThere @returns {string[]} */
function missingFiles(content, isThere) {
  if (content.includes(MAKES_A_FILE)) return [];
  return [...content.matchAll(PATH)].filter(([, path = '']) => !isThere(path)).map(([, path]) => `names ${path}, which is not there`);
}
