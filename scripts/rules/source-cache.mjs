// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {import('./source.mjs').Source} Source */

/**
 * Reads source files, and remembers in `cacheFile` what it read. Parsing every file is most of what the rules of the
 * house cost, and between two runs few files change. A file is read anew when its text or the reader changed.
 * @param {Map<string, string>} texts path in the project → text
 * @param {string} [cacheFile] where it remembers. A damaged file is made anew. Without one it remembers nothing.
 * @returns {Promise<Map<string, Source>>}
 */
export async function readSources(texts, cacheFile) {
  const reader = readFileSync(new URL('source.mjs', import.meta.url), 'utf8');
  const known = cacheFile === undefined ? {} : remembered(cacheFile);
  /** @type {Record<string, Source>} */
  const next = {};
  /** @type {Map<string, Source>} */
  const sources = new Map();
  let isChanged = false;
  for (const [path, text] of texts) {
    const key = createHash('sha256').update(reader).update('\0').update(path).update('\0').update(text).digest('base64url');
    const source = known[key] ?? (await import('./source.mjs')).readSource(path, text);
    isChanged ||= known[key] === undefined;
    next[key] = source;
    sources.set(path, source);
  }
  if (isChanged && cacheFile !== undefined) {
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify(next));
  }
  return sources;
}

/** @param {string} cacheFile @returns {Record<string, Source>} */
function remembered(cacheFile) {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8'));
  } catch {
    return {};
  }
}
