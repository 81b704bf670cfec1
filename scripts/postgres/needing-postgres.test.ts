import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { needingPostgres } from './needing-postgres.mjs';

it('the unit tests that need a server are all that could skip themselves without one', () => {
  const files = needingPostgres();
  expect(files).toEqual(
    expect.arrayContaining(['src-main/audit/shared-audit.test.ts', 'src-main/platform/database/postgres/open.test.ts']),
  );
  // What knows no server runs everywhere, and what runs on both engines runs on one.
  expect(files).not.toContain('src-main/platform/database/postgres/statements.test.ts');
  for (const file of files) expect(readFileSync(file, 'utf8'), file).toMatch(/skip|runIf/);
});
