import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

/** The text of a file as one line. */
const read = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');
/** The oldest major version of Node that a package's `engines` let in. */
const oldestOf = (manifest: string): number => Number(/^>= ?(\d+)/.exec(JSON.parse(read(manifest)).engines.node)?.[1]);

test('the README, the setup page and `engines` name the same Node for what goes through npm', () => {
  const oldest = oldestOf('package.json');
  expect(read('README.md')).toContain(`You need Node ${oldest} or newer with npm`);
  expect(read('CONTRIBUTING.md')).toContain(`You need Node ${oldest} or newer with npm`);
});

test('the README says which Node built files need, and the node asks for that one', () => {
  const oldest = oldestOf('node_modules/better-sqlite3/package.json');
  expect(read('src-main/headless/entry.ts')).toContain(`REQUIRED_MAJOR = ${oldest};`);
  expect(read('README.md')).toContain(`needs Node ${oldest} or newer`);
});
