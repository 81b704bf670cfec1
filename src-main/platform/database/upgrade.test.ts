import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReportedError } from '../errors.ts';
import { watchFailPoints } from '../fail-points.ts';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS, OtherMigrations, ROWS } from './testing/other-migrations.ts';

let folder: string;
let connection: Sqlite.Database;
let other: OtherMigrations;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-upgrade-'));
  other = new OtherMigrations(folder);
  connection = connect(join(folder, 'paydesk.db'));
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

describe('a data folder of the first published version', () => {
  it('keeps every row and every reference when it is upgraded', () => {
    migrate(connection, other.published(1));
    connection.exec(ROWS);
    const tables = [
      'wallet_addresses',
      'ledger_transfers',
      'quotes',
      'access_tokens',
      'grants',
      'incoming_payments',
      'outgoing_payments',
      'ledger_accounts',
    ];
    const rows = () => new Map(tables.map((table) => [table, connection.prepare(`select * from ${table}`).all() as object[]]));
    const before = rows();
    migrate(connection, MIGRATIONS);
    const after = rows();
    for (const table of tables) expect(after.get(table), table).toEqual(before.get(table)?.map((row) => expect.objectContaining(row)));
    expect(connection.prepare('select held from outgoing_payments').get()).toEqual({ held: 0n });
    expect(connection.prepare('select distinct overdraft from ledger_accounts').get()).toEqual({ overdraft: 0n });
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    // The rebuilt tables still have their constraints.
    expect(() => connection.exec("update ledger_accounts set balance = -1 where id = 'customer:w'")).toThrow(
      'ledger_accounts_not_negative',
    );
    expect(() => connection.exec("insert into access_tokens values ('b', 'nobody', 'x', 'active', null, 0, null, 1, 9)")).toThrow(
      'FOREIGN KEY',
    );
  });

  it('has the same tables as a new data folder after the upgrade', () => {
    const schema = (database: Sqlite.Database) =>
      database.prepare("select type, name, tbl_name from sqlite_master where name not like 'sqlite_%' order by type, name").all();
    const fresh = connect(join(folder, 'fresh.db'));
    migrate(fresh, MIGRATIONS);
    migrate(connection, other.published(1));
    migrate(connection, MIGRATIONS);
    expect(schema(connection)).toEqual(schema(fresh));
    fresh.close();
  });
});

it('a database that has the newest schema is not written again, so that its start waits for nobody', () => {
  migrate(connection, MIGRATIONS);
  const outside = connect(join(folder, 'paydesk.db'));
  outside.exec('begin immediate');
  expect(() => migrate(connection, MIGRATIONS)).not.toThrow();
  outside.close();
});

it('a crash test can end an upgrade before each statement, and on both sides of its commit', () => {
  const inTransaction: boolean[] = [];
  watchFailPoints(() => void inTransaction.push(connection.inTransaction));
  migrate(connection, MIGRATIONS);
  watchFailPoints();
  const statements = readMigrationFiles({ migrationsFolder: MIGRATIONS }).flatMap(({ sql }) => sql);
  expect(inTransaction).toEqual([...statements.map(() => true), true, false]);
});

describe('a migration that fails', () => {
  it('is refused at every start and changes nothing when it breaks a reference', () => {
    migrate(connection, other.published(1));
    connection.exec(ROWS);
    const schema = () => connection.prepare('select type, name, sql from sqlite_master order by type, name').all();
    const before = schema();
    const breaking = other.followedBy('DELETE FROM `wallet_addresses`;');
    for (const start of ['first', 'second']) {
      expect(() => migrate(connection, breaking), `the ${start} start`).toThrow('broken references');
      expect(schema()).toEqual(before);
      expect(connection.prepare('select id from wallet_addresses').all()).toEqual([{ id: 'w' }]);
      expect(connection.pragma('foreign_keys', { simple: true })).toBe(1n);
    }
    migrate(connection, MIGRATIONS);
    expect(connection.pragma('foreign_key_check')).toEqual([]);
  });

  it('is undone when its SQL is wrong', () => {
    migrate(connection, MIGRATIONS);
    const wrong = other.followedBy('DELETE FROM `wallet_addresses`;--> statement-breakpoint\nDELETE FROM `nothing`;');
    for (let start = 0; start < 2; start += 1) expect(() => migrate(connection, wrong)).toThrow('nothing');
    expect(connection.inTransaction).toBe(false);
  });

  it('says what to do when a table is there already that the migration makes', () => {
    migrate(connection, other.published(1));
    migrate(connection, other.published(2));
    connection.exec('create table closing_balances (id text)');
    expect(() => migrate(connection, MIGRATIONS)).toThrow(
      new ReportedError(
        'paydesk cannot upgrade the database, because its tables are not those of any earlier version (table `closing_balances` ' +
          'already exists). Nothing was changed. Start the version that wrote this data folder, restore a backup, or choose another ' +
          'folder with --data-dir.',
      ),
    );
    expect(connection.inTransaction).toBe(false);
  });
});
