import { closeSync, openSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { openSqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { type AuditNews, auditForEver } from './audit-loop.ts';
import { AuditPace } from './pace.ts';

it('a file that does not open any more is damage, and the audit tries to open it again and again', async () => {
  const test = openSqliteTest({ rehearse: false });
  test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
  const open = openSync(test.file, 'r+');
  writeSync(open, 'No file of SQLite', 0);
  closeSync(open);
  const news: AuditNews[] = [];
  const clock = new ManualClock(0);
  const isOver = new Error('the test is over');
  let rests = 0;
  const auditing = auditForEver({
    ...{ file: test.file, clock, pace: new AuditPace(clock, () => 0) },
    tell: async (told) => void news.push(told),
    rest: async () => {
      rests += 1;
      if (rests === 2) throw isOver;
    },
  });
  await expect(auditing).rejects.toBe(isOver);
  const unreadable = { step: { findings: [{ owner: '', finding: 'unreadable', place: 'database' }] } };
  expect(news).toEqual([{ begins: true }, unreadable, { begins: true }, unreadable]);
  await test.dispose();
});
