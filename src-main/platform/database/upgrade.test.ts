import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { connect } from './sqlite.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../../drizzle');

let folder: string;
let connection: Sqlite.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-upgrade-'));
  connection = connect(join(folder, 'paydesk.db'));
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

interface Entry {
  idx: number;
  when: number;
  tag: string;
}

/** @returns a folder with a copy of the migrations, in which `change` has changed their list. */
function changed(change: (entries: Entry[], copy: string) => Entry[]): string {
  const copy = join(folder, 'drizzle');
  cpSync(MIGRATIONS, copy, { recursive: true });
  const path = join(copy, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: Entry[] };
  writeFileSync(path, JSON.stringify({ ...journal, entries: change(journal.entries, copy) }));
  return copy;
}

/** @returns a folder with only the first `count` migrations, as a published version had them. */
const published = (count: number): string => changed((entries) => entries.slice(0, count));

/** @returns a folder with the migrations and, after them, one that runs `sql`. */
const followedBy = (sql: string): string =>
  changed((entries, copy) => {
    const last = entries.at(-1);
    if (last === undefined) throw new Error('there are no migrations');
    writeFileSync(join(copy, 'another.sql'), sql);
    return [...entries, { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'another' }];
  });

const ROWS = `
  insert into wallet_addresses values ('w', 'shop', 'Shop', 'USD', 2, 1);
  insert into ledger_accounts values ('customer:w', 'customer', 'USD', 2, 60, 0, 1), ('escrow:w', 'escrow', 'USD', 2, 40, 0, 1),
    ('external:USD/2', 'external', 'USD', 2, -100, 0, 1);
  insert into ledger_transfers values ('t1', 'deposit', 'posted', 'external:USD/2', 'customer:w', 100, null, 'first', 1),
    ('t2', 'reservation', 'posted', 'customer:w', 'escrow:w', 40, 'o', null, 2);
  insert into incoming_payments values ('i', 'w', 'https://app.example/till', '00000000000000000040', 0, 0, null, '{"description":"Roses"}', 2, 2);
  insert into quotes values ('q', 'w', 'https://app.example/till', 'https://pay.example/incoming-payments/i', 'i', 40, 40, 'USD', 2, 2, 3, 'o');
  insert into outgoing_payments values ('o', 'w', 'q', 'https://app.example/till', 'g', null, null, null, 'https://pay.example/incoming-payments/i', 'i',
    40, 40, 'USD', 2, 0, 0, 0, 'funded', null, null, 'hash', 0, 0, 2, 9, 2, 2);
  insert into grants values ('g', 'issued', 'wallet-address', 'https://app.example/till', null, null, '[]', '[]', null, 'w', 1, 'https://pay.example/auth',
    null, null, null, null, null, 'c', 'ch', null, 0, 1, null, null, null, null, null);
  insert into access_tokens values ('a', 'g', 'th', 'active', null, 0, null, 1, 9);
`;

describe('a data folder of the first published version', () => {
  it('keeps every row and every reference when it is upgraded', () => {
    migrate(connection, published(1));
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
    migrate(connection, published(1));
    migrate(connection, MIGRATIONS);
    expect(schema(connection)).toEqual(schema(fresh));
    fresh.close();
  });
});

describe('a migration that fails', () => {
  it('is refused at every start and changes nothing when it breaks a reference', () => {
    migrate(connection, published(1));
    connection.exec(ROWS);
    const schema = () => connection.prepare('select type, name, sql from sqlite_master order by type, name').all();
    const before = schema();
    const breaking = followedBy('DELETE FROM `wallet_addresses`;');
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
    const wrong = followedBy('DELETE FROM `wallet_addresses`;--> statement-breakpoint\nDELETE FROM `nothing`;');
    for (let start = 0; start < 2; start += 1) expect(() => migrate(connection, wrong)).toThrow('nothing');
    expect(connection.inTransaction).toBe(false);
  });
});
