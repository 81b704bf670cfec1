import Sqlite from 'better-sqlite3';
import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseHeld, DatabaseStopped, NotStored, type Tx } from './database.ts';
import { int64, table, text } from './schema.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { openSqliteTest, type SqliteTest } from './testing/sqlite-test.ts';

/** This test has its own table, so that it does not depend on the tables of the wings. */
const notes = table('notes', {
  position: int64('position').primaryKey(),
  subject: text('subject').notNull(),
  payload: text('payload').notNull(),
});
const nextPosition = sql<bigint>`(select coalesce(max(position), 0) + 1 from notes)`;

const opened: SqliteTest[] = [];
function open(rehearse = true): SqliteDatabase {
  const test = openSqliteTest({ rehearse });
  test.database.connection.exec('create table notes (position integer primary key, subject text not null, payload text not null) strict');
  opened.push(test);
  return test.database;
}
afterEach(async () => {
  for (const test of opened.splice(0)) await test.dispose();
});

const append = (tx: Tx, subject: string, payload = '') => tx.insert(notes).values({ position: nextPosition, subject, payload });
const note = (database: SqliteDatabase, subject: string, payload?: string) =>
  database.write(async (tx) => {
    await append(tx, subject, payload);
  });
const subjects = async (database: SqliteDatabase) =>
  (await database.read.select({ subject: notes.subject }).from(notes)).map((row) => row.subject);

/** How often the event loop came round until a promise was settled. */
async function turnsUntil(settled: Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  await settled.catch(() => undefined);
  clearInterval(counting);
  return turns;
}

describe('the write queue', () => {
  it('lets waiting jobs share a commit and gives each job its own result', async () => {
    const database = open();
    const results = await Promise.all(['a', 'b', 'c'].map((subject) => note(database, subject).then(() => subject)));
    expect(results).toEqual(['a', 'b', 'c']);
    expect(database.stats).toEqual({ commits: 1, jobs: 3 });
    expect(await subjects(database)).toEqual(['a', 'b', 'c']);
  });

  it('undoes a job that throws and keeps the other jobs of its commit', async () => {
    const database = open();
    const failing = database.write(async (tx) => {
      await append(tx, 'no');
      throw new Error('not this one');
    });
    const outcomes = await Promise.allSettled([note(database, 'a'), failing, note(database, 'c')]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await subjects(database)).toEqual(['a', 'c']);
  });

  it('runs a job once, and again when another job of its commit fails', async () => {
    const database = open(false);
    const runs = { a: 0, no: 0, c: 0 };
    const counted = (subject: keyof typeof runs) =>
      database.write(async (tx) => {
        runs[subject] += 1;
        await append(tx, subject);
        if (subject === 'no') throw new Error('not this one');
      });
    await Promise.all([counted('a'), counted('c')]);
    expect(runs).toEqual({ a: 1, no: 0, c: 1 });
    const [first, failing, last] = [counted('a'), counted('no'), counted('c')];
    await expect(failing).rejects.toThrow('not this one');
    await Promise.all([first, last]);
    expect(runs).toEqual({ a: 3, no: 2, c: 2 });
    expect((await subjects(database)).sort()).toEqual(['a', 'a', 'c', 'c']);
  });

  it('loses the whole commit when the disk fails in the middle of it, and stops', async () => {
    const database = open(false);
    const failing = (error: Error) =>
      database.write(async (tx) => {
        await append(tx, 'no');
        throw error;
      });
    // The first job fails by itself. So each job runs apart from the others, and only the disk ends them all.
    const jobs = [
      failing(new Error('not this one')),
      note(database, 'before'),
      failing(Object.assign(new Error('EIO'), { code: 'SQLITE_IOERR_READ' })),
      note(database, 'after'),
    ];
    for (const job of jobs) await expect(job).rejects.toThrow(DatabaseStopped);
    expect([database.stopped?.cause, await subjects(database)]).toEqual([expect.objectContaining({ message: 'EIO' }), []]);
  });

  it('tries every job twice where tests say so, so that one which may run only once is found', async () => {
    const database = open(true);
    let runs = 0;
    const found = await database.write(async (tx) => {
      runs += 1;
      await append(tx, 'a');
      return (await tx.select().from(notes)).length;
    });
    expect([runs, found, await subjects(database)]).toEqual([2, 1, ['a']]);
  });

  it('undoes a job that catches the error of a failed statement', async () => {
    const database = open();
    await note(database, 'a');
    const swallowing = database.write(async (tx) => {
      await tx
        .insert(notes)
        .values({ position: 1n, subject: 'twice', payload: '' })
        .catch(() => undefined);
      await append(tx, 'after');
    });
    await expect(swallowing).rejects.toThrow(/UNIQUE/);
    expect(await subjects(database)).toEqual(['a']);
  });

  it('takes no more writes after a job has awaited anything but the database', async () => {
    const database = open(false);
    const waiting = database.write(async (tx) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await append(tx, 'late');
    });
    await expect(waiting).rejects.toThrow('takes no more writes');
    await expect(note(database, 'b')).rejects.toThrow('takes no more writes');
    expect(await subjects(database)).toEqual([]);
  });

  it('keeps every acknowledged write, and no other write, when the disk fills up in the middle of a batch', async () => {
    const database = open(false);
    const pages = database.connection.pragma('page_count', { simple: true }) as bigint;
    database.connection.pragma(`max_page_count = ${pages + 20n}`);
    const acknowledged = new Set<string>();
    let refused = 0;
    for (let round = 0; round < 30; round += 1) {
      const batch = Array.from({ length: 8 }, (_, index) => `${round}/${index}`);
      await Promise.all(
        batch.map((subject) =>
          note(database, subject, 'x'.repeat(1000)).then(
            () => acknowledged.add(subject),
            () => {
              refused += 1;
            },
          ),
        ),
      );
    }
    expect(acknowledged.size).toBeGreaterThan(8);
    expect(refused).toBeGreaterThan(8);
    expect(new Set(await subjects(database))).toEqual(acknowledged);
    expect(database.notStored?.message).toMatch(/disk full/);
    expect(database.notStored?.cause, 'what the disk said').toMatchObject({ cause: { code: 'SQLITE_FULL' } });
    await database.write(async () => undefined);
    expect(database.notStored?.message, 'after a write that changes nothing').toMatch(/disk full/);
    database.connection.pragma('max_page_count = 1000000');
    await note(database, 'room again');
    expect(database.notStored).toBeUndefined();
    expect(await subjects(database)).toContain('room again');
  });

  it('shows a reader in the middle of an export what has been committed since the export began', async () => {
    const database = open();
    await Promise.all(Array.from({ length: 40 }, (_, index) => note(database, `row ${index}`)));
    const seen: string[] = [];
    for (let position = 0n; ; ) {
      const page = await database.read.select().from(notes).where(sql`${notes.position} > ${position}`).orderBy(notes.position).limit(10);
      if (page.length === 0) break;
      seen.push(...page.map((row) => row.subject));
      position = page.at(-1)?.position ?? position;
      if (seen.length === 10) await database.write((tx) => tx.update(notes).set({ subject: 'changed' }).where(eq(notes.subject, 'row 39')));
    }
    expect(seen).toHaveLength(40);
    expect(seen.at(-1)).toBe('changed');
  });
});

