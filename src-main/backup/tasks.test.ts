import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decrypter, Encrypter } from 'age-encryption';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccounts } from '../ledger/ledger.ts';
import type { SqliteTest } from '../platform/database/testing/sqlite-test.ts';
import { writeBackupFile } from './backup-file.ts';
import { summarize } from './ledger-summary.ts';
import { type MakeTask, type OpenTask, runBackupTask } from './tasks.ts';
import { head, openSmallBooks, PASSPHRASE } from './testing/small-books.ts';
import { verifyBackup } from './verify-backup.ts';

/** How many bits of a backup are turned, one at a time. PAYDESK_FLIPS sets another number. */
const FLIPS = Number(process.env.PAYDESK_FLIPS ?? 20);

let folder: string;
let test: SqliteTest;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-backup-'));
  file = join(folder, 'books.age');
  test = await openSmallBooks();
});
afterEach(async () => {
  await test.dispose();
  rmSync(folder, { recursive: true });
});

const openAccountB = () => test.database.write((tx) => openAccounts(tx, 'b', { assetCode: 'USD', assetScale: 2 }, 0));

const make = (): MakeTask => ({
  kind: 'make',
  databaseFile: test.database.connection.name,
  file,
  passphrase: PASSPHRASE,
  head,
  workFactor: 4,
});
const migrations = join(import.meta.dirname, '../../drizzle');
const open = (passphrase = PASSPHRASE): OpenTask => ({
  kind: 'open',
  file,
  passphrase,
  databaseFile: join(folder, 'restored.db'),
  migrations,
});

