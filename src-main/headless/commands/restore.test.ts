import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeBackupFile } from '../../backup/backup-file.ts';
import { summarize } from '../../backup/ledger-summary.ts';
import { asideName, decideReplacement, preparedFolder } from '../../backup/replacement.ts';
import { head, openSmallBooks, PASSPHRASE } from '../../backup/testing/small-books.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { MIGRATIONS, OtherMigrations } from '../../platform/database/testing/other-migrations.ts';
import { restore } from './restore.ts';

const AT = Date.parse('2026-11-21T19:30:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-restore-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the command finishes a replacement that was cut short, and then refuses the folder because it has a node', async () => {
  mkdirSync(preparedFolder(folder));
  for (const name of ['node-secrets.json', 'paydesk.db']) writeFileSync(join(preparedFolder(folder), name), `restored ${name}`);
  decideReplacement(folder, { id: 'one', madeAt: '2026-11-20T10:00:00.000Z', at: AT, keptAside: asideName(AT) });
  const asked = {
    file: 'another.age',
    passphrase: 'of another',
    dataDir: folder,
    protection: undefined,
    workerFile: 'none.js',
    migrations: 'none',
  };
  await expect(restore(asked)).rejects.toThrow('There is a node');
  for (const name of ['node-secrets.json', 'paydesk.db']) expect(readFileSync(join(folder, name), 'utf8')).toBe(`restored ${name}`);
});

it('the command is refused before it writes anything when there is no room for the backup', async () => {
  const file = join(folder, 'backup.age');
  writeFileSync(file, Buffer.alloc(2_000_000));
  const dataDir = join(folder, 'data');
  const asked = { file, passphrase: 'any', dataDir, protection: undefined, workerFile: 'none.js', migrations: 'none' };
  await expect(restore({ ...asked, room: () => 1_999_999 })).rejects.toThrow(
    'The backup needs 2 MB on the disk of the data folder, and 2 MB are free. Make room',
  );
  expect(readdirSync(dataDir).filter((name) => !name.startsWith('paydesk.lock'))).toEqual([]);
});

it('the command says that a newer version has made the backup, and leaves the folder without a node', async () => {
  const newer = new OtherMigrations(folder).followedBy('create table later (id text)');
  const books = await openSmallBooks();
  migrate(books.database.connection, newer);
  const file = join(folder, 'backup.age');
  const ledger = summarize(books.database.connection);
  await writeBackupFile(file, { passphrase: PASSPHRASE, workFactor: 2 }, { ...head, ledger }, [books.database.connection.serialize()]);
  await books.dispose();
  const dataDir = join(folder, 'data');
  const workerFile = join(import.meta.dirname, '../../backup/worker.ts');
  const asked = { file, passphrase: PASSPHRASE, dataDir, protection: undefined, workerFile, migrations: MIGRATIONS };
  await expect(restore(asked)).rejects.toThrow('The backup was made by a newer version of paydesk. Install that version, or a newer one.');
  expect(readdirSync(dataDir).filter((name) => !name.startsWith('paydesk.lock'))).toEqual([]);
});
