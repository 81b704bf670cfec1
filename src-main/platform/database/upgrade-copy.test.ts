import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchFailPoints } from '../fail-points.ts';
import { version } from '../version.ts';
import { connect } from './connection.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS, OtherMigrations, ROWS } from './testing/other-migrations.ts';
import { type UpgradeOptions, upgrade } from './upgrade.ts';

const COPY = `before-upgrade-${version}.db`;

let folder: string;
let place: string;
let file: string;
let other: OtherMigrations;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-upgrade-copy-'));
  other = new OtherMigrations(folder);
  place = join(folder, 'data');
  mkdirSync(place);
  file = join(place, 'paydesk.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes the database of the first published version, with rows. */
function writeOld(): void {
  const connection = connect(file);
  migrate(connection, other.published(1));
  connection.exec(ROWS);
  connection.close();
}

function schemaOf(path: string): unknown[] {
  const connection = new Sqlite(path);
  try {
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(connection.pragma('foreign_key_check')).toEqual([]);
    expect(connection.prepare('select id from outgoing_payments').pluck().all()).toEqual(['o']);
    return connection.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  } finally {
    connection.close();
  }
}

describe('the copy before an upgrade', () => {
  it('holds the database as it was, in one file, and takes the place of the earlier copy', () => {
    writeOld();
    const before = schemaOf(file);
    writeFileSync(join(place, 'before-upgrade-0.0.1.db'), 'an earlier copy');
    writeFileSync(join(place, 'before-upgrade-notes.txt'), 'of the operator');
    upgrade(file, MIGRATIONS);
    expect(schemaOf(file)).not.toEqual(before);
    expect(readdirSync(place).sort()).toEqual([COPY, 'before-upgrade-notes.txt', 'paydesk.db']);
    expect(statSync(join(place, COPY)).mode).toBe(statSync(file).mode);
    expect(schemaOf(join(place, COPY))).toEqual(before);
  });

  it('is made neither for a new database nor for one that has the newest schema', () => {
    upgrade(file, MIGRATIONS);
    upgrade(file, MIGRATIONS);
    expect(readdirSync(place)).toEqual(['paydesk.db']);
  });

  it('holds what a node that was killed has left in the log beside its database', () => {
    writeOld();
    const running = connect(file);
    running.exec("update wallet_addresses set public_name = 'The Shop'");
    for (const name of ['paydesk.db', 'paydesk.db-wal']) copyFileSync(join(place, name), join(folder, name));
    running.close();
    for (const name of ['paydesk.db', 'paydesk.db-wal']) copyFileSync(join(folder, name), join(place, name));
    upgrade(file, MIGRATIONS);
    const copy = new Sqlite(join(place, COPY), { readonly: true });
    expect(copy.prepare('select public_name from wallet_addresses').pluck().get()).toBe('The Shop');
    copy.close();
  });

  it('is not begun without room for it and for the upgrade', () => {
    writeOld();
    const before = readFileSync(file);
    const room = 2.25 * before.length - 1;
    expect(() => upgrade(file, MIGRATIONS, { room: () => room })).toThrow(
      /^This version upgrades the database\. That needs 1 MB on the disk of the data folder, and 1 MB are free\. Make room/,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(place)).toEqual(['paydesk.db']);
    upgrade(file, MIGRATIONS, { room: () => room + 1 });
    expect(readdirSync(place)).toContain(COPY);
  });

  it('of a damaged database is refused before the upgrade changes anything', () => {
    writeOld();
    const bytes = readFileSync(file);
    // The pages after the first one hold the tables and indexes.
    for (let page = 4; page < 30; page += 1) bytes.fill(0xff, page * 4096, page * 4096 + 64);
    writeFileSync(file, bytes);
    expect(() => upgrade(file, MIGRATIONS)).toThrow('damaged');
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(place)).not.toContain(COPY);
  });

  it('is not made of a database that a newer version has written', () => {
    const newer = other.followedBy('CREATE TABLE `later` (`id` text);');
    upgrade(file, newer);
    const before = readFileSync(file);
    expect(() => upgrade(file, MIGRATIONS)).toThrow('This data folder was written by a newer version of paydesk. Install that version');
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(place)).toEqual(['paydesk.db']);
  });
});

