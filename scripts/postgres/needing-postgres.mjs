// @ts-check
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.mjs';

/** What a unit test asks before it skips itself: those of the driver, and those of books that replicas share. */
const ASKS = /\b(hasPostgres|DriverTest)\b/;

/** The unit tests that need a PostgreSQL server. They are left out where none runs, because a skip counts as failed. */
export const needingPostgres = () =>
  globSync('src-main/**/*.test.ts', { cwd: root }).filter((file) => ASKS.test(readFileSync(join(root, file), 'utf8')));
