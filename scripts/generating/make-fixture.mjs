// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFixture } from '../../src-main/assembly/testing/fixture.ts';
import { root } from '../project.mjs';

// `npm run db:fixture`: stores a small database as this version of paydesk writes it. The tests of every
// later version migrate it. Run it once for each released version; it never replaces a fixture.

/** @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const name = `src-main/assembly/testing/fixtures/${version}.db.gz`;
if (existsSync(join(root, name))) {
  console.error(`${name} is there already. A released version keeps its fixture.`);
  process.exitCode = 1;
} else {
  await writeFixture(join(root, name));
  console.log(`Wrote ${name}. Write down in src-main/assembly/upgrades.test.ts what it holds.`);
}
