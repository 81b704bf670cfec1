// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = /(\.(ts|tsx|mjs|cjs|js|json|css|html|md|sql|svg|yml|yaml|sh|service)|(^|\/)[^.]+|(^|\/)\.[a-z]+)$/;
const NOT_OURS = new Set(['node_modules', '.git', 'out', 'dist', '.tsbuild', 'test-results', 'playwright-report']);

/**
 * Every text of the project, by its path.
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function projectFiles(folder) {
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @param {string} below */
  const collect = (below) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (NOT_OURS.has(entry.name)) continue;
      if (entry.isDirectory()) collect(path);
      else if (entry.isFile() && TEXT.test(path)) files.set(path, readFileSync(join(folder, path), 'utf8'));
    }
  };
  collect('');
  return files;
}
