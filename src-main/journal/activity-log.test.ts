import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventType } from '../../src-shared/event-types.ts';
import { currentJobContext, withoutJobContext } from '../platform/database/job-context.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { Act, actAs } from './acting.ts';
import { ActivityCheck } from './activity-log.ts';
import { appendEvent } from './events.ts';
import { activities } from './tables.ts';

let test: TestDatabase;
beforeEach(() => {
  test = openTestDatabase();
});
afterEach(() => test.dispose());

const act = new Act('rates.set', 'rate.set');
const append = (type: EventType, subject: string) =>
  test.database.write((tx) => appendEvent(tx, { type, subject, body: { rate: '1.5', source: 'bank' }, at: 1 }));
const doIt = (subject: string) => actAs(act, () => append('rate.set', subject));
const adas = new Act('rates.set', 'rate.set', { by: { kind: 'person', id: 'a1', name: 'Ada', role: 'manager' } });
const byAda = (subject: string) => actAs(adas, () => append('rate.set', subject));
const rows = () => test.look('select number, operation, subject from activities order by number');

describe('the activity log', () => {
  it('gets one entry for an act in the write of its event, and none for anything else', async () => {
    await append('rate.set', 'by the node');
    await doIt('EUR/USD');
    await actAs(act, () => append('rate.removed', 'another event'));
    expect(await rows()).toEqual([{ number: 1n, operation: 'rates.set', subject: 'EUR/USD' }]);
    const failed = actAs(act, () =>
      test.database.write(async (tx) => {
        await appendEvent(tx, { type: 'rate.set', subject: 'undone', at: 1 });
        throw new Error('undone');
      }),
    );
    await expect(failed).rejects.toThrow('undone');
    expect(await rows()).toHaveLength(1);
  });

  it('leaves out what still runs when the act is over, and the writes of others in the same commit', async () => {
    let later: Promise<unknown> = Promise.resolve();
    const release = Promise.withResolvers<void>();
    await actAs(act, async () => {
      later = release.promise.then(() => append('rate.set', 'later'));
      await withoutJobContext(() => append('rate.set', 'by the node'));
    });
    release.resolve();
    await later;
    const together = [doIt('mine'), append('rate.set', 'not mine'), doIt('mine, too')];
    await Promise.all(together);
    expect(await rows()).toMatchObject([{ subject: 'mine' }, { subject: 'mine, too' }]);
    test.database.onCommit(() => expect(currentJobContext()).toBeUndefined());
    await doIt('once more');
  });

  it.each([
    ['changed', "update activities set body = replace(body, '1.5', '2.5') where number = 3", 3],
    ['moved to another time', 'update activities set at = 2 where number = 1', 1],
    ['given another subject', "update activities set subject = 'x' where number = 5", 5],
    ['given to another person', "update activities set by_id = 'eve' where number = 4", 4],
    ['given another role', "update activities set by_role = 'owner' where number = 4", 4],
    ['taken from a person', 'update activities set by_kind = null, by_id = null, by_name = null, by_role = null where number = 4', 4],
    ['given to somebody', "update activities set by_name = '' where number = 2", 2],
    ['removed from the middle', 'delete from activities where number = 2', 2],
    ['removed from the end', 'delete from activities where number = 5', 5],
    ['removed from the beginning', 'delete from activities where number = 1', 1],
    ['removed with all others', 'delete from activities', 1],
    [
      'added',
      'insert into activities (number, at, operation, type, subject, wallet_address_id, body, by_kind, by_id, by_name, by_role, hash) select 6, at, operation, type, subject, wallet_address_id, body, by_kind, by_id, by_name, by_role, hash from activities where number = 5; update activity_head set number = 6',
      6,
    ],
    ['left without its head', 'delete from activity_head', 1],
    [
      'renumbered over a hole',
      'delete from activities where number = 2; update activities set number = number - 1 where number > 2; update activity_head set number = 4',
      2,
    ],
  ])('is found broken when an entry was %s', async (_name, statement, brokenAt) => {
    for (const subject of ['a', 'b', 'c', 'd', 'e']) await (subject === 'd' ? byAda(subject) : doIt(subject));
    expect(await new ActivityCheck(test.database).lookAtAll()).toEqual({ whole: true, entries: 5, checked: 5 });
    await test.tamper(statement);
    expect(await new ActivityCheck(test.database).lookAtAll()).toMatchObject({ whole: false, brokenAt });
  });

  it('says who did it, and the hashes of entries that name nobody are those of earlier versions', async () => {
    await doIt('a');
    await byAda('b');
    expect(await test.look('select hash, by_kind, by_id, by_name, by_role from activities order by number')).toMatchObject([
      // What earlier versions wrote for this entry.
      {
        hash: '1ed5ef56aa6f1e4aa020a682925c5ae14e9f1cbcf107d1e5418b30c35a893e68',
        by_kind: null,
        by_id: null,
        by_name: null,
        by_role: null,
      },
      { by_kind: 'person', by_id: 'a1', by_name: 'Ada', by_role: 'manager' },
    ]);
  });

  it('keeps where a person did it beside what they did, under the same hash', async () => {
    const by = { kind: 'person', id: 'a1', name: 'Ada', role: 'manager', from: { browser: 'Chrome', system: 'Linux' } } as const;
    await actAs(new Act('rates.set', 'rate.set', { by }), () => append('rate.set', 'a'));
    await byAda('b');
    const kept = await test.database.read.select({ body: activities.body }).from(activities).orderBy(activities.number);
    expect(kept.map(({ body }) => body)).toEqual([
      { browser: 'Chrome', system: 'Linux', rate: '1.5', source: 'bank' },
      { rate: '1.5', source: 'bank' },
    ]);
    await test.tamper("update activities set body = replace(body, 'Chrome', 'Safari') where number = 1");
    expect(await new ActivityCheck(test.database).lookAtAll()).toMatchObject({ whole: false, brokenAt: 1 });
  });

  it('is found broken when it has become shorter together with its head, and stays so', async () => {
    for (const subject of ['a', 'b', 'c']) await doIt(subject);
    const check = new ActivityCheck(test.database);
    expect(await check.look()).toMatchObject({ whole: true });
    await test.tamper(
      'delete from activities where number = 3; update activity_head set number = 2, hash = (select hash from activities where number = 2)',
    );
    expect(await check.look()).toMatchObject({ whole: false, brokenAt: 3 });
    await doIt('again');
    expect(await check.look()).toMatchObject({ whole: false });
  });

  it('is read on from where the last look ended, and then from the beginning again', async () => {
    const check = new ActivityCheck(test.database);
    expect(await check.look()).toEqual({ whole: true, entries: 0, checked: 0 });
    for (let n = 0; n < 30; n++) await doIt(String(n));
    // One look reads up to 2,000 entries, so it reads all 30.
    expect(await check.look()).toEqual({ whole: true, entries: 30, checked: 30 });
    await test.tamper("update activities set subject = 'x' where number = 4");
    expect(await check.look()).toMatchObject({ whole: false, brokenAt: 4 });
  });
});
