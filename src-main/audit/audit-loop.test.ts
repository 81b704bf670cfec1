import { closeSync, openSync, writeSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { Inspection } from '../platform/database/inspection.ts';
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

it('each round checks the pages of every table, and the first one of each day also the indexes against their tables', async () => {
  const test = openSqliteTest({ rehearse: false });
  const isSound = vi.spyOn(Inspection.prototype, 'isSound');
  const clock = new ManualClock(0);
  const isOver = new Error('the test is over');
  const rounds: boolean[] = [];
  const auditing = auditForEver({
    ...{ file: test.file, clock, pace: new AuditPace(clock, () => 0) },
    tell: async (news) => {
      if (!('ended' in news)) return;
      const [tables, ...ways] = [new Set(isSound.mock.calls.map(([table]) => table)), ...new Set(isSound.mock.calls.map(([, way]) => way))];
      expect([tables.size > 50, ways]).toEqual([true, [expect.any(Boolean)]]);
      rounds.push(ways[0] === true);
      isSound.mockClear();
      if (rounds.length === 4) throw isOver;
      clock.advance(10 * 3_600_000);
    },
    rest: async () => undefined,
  });
  await expect(auditing).rejects.toBe(isOver);
  expect(rounds).toEqual([true, false, false, true]);
  isSound.mockRestore();
  await test.dispose();
});