describe('a backup', () => {
  it('opens with the same books and secrets, and only its owner can read it', async () => {
    expect(await runBackupTask(make())).toMatchObject({ ok: true, value: head });
    expect(readdirSync(folder)).toEqual(['books.age']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const opened = await runBackupTask(open());
    expect(opened).toMatchObject({
      ok: true,
      value: { head: { ...head, ledger: { accounts: 4, transfers: 1 } }, content: { payments: 0, accounts: [] } },
    });
    const restored = new Sqlite(join(folder, 'restored.db'), { readonly: true });
    expect(restored.prepare("select balance from ledger_accounts where id = 'customer:a'").get()).toEqual({ balance: 500 });
    restored.close();
  });

  it('is not made of books in which two changed balances cancel out', async () => {
    await openAccountB();
    for (const [id, change] of Object.entries({ 'customer:a': -7, 'customer:b': 7 }))
      test.database.connection.prepare('update ledger_accounts set balance = balance + ? where id = ?').run(change, id);
    expect(await runBackupTask(make())).toEqual({ ok: false, error: 'books_damaged' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves no unfinished file behind when it fails at the very end', async () => {
    // Nothing can get the name of a folder.
    mkdirSync(file);
    await expect(runBackupTask(make())).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['books.age']);
    expect(statSync(file).isDirectory()).toBe(true);
  });

  it('is compared with what was to be written, by its bytes and by its books', async () => {
    const made = await runBackupTask(make());
    if (!made.ok) throw new Error(made.error);
    await runBackupTask(open());
    const written = hash('sha256', readFileSync(join(folder, 'restored.db')), 'buffer');
    await verifyBackup(file, PASSPHRASE, written, made.value);
    const { ledger } = made.value;
    for (const wrong of [
      () => verifyBackup(file, PASSPHRASE, hash('sha256', 'another file', 'buffer'), made.value),
      () => verifyBackup(file, PASSPHRASE, written, { ...made.value, ledger: { ...ledger, transfers: ledger.transfers + 1 } }),
      () => verifyBackup(file, 'another passphrase', written, made.value),
    ])
      await expect(wrong()).rejects.toThrow(/holds something else|could not be read again/);
  });

  it('shows nothing of its content without the passphrase', async () => {
    await runBackupTask(make());
    const bytes = readFileSync(file).toString('latin1');
    for (const text of ['SQLite', 'ledger', head.secrets.stream, 'customer', PASSPHRASE]) expect(bytes).not.toContain(text);
  });

  it('is refused with a wrong passphrase, and leaves no file behind', async () => {
    await runBackupTask(make());
    expect(await runBackupTask(open('correct horse battery stable'))).toEqual({ ok: false, error: 'locked' });
    expect(readdirSync(folder)).toEqual(['books.age']);
  });

  it('is refused when any byte was changed, and when its end is missing', { timeout: 120_000 + 200 * FLIPS }, async () => {
    await runBackupTask(make());
    const good = readFileSync(file);
    const isRefused = async (at: number, bit: number) => {
      const flipped = Buffer.from(good);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      writeFileSync(file, flipped);
      expect(await runBackupTask(open()), `byte ${at}`).toMatchObject({ ok: false });
    };
    for (const place of [30, 200, 400, Math.floor(good.length / 2), good.length - 1]) await isRefused(place, 0);
    await fc.assert(fc.asyncProperty(fc.nat(good.length - 1), fc.nat(7), isRefused), { numRuns: FLIPS });
    for (const length of [0, 10, 250, good.length - 70_000, good.length - 1]) {
      writeFileSync(file, good.subarray(0, length));
      expect(await runBackupTask(open()), `${length} bytes`).toMatchObject({ ok: false });
    }
    expect(readdirSync(folder)).toEqual(['books.age']);
  });

  it('is not called damaged when its database cannot be written', async () => {
    await runBackupTask(make());
    const elsewhere = { ...open(), databaseFile: join(folder, 'missing', 'restored.db') };
    expect(await runBackupTask(elsewhere)).toEqual({ ok: false, error: 'not_written' });
  });

  it('opens with the same letters, however a keyboard composes them', async () => {
    const [composed, decomposed] = ['déjà vu dans la forêt', 'déjà vu dans la forêt'].map((text, index) =>
      text.normalize(index === 0 ? 'NFC' : 'NFD'),
    );
    await runBackupTask({ ...make(), passphrase: decomposed ?? '' });
    expect(await runBackupTask(open(composed))).toMatchObject({ ok: true });
    const encrypter = new Encrypter();
    encrypter.setPassphrase(decomposed ?? '');
    encrypter.setScryptWorkFactor(4);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(composed ?? '');
    writeFileSync(file, await encrypter.encrypt(Buffer.from(await decrypter.decrypt(readFileSync(file)))));
    rmSync(join(folder, 'restored.db'));
    expect(await runBackupTask(open(decomposed))).toMatchObject({ ok: true });
  });

  it('opens in other age tools with the same passphrase, and paydesk opens theirs', async () => {
    await runBackupTask(make());
    const decrypter = new Decrypter();
    decrypter.addPassphrase(PASSPHRASE);
    const content = Buffer.from(await decrypter.decrypt(readFileSync(file)));
    expect(content.toString('latin1')).toMatch(/^paydesk backup 1\n\{.*\}\nSQLite format 3\0/);
    const encrypter = new Encrypter();
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(4);
    writeFileSync(file, await encrypter.encrypt(content));
    expect(await runBackupTask(open())).toMatchObject({ ok: true, value: { head } });
  });

  it.each(['hello', 'age-encryption.org/v1\n-> X25519 abc\nabc\n--- abc\n'])('is refused when the file holds %j', async (text) => {
    writeFileSync(file, text);
    expect(await runBackupTask(open())).toMatchObject({ ok: false });
  });

  describe('that somebody else has made', () => {
    /** Makes a backup of any content, with a summary of the books in `test`. */
    async function packed(content: Buffer): Promise<void> {
      const ledger = summarize(test.database.connection);
      await writeBackupFile(file, { passphrase: PASSPHRASE, workFactor: 4 }, { ...head, ledger }, [content]);
    }

    /** @returns the node's database after `change`, as one file. */
    function changed(change: string): Buffer {
      const copy = join(folder, 'changed.db');
      test.database.connection.exec(`vacuum into '${copy}'`);
      const connection = new Sqlite(copy);
      connection.exec(change);
      connection.close();
      const content = readFileSync(copy);
      rmSync(copy);
      return content;
    }

    function anotherProgram(): Buffer {
      const place = join(folder, 'another.db');
      const connection = new Sqlite(place);
      connection.exec('create table notes (text text)');
      connection.close();
      const content = readFileSync(place);
      rmSync(place);
      return content;
    }

    it('opens like a backup of the node', async () => {
      await packed(changed('select 1'));
      expect(await runBackupTask(open())).toMatchObject({ ok: true });
    });

    it.each([
      ['no database', () => Buffer.from('hello, this is no database at all. '.repeat(100)), 'damaged'],
      ['nothing', () => Buffer.alloc(0), 'foreign_parts'],
      ['half a database', () => changed('select 1').subarray(0, 20_000), 'damaged'],
      ['another program’s database', () => anotherProgram(), 'foreign_parts'],
      ['a database without the accounts', () => changed('pragma foreign_keys = off; drop table wallet_addresses'), 'foreign_parts'],
      ['a database without its addresses', () => changed('drop table origins'), 'foreign_parts'],
      ['books that do not balance', () => changed('update ledger_accounts set balance = balance + 1'), 'damaged'],
      [
        'other books',
        () =>
          changed(
            "update ledger_accounts set balance = balance + iif(id = 'customer:a', 1, -1) where id in ('customer:a', 'external:USD/2')",
          ),
        'other_books',
      ],
      [
        'a newer database, whatever its books look like',
        () =>
          changed(
            "create table if not exists __drizzle_migrations (hash text, created_at numeric); insert into __drizzle_migrations (hash, created_at) values ('later', 9e15); drop table ledger_transfers",
          ),
        'newer_database',
      ],
    ])('is refused with a reason when it holds %s', async (_name, content, error) => {
      await packed(content());
      expect(await runBackupTask(open())).toEqual({ ok: false, error });
      expect(readdirSync(folder)).toEqual(['books.age']);
    });
  });

  it('is not made from books that do not balance', async () => {
    test.database.connection.exec("update ledger_accounts set balance = balance + 1 where id = 'customer:a'");
    expect(await runBackupTask(make())).toEqual({ ok: false, error: 'books_damaged' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