describe('while another program holds the database', () => {
  /** A program that writes into the file of the database. */
  function holdFromOutside({ connection }: SqliteDatabase): { letGo(): void } {
    const outside = new Sqlite(connection.name);
    outside.exec('begin immediate');
    return { letGo: () => outside.close() };
  }
  it('a write waits for it without keeping anything else waiting, and is then stored', async () => {
    const database = open(false);
    await note(database, 'before');
    const outside = holdFromOutside(database);
    const written = note(database, 'after');
    setTimeout(async () => {
      expect(await subjects(database)).toEqual(['before']);
      outside.letGo();
    }, 30);
    expect(await turnsUntil(written)).toBeGreaterThan(3);
    await written;
    expect(await subjects(database)).toEqual(['before', 'after']);
    expect(database.notStored).toBeUndefined();
  });

  it('a write is refused with that reason after a while, the next ones are refused at once, and all goes on afterwards', async () => {
    const database = open(false);
    const outside = holdFromOutside(database);
    const refused = note(database, 'late');
    // A write that waits for longer is stored, and that ends this test.
    const longEnough = setTimeout(outside.letGo, 15_000);
    expect(await turnsUntil(refused)).toBeGreaterThan(3);
    clearTimeout(longEnough);
    await expect(refused).rejects.toThrow(DatabaseHeld);
    await expect(refused).rejects.toThrow(/Another program holds the database/);
    expect(database.notStored).toBeInstanceOf(DatabaseHeld);
    expect(await turnsUntil(note(database, 'too'))).toBeLessThan(10);
    expect(database.stopped).toBeUndefined();
    outside.letGo();
    await note(database, 'after');
    expect(await subjects(database)).toEqual(['after']);
    expect(database.notStored).toBeUndefined();
  });
});

it('a write is refused at once when no transaction can begin for another reason, and all goes on afterwards', async () => {
  const database = open(false);
  // As if somebody had left a transaction open.
  database.connection.exec('begin');
  const refused = note(database, 'late');
  expect(await turnsUntil(refused)).toBeLessThan(10);
  await expect(refused).rejects.toThrow(NotStored);
  await note(database, 'after');
  expect(await subjects(database)).toEqual(['after']);
});

describe('the schema', () => {
  it('is strict in every table, so that no value changes its type when it is stored', () => {
    const database = open();
    const tables = database.connection
      .prepare('select name, strict from pragma_table_list where schema = ? and type = ?')
      .all('main', 'table') as {
      name: string;
      strict: bigint;
    }[];
    const own = tables.filter(({ name }) => !name.startsWith('sqlite_') && !name.startsWith('__drizzle'));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter(({ strict }) => strict !== 1n)).toEqual([]);
  });

  it('has foreign keys on for the writer after the migrations', () => {
    expect(open().connection.pragma('foreign_keys', { simple: true })).toBe(1n);
  });
});
