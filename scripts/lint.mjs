// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandOf, root, runNode } from './project.mjs';
import { projectFiles } from './project-files.mjs';

// Lints the files that have changed since they were last found in order, and the files that import them: a promise that
// nobody awaits can come about in those as well. A fresh clone remembers nothing, so there every file is linted.

const CACHE = join(root, 'node_modules/.cache/paydesk/linted.json');
/** What the linter reads. Its own settings say what of it is looked at. */
const LINTED = /\.(ts|tsx|mjs|cjs|js|json|css|html)$/;
/** With more changed files than this, naming each would be too long for a command line. */
const MOST_NAMED = 500;
/** What decides about every file. */
const SETTINGS = ['biome.json', 'package-lock.json'];
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const files = new Map([...projectFiles(root)].filter(([path]) => LINTED.test(path)));
const settings = SETTINGS.map((name) => readFileSync(join(root, name), 'utf8')).join('\0');
/** @param {string} text */
const hashOf = (text) => createHash('sha256').update(settings).update('\0').update(text).digest('base64url');
const hashes = Object.fromEntries([...files].map(([path, text]) => [path, hashOf(text)]));
const known = remembered();
const changed = new Set(Object.keys(hashes).filter((path) => known[path] !== hashes[path]));
const importing = [...files].flatMap(([path, text]) =>
  [...text.matchAll(IMPORT)].some(([, specifier = '']) => changed.has(join(dirname(path), specifier).replaceAll('\\', '/'))) ? [path] : [],
);
const named = [...new Set([...changed, ...importing])];

if (named.length === 0) console.log('No file has changed since it was found in order.');
else {
  const what = named.length > MOST_NAMED ? ['.'] : ['--no-errors-on-unmatched', ...named];
  const { code, output } = await runNode(commandOf('@biomejs/biome', 'biome'), ['check', '--error-on-warnings', ...what], { quiet: true });
  console.log(output.trimEnd());
  process.exitCode = code;
  if (code === 0) {
    mkdirSync(dirname(CACHE), { recursive: true });
    writeFileSync(CACHE, JSON.stringify(hashes));
  }
}

/** @returns {Record<string, string>} */
function remembered() {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'));
  } catch {
    return {};
  }
}
