import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { healthText } from '../../../../src-shared/words/health.ts';
import { AuditBook } from '../../../audit/audit-book.ts';
import { AuditThread } from '../../../audit/audit-thread.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../../platform/database/testing/test-database.ts';
import { createLogger } from '../../../platform/logs/logger.ts';
import { auditHealth } from './books-health.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let folder: string;
let test: TestDatabase;
let book: AuditBook;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-audit-thread-'));
  test = openTestDatabase();
  book = new AuditBook({ database: test.database, clock, log: createLogger('silent') });
});
afterEach(async () => {
  await test.dispose();
  rmSync(folder, { recursive: true });
});

it('a check of the books that ends with an error is told on the health page, until a round has seen everything', async () => {
  const workerFile = join(folder, 'worker.mjs');
  writeFileSync(workerFile, "throw new Error('no more memory');");
  const thread = new AuditThread({ book, log: createLogger('silent'), workerFile, databaseFile: '' });
  expect(auditHealth({ audit: book })).toEqual([]);
  thread.start();
  await thread.compared();
  await thread.stop();
  expect(auditHealth({ audit: book })).toEqual([{ name: 'audit', state: 'warning', since: new Date(clock.now()) }]);
  expect(auditHealth({ audit: book }).map(healthText)).toEqual([expect.stringContaining('The check of the books has failed since')]);
  await book.endRound(clock.now());
  expect(auditHealth({ audit: book })).toEqual([]);
});
