import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDamage } from '../damage.ts';
import { NotStored } from '../database.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { inWords } from './problems.ts';
import { DriverTest, note, notes } from './testing/driver-test.ts';

const test = await DriverTest.start();
beforeEach(({ skip }) => skip(!test.canRun));
afterEach(() => test.closeAll());
afterAll(() => test.stop());

/** What the server says of a page whose header is wrong, and of an index that contradicts its table. */
const SAYS = [
  ['XX001', 'invalid page in block 0 of relation base/1/2'],
  ['XX002', 'index "notes_pkey" contains unexpected zero page at block 1'],
] as const;

/** A table of which the server cannot read the row `bad`. */
const damaged = (state: string, message: string) => `
  create function unreadable() returns boolean language plpgsql as
    $$ begin raise exception '${message}' using errcode = '${state}'; end $$;
  alter table notes rename to whole_notes;
  insert into whole_notes values ('bad', ''), ('good', '');
  create view notes as select * from whole_notes where case when id = 'bad' then unreadable() else true end;
`;

/** A row of turns that the server cannot read. */
const torn = (state: string, message: string) => `
  create function unreadable_turn() returns trigger language plpgsql as
    $$ begin raise exception '${message}' using errcode = '${state}'; end $$;
  create trigger torn before update on turns execute function unreadable_turn();
`;

describe.each(SAYS)('what the server cannot read (%s)', (state, message) => {
  let url: string;
  let database: PostgresDatabase;
  let met: unknown[];
  beforeEach(async () => {
    url = await test.another();
    await test.admin(url, damaged(state, message));
    met = [];
    database = test.open(url, { listens: false, onDamaged: (error) => met.push(error) });
  });

  it('is damage to whoever reads it, in each way of reading', async () => {
    const ask = (id: string) => (read: PostgresDatabase['read']) => read.select().from(notes).where(eq(notes.id, id));
    const ways = [
      (id: string) => ask(id)(database.read),
      (id: string) => ask(id)(database.readAside),
      (id: string) => database.readAtOnce(ask(id)),
    ];
    for (const [n, way] of ways.entries()) {
      const error = await way('bad').catch((caught: unknown) => caught);
      expect([isDamage(error), met.length]).toEqual([true, n + 1]);
      expect(await way('good')).toHaveLength(1);
    }
    expect(met.every(isDamage)).toBe(true);
  });

  it('fails only the write that needs it, and the replica writes on', async () => {
    const change = (id: string) => database.write((tx) => tx.update(notes).set({ body: 'new' }).where(eq(notes.id, id)), [id]);
    const ends = await Promise.allSettled([change('good'), change('bad'), database.write((tx) => note(tx, 'other'), ['other'])]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ends.map((end) => end.status === 'rejected' && isDamage(end.reason))).toEqual([false, true, false]);
    expect(met.length).toBeGreaterThan(0);
    expect([database.stopped, database.notStored]).toEqual([undefined, undefined]);
  });

  it('refuses every write as damage, in words, when no turn can be taken', async () => {
    await test.admin(url, torn(state, message));
    await expect(database.write((tx) => note(tx, 'a'))).rejects.toThrow('cannot read a part of the books');
    expect(database.notStored).toBeInstanceOf(NotStored);
    expect([isDamage(database.notStored), database.stopped, met.length]).toEqual([true, undefined, 1]);
    await test.admin(url, 'drop trigger torn on turns');
    await database.write((tx) => note(tx, 'a'));
    expect(database.notStored).toBeUndefined();
  });

  it('is said in words to whoever starts a replica', async () => {
    const error = await database.read
      .select()
      .from(notes)
      .where(eq(notes.id, 'bad'))
      .catch((caught: unknown) => caught);
    expect(String(inWords(error, 'db.example/paydesk'))).toContain(`db.example/paydesk cannot read a part of the books (${message})`);
  });
});
