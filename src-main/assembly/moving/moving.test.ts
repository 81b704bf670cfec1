import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExportTask, exportBooks } from '../../backup/export.ts';
import { runBackupTask } from '../../backup/tasks.ts';
import { Act, actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import { ORIGIN, openPayments } from '../../payments/testing/payments.ts';
import { systemClock } from '../../platform/clock.ts';
import { DATABASE_FILE } from '../../platform/data-folder/data-folder.ts';
import { Generation, readNodeState } from '../../platform/data-folder/generation.ts';
import { refuseMovedFolder } from '../../platform/data-folder/moved-folder.ts';
import { BooksWentBack } from '../../platform/database/database.ts';
import { migratePostgres } from '../../platform/database/postgres/migrate.ts';
import { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { SqliteDatabase } from '../../platform/database/sqlite.ts';
import { MIGRATIONS, OtherMigrations, POSTGRES_MIGRATIONS } from '../../platform/database/testing/other-migrations.ts';
import { emptyDatabase, hasPostgres, type OneDatabase } from '../../platform/database/testing/postgres-databases.ts';
import { openSqliteTest } from '../../platform/database/testing/sqlite-test.ts';
import { refuseMovedBooks } from '../../platform/secrets/move-marks.ts';
import { SecretsFile } from '../../platform/secrets/node-secrets.ts';
import { newSealKey } from '../../platform/secrets/seal-key.ts';
import { keysIn, openKeys, sharedSecrets } from '../../platform/secrets/shared-secrets.ts';
import type { Moving } from './moving.ts';
import { moveToDatabase } from './to-database.ts';
import { moveToFolder } from './to-folder.ts';

const WHERE = 'the database';
const KEY = newSealKey();
const MOVE_PROCESS = join(import.meta.dirname, 'testing/move-process.ts');
/** The tables that are compared here. The move itself compares all. */
const TABLES = ['ledger_accounts', 'ledger_transfers', 'outgoing_payments', 'incoming_payments', 'events', 'activities', 'activity_head'];

/** A database file with payments that have ended, one that has not, and an act of the operator. */
let made: Buffer;
let folder: string;
let back: string;
let server: OneDatabase;
const folders: string[] = [];
const opened: PostgresDatabase[] = [];

beforeAll(async () => {
  const test = openSqliteTest({ rehearse: false });
  const world = openPayments({ testDatabase: test });
  const [alice, bob] = [await world.account('alice', 4_000_000_000_000_000_000n), await world.account('bob', 0n)];
  const pay = async () => {
    const incoming = await world.incomingPayments.create({ walletAddress: bob, client: null, metadata: { note: 'Z ä 😀 "x" \\ \n' } });
    if (!incoming.ok) throw new Error(incoming.error);
    const paid = await world.outgoingPayments.createFromIncomingPayment({
      ...{ walletAddress: alice, right: null, incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}` },
      debitAmount: { value: 5n, assetCode: 'USD', assetScale: 2 },
    });
    if (!paid.ok) throw new Error(paid.error.code);
    return paid.value.id;
  };
  const first = await pay();
  await world.worker.start();
  await world.finished(first);
  await world.worker.stop();
  await pay();
  const event = { type: 'rate.set', subject: 'USD/EUR', at: 5 } as const;
  await actAs(new Act('rates.set', 'rate.set'), () => test.database.write((tx) => appendEvent(tx, event)));
  test.database.connection.pragma('wal_checkpoint(TRUNCATE)');
  made = readFileSync(test.file);
  await world.close();
});

beforeEach(({ skip }) => {
  skip(!hasPostgres);
  [folder, back] = [newFolder(), join(newFolder(), 'back')];
  writeFileSync(join(folder, DATABASE_FILE), made);
  new SecretsFile(folder).read();
  server = emptyDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  if (hasPostgres) await server.drop();
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

function newFolder(): string {
  const one = mkdtempSync(join(tmpdir(), 'paydesk-moving-'));
  folders.push(one);
  return one;
}

async function moving(dataFolder: string, told: string[] = []): Promise<Moving> {
  await server.ready;
  return {
    ...{ dataFolder, protection: undefined, migrations: MIGRATIONS, clock: systemClock },
    address: { url: server.url, shown: WHERE },
    sealKey: Buffer.from(KEY, 'base64url'),
    tell: (line) => told.push(line),
  };
}

const toDatabase = async (told?: string[]) => await moveToDatabase(await moving(folder, told));
const toFolder = async (target = back) => await moveToFolder(await moving(target));

function shared(): PostgresDatabase {
  const database = new PostgresDatabase(server.url, { listens: false, ready: server.ready });
  opened.push(database);
  return database;
}

/** All rows of some tables of a data folder, without the order in which the engine gives them. */
function rowsOf(dataFolder: string): unknown {
  const file = new Sqlite(join(dataFolder, DATABASE_FILE), { readonly: true }).defaultSafeIntegers(true);
  try {
    return TABLES.map((table) => file.prepare(`select * from ${table}`).all().map(sorted).toSorted());
  } finally {
    file.close();
  }
}
async function rowsThere(): Promise<unknown> {
  const all: string[][] = [];
  for (const table of TABLES) all.push((await server.run(`select * from ${table}`)).map(sorted).toSorted());
  return all;
}
const sorted = (row: unknown): string =>
  JSON.stringify(Object.entries(row as object).toSorted(), (_, value) => (typeof value === 'bigint' ? String(value) : value));

const works = async (look: () => Promise<boolean> | boolean): Promise<boolean> => {
  try {
    return await look();
  } catch {
    return false;
  }
};
/** Whether a node would start on the books there. */
const startsIn = (dataFolder: string) =>
  works(() => {
    refuseMovedFolder(dataFolder);
    return existsSync(join(dataFolder, DATABASE_FILE));
  });
const startsThere = () =>
  works(async () => {
    await refuseMovedBooks(shared(), WHERE, Buffer.from(KEY, 'base64url'));
    return (await keysIn(shared().read)) !== undefined;
  });

describe('books that are moved into a database', () => {
  it('have every row and the keys of the node there, and do not count in their folder any more', async () => {
    const before = rowsOf(folder);
    const told: string[] = [];
    const lines = await toDatabase(told);
    expect(await rowsThere()).toEqual(before);
    expect(lines.join('\n')).toMatch(/\d+ rows of \d+ tables are in the database\..*\nThe activity log is whole: 1 entry\./);
    expect(told.at(-1)).toMatch(/^Comparing: (\d+) of \1 rows/);
    const keys = await sharedSecrets({ database: shared(), clock: systemClock }, Buffer.from(KEY, 'base64url'));
    expect(keys).toEqual(new SecretsFile(folder).read());
    expect([await startsIn(folder), await startsThere()]).toEqual([false, true]);
    expect(() => refuseMovedFolder(folder)).toThrow('were moved to the database. Start the node with --database');
  });

  it('stay where they are when the database has something in it', async () => {
    await toDatabase();
    const another = newFolder();
    writeFileSync(join(another, DATABASE_FILE), made);
    new SecretsFile(another).read();
    await expect(moveToDatabase(await moving(another))).rejects.toThrow('has something in it already');
    expect(await startsIn(another)).toBe(true);
  });

  it('stay where they are when a text has a NUL character', async () => {
    const file = new Sqlite(join(folder, DATABASE_FILE));
    file.exec("update wallet_addresses set public_name = 'a' || char(0)");
    file.close();
    await expect(toDatabase()).rejects.toThrow('in the table wallet_addresses has a NUL character');
    expect([await startsIn(folder), await startsThere()]).toEqual([true, false]);
  });

  it('stay where they are when the audit finds damage in them', async () => {
    const file = new Sqlite(join(folder, DATABASE_FILE));
    file.exec("update ledger_accounts set balance = balance + 1 where kind = 'customer'");
    file.close();
    await expect(toDatabase()).rejects.toThrow('The audit finds damage');
    expect([await startsIn(folder), await startsThere()]).toEqual([true, false]);
  });

  it('are moved once, however often the command is given', async () => {
    await toDatabase();
    expect(await toDatabase()).toEqual(['The books are in the database already.']);
  });

  it('are not given up when the named database does not have them', async () => {
    await toDatabase();
    const other = emptyDatabase();
    await other.ready;
    const elsewhere = { ...(await moving(folder)), address: { url: other.url, shown: 'another' } };
    await expect(moveToDatabase(elsewhere)).rejects.toThrow('were moved to the database, and another does not have them');
    await other.drop();
  });
});

describe('books that are moved into a data folder', () => {
  it('have every row and the keys of the node there, are no copy, and do not count in the database any more', async () => {
    const before = rowsOf(folder);
    await toDatabase();
    expect((await toFolder()).join('\n')).toContain('The activity log is whole: 1 entry.');
    expect(rowsOf(back)).toEqual(before);
    expect(new SecretsFile(back).read()).toEqual(new SecretsFile(folder).read());
    const database = new SqliteDatabase(join(back, DATABASE_FILE));
    expect(await readNodeState(database)).toMatchObject({ generation: 1 });
    expect(await new Generation({ database, dataFolder: back }).isCopy()).toBe(false);
    await database.close();
    expect([await startsIn(back), await startsThere()]).toEqual([true, false]);
    await expect(refuseMovedBooks(shared(), WHERE, Buffer.from(KEY, 'base64url'))).rejects.toThrow(`were moved to ${back} (`);
  });

  it('stay where they are while a replica lives', async () => {
    await toDatabase();
    await server.run(
      `insert into replicas values ('r', 'one', '1', 'h', 'u', 'c', 0, (extract(epoch from clock_timestamp()) * 1000)::int8, 0, '{}')`,
    );
    await expect(toFolder()).rejects.toThrow('Replicas run on the database: one. Stop them first.');
    expect([await startsIn(back), await startsThere()]).toEqual([false, true]);
    expect(readdirSync(back)).not.toContain('move-prepared');
  });

  it('stay where they are when somebody has written there while they were copied', async () => {
    await toDatabase();
    const asked = await moving(back);
    // A replica that was frozen wakes up, writes, and is frozen again.
    const write = `const { default: pg } = await import('pg'); const client = new pg.Client(process.argv[1]);
      await client.connect(); await client.query('update turns set term = term + 1'); await client.end()`;
    const tell = (line: string) => {
      if (!line.startsWith('Checking')) return;
      const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', write, server.url], { cwd: import.meta.dirname });
      expect(status).toBe(0);
    };
    await expect(moveToFolder({ ...asked, tell })).rejects.toThrow('has written into the database while the books were copied');
    expect([await startsIn(back), await startsThere()]).toEqual([false, true]);
  });

  it('leave a database into which a replica that was frozen writes nothing any more', async () => {
    await toDatabase();
    const frozen = shared();
    await frozen.write(async () => undefined);
    await toFolder();
    await expect(frozen.write(async () => undefined)).rejects.toBeInstanceOf(BooksWentBack);
  });

  it('stay where they are when a folder has a node, or no room', async () => {
    await toDatabase();
    const another = newFolder();
    writeFileSync(join(another, DATABASE_FILE), made);
    await expect(toFolder(another)).rejects.toThrow('There is a node in');
    await expect(moveToFolder(await moving(back), () => 1)).rejects.toThrow('may need');
    expect(await startsThere()).toBe(true);
  });
});

/** The task to export the books that are in the database now. */
async function exportingNow(): Promise<ExportTask> {
  const { address, sealKey, migrations } = await moving(folder);
  const secrets = openKeys((await keysIn(shared().read)) ?? { sealed: '' }, sealKey);
  const head = { createdAt: new Date().toISOString(), version: '0.0.0', secrets };
  const file = join(newFolder(), 'books.age');
  return { kind: 'export', address, migrations, file, passphrase: 'correct horse battery staple', head, workFactor: 2 };
}

describe('books that are exported from a database', () => {
  it('have every row in a backup that a data folder is restored from, which begins as a copy', async () => {
    const before = rowsOf(folder);
    await toDatabase();
    // A node that began in the database has no count there.
    await server.run('delete from node_state');
    const { file, passphrase, ...exporting } = await exportingNow();
    expect(await runBackupTask({ file, passphrase, ...exporting })).toMatchObject({ ok: true });
    const restored = newFolder();
    const databaseFile = join(restored, DATABASE_FILE);
    const task = { kind: 'open', file, passphrase, databaseFile, migrations: MIGRATIONS } as const;
    expect(await runBackupTask(task)).toMatchObject({ ok: true, value: { head: { secrets: exporting.head.secrets } } });
    expect(rowsOf(restored)).toEqual(before);
    const database = new SqliteDatabase(databaseFile);
    expect(await new Generation({ database, dataFolder: restored }).isCopy()).toBe(true);
    await database.close();
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('are not written when the audit finds damage in them', async () => {
    await toDatabase();
    await server.run("update ledger_accounts set balance = balance + 1 where kind = 'customer'");
    await server.run("update ledger_accounts set balance = balance - 1 where kind = 'external'");
    const exporting = await exportingNow();
    expect(await exportBooks(exporting)).toEqual({ ok: false, error: 'books_damaged' });
    expect(readdirSync(dirname(exporting.file))).toEqual([]);
  });

  it('are exported by one at a time, and not when they are too large', async () => {
    await toDatabase();
    const both = await Promise.all([exportBooks(await exportingNow()), exportBooks(await exportingNow())]);
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(both).toContainEqual({ ok: false, error: 'busy' });
    expect(await exportBooks({ ...(await exportingNow()), mostBytes: 1 })).toEqual({ ok: false, error: 'too_large' });
  });
});

describe('books of another version', () => {
  const NEWER = 'alter table outgoing_payments add column later bigint';
  const newer = (migrations: string, sql: string) => new OtherMigrations(newFolder(), migrations).followedBy(sql);

  it('stay where they are, and are not exported, when a newer version has added to them what this one would leave out', async () => {
    await toDatabase();
    await migratePostgres(server.url, newer(POSTGRES_MIGRATIONS, NEWER));
    const exporting = await exportingNow();
    const words = 'A newer version of paydesk has added something to the database, which this one would leave out.';
    expect(await exportBooks(exporting)).toEqual({ ok: false, error: 'newer_version' });
    await expect(toFolder()).rejects.toThrow(words);
    expect([existsSync(exporting.file), await startsIn(back), await startsThere()]).toEqual([false, false, true]);
    expect(readdirSync(back)).not.toContain('move-prepared');
  });

  it('are opened from an export by the version that has made it, by every later one, and by none before it', async () => {
    await toDatabase();
    const migrations = newer(MIGRATIONS, 'create index later on outgoing_payments (id, state)');
    const { passphrase } = await exportingNow();
    const opens = async (file: string, by: string) => {
      const databaseFile = join(newFolder(), DATABASE_FILE);
      const opened = await runBackupTask({ kind: 'open', file, passphrase, databaseFile, migrations: by });
      return [opened.ok || opened.error, existsSync(databaseFile)];
    };
    const [old, fresh] = [await exportingNow(), { ...(await exportingNow()), migrations }];
    for (const task of [old, fresh]) expect(await exportBooks(task)).toMatchObject({ ok: true });
    expect([await opens(old.file, MIGRATIONS), await opens(old.file, migrations)]).toEqual(Array(2).fill([true, true]));
    expect(await opens(fresh.file, migrations)).toEqual([true, true]);
    expect(await opens(fresh.file, MIGRATIONS)).toEqual(['newer_database', false]);
  });
});

/** Moves in a process that is killed when it passes the fail point for so often. */
async function killedAt(step: number, direction: 'to-database' | 'to-folder'): Promise<void> {
  const { dataFolder, address } = await moving(direction === 'to-database' ? folder : back);
  const args = [MOVE_PROCESS, direction, dataFolder, address.url, KEY, `move-step:${step}`];
  const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
}

/** All take a minute on a computer that does nothing else, so an ordinary run takes those that matter most. */
const isLong = process.env.PAYDESK_TEST_ROUNDS !== undefined;

describe('a move that is killed', () => {
  // Before the commit there, after it, after the mark in the folder, and after the end of the mark in the database.
  const intoDatabase = [
    [1, [true, false]],
    [2, [true, false]],
    [3, [false, false]],
    [4, [false, true]],
  ] as const;
  it.each(intoDatabase.filter(([step]) => isLong || step === 3))(
    'at step %i of the way into a database never leaves two nodes, and is ended by the same command',
    async (step, expected) => {
      const before = rowsOf(folder);
      await killedAt(step, 'to-database');
      expect([await startsIn(folder), await startsThere()]).toEqual(expected);
      await toDatabase();
      expect([await startsIn(folder), await startsThere()]).toEqual([false, true]);
      expect(await rowsThere()).toEqual(before);
    },
  );

  // Before the copy, after it, before the commit that decides, after it, and after each part that is put in its place.
  const intoFolder = [
    [1, [false, true]],
    [2, [false, true]],
    [3, [false, true]],
    [4, [false, false]],
    [5, [false, false]],
    [6, [false, false]],
    [7, [true, false]],
  ] as const;
  it.each(intoFolder.filter(([step]) => isLong || step === 2 || step === 5))(
    'at step %i of the way into a folder never leaves two nodes, and is ended by the same command',
    async (step, expected) => {
      const before = rowsOf(folder);
      await toDatabase();
      await killedAt(step, 'to-folder');
      const found = [await startsIn(back), await startsThere()];
      expect(found).toEqual(expected);
      if (!found[0]) await toFolder();
      expect([await startsIn(back), await startsThere()]).toEqual([true, false]);
      expect(rowsOf(back)).toEqual(before);
    },
  );

  it('is begun anew with what its node has stored since', async () => {
    await killedAt(2, 'to-database');
    const file = new Sqlite(join(folder, DATABASE_FILE));
    file.exec("update wallet_addresses set public_name = 'changed since'");
    file.close();
    await toDatabase();
    expect(await server.run('select distinct public_name from wallet_addresses')).toEqual([{ public_name: 'changed since' }]);
  });
});