describe('an upgrade that fails at every start', () => {
  let failing: string;
  beforeEach(() => {
    writeOld();
    failing = other.followedBy('DELETE FROM `nothing`;');
  });
  const start = (options?: UpgradeOptions) => expect(() => upgrade(file, failing, options)).toThrow('no such table');
  const copied = () => statSync(join(place, COPY), { bigint: true }).ctimeNs;
  const publicNameIn = (path: string) => {
    const connection = new Sqlite(path, { readonly: true });
    try {
      return connection.prepare('select public_name from wallet_addresses').pluck().get();
    } finally {
      connection.close();
    }
  };
  const rename = (path: string, name: string) => {
    const connection = connect(path);
    connection.prepare('update wallet_addresses set public_name = ?').run(name);
    connection.close();
  };

  it('copies the books once, and needs no room for a second copy', () => {
    const { size } = statSync(file);
    start({ room: () => 2.25 * size });
    const first = copied();
    for (let count = 0; count < 3; count += 1) start({ room: () => 1.25 * size });
    expect(copied()).toBe(first);
    expect(() => upgrade(file, failing, { room: () => 1.25 * size - 1 })).toThrow('Make room');
  });

  it('copies the books again once an older version has changed them', () => {
    start();
    rename(file, 'The Shop');
    start();
    expect(publicNameIn(join(place, COPY))).toBe('The Shop');
  });

  it('copies the books again when somebody has changed or removed the copy', () => {
    start();
    const name = publicNameIn(file);
    rename(join(place, COPY), 'Another');
    start();
    expect(publicNameIn(join(place, COPY))).toBe(name);
    rmSync(join(place, COPY));
    start();
    expect(publicNameIn(join(place, COPY))).toBe(name);
  });

  it('leaves nothing but the copy once a version upgrades the books', () => {
    start();
    const first = copied();
    upgrade(file, MIGRATIONS);
    expect(copied()).toBe(first);
    expect(readdirSync(place).sort()).toEqual([COPY, 'paydesk.db']);
  });
});

it('the log says what the upgrade does and how long it took', () => {
  writeOld();
  const lines: [object, string][] = [];
  upgrade(file, MIGRATIONS, { log: { info: (facts: object, words: string) => void lines.push([facts, words]) } as never });
  expect(lines).toEqual([
    [{ megabytes: 1 }, 'the database is copied before its upgrade'],
    [{ copy: join(place, COPY), seconds: expect.any(Number) }, 'the database is upgraded'],
    [{ seconds: expect.any(Number) }, 'the database has the schema of this version'],
  ]);
});

it('the log says every five seconds how far an upgrade is', () => {
  writeOld();
  let seconds = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    seconds += 1;
    return 1_000 * seconds;
  });
  const lines: unknown[] = [];
  try {
    upgrade(file, MIGRATIONS, {
      log: { info: (facts: object, words: string) => void (words === 'the upgrade goes on' && lines.push(facts)) } as never,
    });
  } finally {
    now.mockRestore();
  }
  const of = readMigrationFiles({ migrationsFolder: MIGRATIONS })
    .slice(1)
    .flatMap(({ sql }) => sql).length;
  // Each look at the clock takes a second here, and there is one after each statement.
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThanOrEqual(of / 3);
  expect(lines).toEqual(lines.map(() => ({ step: expect.any(Number), of, seconds: expect.any(Number) })));
});

describe('an upgrade that ends early', () => {
  let old: unknown[];
  let upgraded: unknown[];
  beforeEach(() => {
    writeOld();
    old = schemaOf(file);
    const other = join(folder, 'upgraded.db');
    copyFileSync(file, other);
    upgrade(other, MIGRATIONS);
    upgraded = schemaOf(other);
    rmSync(join(folder, COPY));
  });
  afterEach(() => watchFailPoints());

  /** Checks what was left in a data folder, and that the next start ends the upgrade. @returns what it was. */
  function check(left: string): 'old' | 'new' {
    const [database, copy] = [join(left, 'paydesk.db'), join(left, COPY)];
    const schema = schemaOf(database);
    const found = JSON.stringify(schema) === JSON.stringify(old) ? 'old' : 'new';
    if (found === 'new') {
      expect(schema).toEqual(upgraded);
      // What is changed was copied before.
      expect(schemaOf(copy)).toEqual(old);
    }
    upgrade(database, MIGRATIONS);
    expect(schemaOf(database)).toEqual(upgraded);
    expect(readdirSync(left).sort()).toEqual([COPY, 'paydesk.db']);
    return found;
  }

  it('leaves the old database or the new one at each step and each statement, and the next start ends it', () => {
    const steps: string[] = [];
    watchFailPoints(() => {
      const left = join(folder, `step-${steps.length}`);
      // A process that is killed leaves exactly this. SQLite makes the index of its log anew.
      cpSync(place, left, { recursive: true, filter: (path) => !path.endsWith('-shm') });
      steps.push(left);
    });
    upgrade(file, MIGRATIONS);
    watchFailPoints();
    const found = steps.map(check);
    const statements = readMigrationFiles({ migrationsFolder: MIGRATIONS })
      .slice(1)
      .flatMap(({ sql }) => sql);
    // Four steps of the copy, each statement, and both sides of the commit.
    expect(found).toHaveLength(4 + statements.length + 2);
    expect(found).toEqual([...Array.from({ length: found.length - 1 }, () => 'old'), 'new']);
  });

  it.each([
    ['while it copies', 2, 'old'],
    ['before the copy gets its name', 3, 'old'],
    ['between two statements', 40, 'old'],
  ])('leaves the old database when its process is killed %s', async (_name, step, expected) => {
    const script = join(import.meta.dirname, 'testing/upgrade-process.ts');
    const signal = await new Promise((resolve) => {
      execFile(process.execPath, [script, file, MIGRATIONS, `upgrade-step:${step}`], (error) => resolve(error?.signal));
    });
    expect(signal).toBe('SIGKILL');
    expect(check(place)).toBe(expected);
  });
});
