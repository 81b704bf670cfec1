import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backups } from '../../../backup/tables.ts';
import { replicas } from '../../../platform/replicas/tables.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { livingReplicas } from './living-replicas.ts';

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

const replica = (name: string, more: Partial<typeof replicas.$inferInsert> = {}) => ({
  ...{ id: `id of ${name}`, name, version: '0.2.0', host: 'desk', url: 'https://pay.example', configuration: 'same' },
  ...{ startedAt: 1_000, seenAt: 2_000, leaving: false, report: '{"ahead":-120,"turns":3.5}' },
  ...more,
});

/** What the console of the replica `one` hears of these. */
async function heard(...rows: ReturnType<typeof replica>[]) {
  const shared = { ownReplica: 'id of one', aboutServer: async () => ({ version: '16.4', archivedAt: 5_000 }) };
  await desk.context.database.write((tx) => tx.insert(replicas).values(rows));
  return await livingReplicas({ ...desk.context, shared, about: { ...desk.context.about, database: 'db.example:5432/books' } });
}

describe('the list of replicas', () => {
  it('is empty while the books are in the data folder', async () => {
    expect(await livingReplicas(desk.context)).toBeNull();
  });

  it('says what each tells of itself, and which one answers', async () => {
    expect(await heard(replica('two'), replica('one'))).toMatchObject({
      engine: 'PostgreSQL 16.4',
      database: 'db.example:5432/books',
      archivedAt: new Date(5_000),
      exportedAt: null,
      replicas: [
        { name: 'one', own: true, version: '0.2.0', host: 'desk', since: new Date(1_000), clockMs: -120, turns: 3.5, alike: true },
        { name: 'two', own: false },
      ],
    });
  });

  it('names those that leave, that have other settings, and that have told nothing that this version knows', async () => {
    const list = await heard(
      replica('one'),
      replica('leaving', { leaving: true }),
      replica('other', { configuration: 'x' }),
      replica('new', { report: '{"by":"another version"}' }),
    );
    expect(list?.replicas.map(({ name, leaving, alike, turns }) => [name, leaving, alike, turns])).toEqual([
      ['leaving', true, true, 3.5],
      ['new', false, true, null],
      ['one', false, true, 3.5],
      ['other', false, false, 3.5],
    ]);
  });

  it('says when the books were last exported', async () => {
    await desk.context.database.write((tx) =>
      tx.insert(backups).values({ id: 'b', file: '/exports/one.age', bytes: 1, scheduled: false, createdAt: 7_000 }),
    );
    expect(await heard(replica('one'))).toMatchObject({ exportedAt: new Date(7_000) });
  });
});
