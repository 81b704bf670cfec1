import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AuditBook } from '../audit/audit-book.ts';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase } from '../platform/database/testing/test-database.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { refuse } from '../platform/result.ts';
import { newStoredSecrets, workingSecrets } from '../platform/secrets/node-secrets.ts';
import { assembleBackups } from './backups.ts';

it('a replica that takes the chores over makes a scheduled backup that is due as soon as the other one is gone', async () => {
  const test = openTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-assembled-backups-'));
  const core = { database: test.database, clock: new ManualClock(Date.UTC(2026, 0, 1)), log: createLogger('silent') };
  const secrets = newStoredSecrets();
  const begun = Promise.withResolvers<string>();
  let isMine = false;
  let gone: () => void = () => undefined;
  const { backups, folder, stop } = assembleBackups({
    ...{ ...core, dataFolder, secrets: workingSecrets(secrets), storedSecrets: () => secrets, audit: new AuditBook(core) },
    isMine: () => isMine,
    onGone: (wake) => {
      gone = wake;
    },
    books: {
      bytes: async () => 1,
      copy: async ({ file }) => {
        begun.resolve(file);
        return refuse('busy');
      },
      place: { name: 'two', host: 'db2.example' },
    },
  });
  await backups.setSchedule({ folder, everyHours: 1, keep: 1, passphrase: 'seven plain words make a long one' });
  isMine = true;
  gone();
  expect(await begun.promise).toContain(folder);
  stop();
  await test.dispose();
  rmSync(dataFolder, { recursive: true });
});
