import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OtherMigrations, POSTGRES_MIGRATIONS } from '../testing/other-migrations.ts';
import { emptyDatabase, hasPostgres, type OneDatabase } from '../testing/postgres-databases.ts';
import { migratePostgres } from './migrate.ts';

let folder: string;
let other: OtherMigrations;
let database: OneDatabase;

describe.runIf(hasPostgres)('the migrations of PostgreSQL', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'paydesk-migrate-'));
    other = new OtherMigrations(folder, POSTGRES_MIGRATIONS);
    database = emptyDatabase();
  });
  afterEach(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const migrate = async (migrations = POSTGRES_MIGRATIONS) => {
    await database.ready;
    return await migratePostgres(database.url, migrations);
  };
  const tables = async () => {
    const rows = await database.run("select tablename from pg_tables where schemaname = 'public' order by 1");
    return rows.map(({ tablename }) => tablename);
  };

  it('make every table once, and nothing the second time', async () => {
    const steps: string[] = [];
    await database.ready;
    expect(await migratePostgres(database.url, POSTGRES_MIGRATIONS, (step, of) => steps.push(`${step}/${of}`))).toBe(1);
    expect(steps.at(-1)).toBe(`${steps.length}/${steps.length}`);
    const made = await tables();
    expect(made).toContain('ledger_accounts');
    expect(await migrate()).toBe(0);
    expect(await tables()).toEqual(made);
  });

  it('are made once by two nodes that start at the same moment', async () => {
    const made = await Promise.all([migrate(), migrate(), migrate()]);
    expect(made.toSorted()).toEqual([0, 0, 1]);
    expect(await database.run('select term from turns')).toEqual([{ term: 0n }]);
  });

  it('keep the rows that are there', async () => {
    await migrate();
    await database.run("insert into wallet_addresses values ('w', 'shop', 'Shop', 'USD', 2, 1)");
    expect(await migrate(other.followedBy('alter table wallet_addresses add colour text collate "C" default \'red\' not null'))).toBe(1);
    expect(await database.run('select name, colour from wallet_addresses')).toEqual([{ name: 'shop', colour: 'red' }]);
  });

  it('leave the database as it was when one of them fails', async () => {
    await migrate();
    const before = await tables();
    const broken = other.followedBy('create table half (id bigint);\n--> statement-breakpoint\ncreate table wallet_addresses (id bigint)');
    await expect(migrate(broken)).rejects.toThrow('already exists');
    expect(await tables()).toEqual(before);
    expect(await migrate(), 'the failure has left no lock behind').toBe(0);
  });

  it('refuse a database that a newer version has written, in the words for it', async () => {
    await migrate(other.followedBy('update turns set oldest_reader = 9000000000000'));
    await expect(migrate()).rejects.toThrow('changed by a newer version of paydesk');
  });

  it('leave a database alone to which a newer version has only added something', async () => {
    await migrate(other.followedBy('create table later (id bigint)'));
    expect(await migrate()).toBe(0);
    expect(await tables()).toContain('later');
  });

  it('work in a database whose own settings are strict', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.run(`alter database "${name}" set default_transaction_isolation = 'serializable'`);
    // A millisecond would be too short for the statement that lifts the limit, on a busy machine.
    await database.run(`alter database "${name}" set statement_timeout = 20`);
    expect(await migrate()).toBe(1);
  });

  it('refuse rows that the checks and references of the tables forbid, as SQLite does', async () => {
    await migrate();
    await expect(database.run("insert into ledger_accounts values ('a', 'customer', 'USD', 2, -1, 0, 0, 1)")).rejects.toThrow(
      'ledger_accounts_not_negative',
    );
    await expect(database.run("insert into access_tokens values ('b', 'nobody', 'x', 'active', null, 0, null, 1, 9)")).rejects.toThrow(
      'foreign key',
    );
    await expect(database.run('insert into turns values (2, 0)')).rejects.toBeInstanceOf(pg.DatabaseError);
  });
});
