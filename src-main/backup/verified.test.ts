import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { runBackupTask } from './tasks.ts';
import { head, openSmallBooks, PASSPHRASE } from './testing/small-books.ts';

/** A disk that turns a bit of each file that was written. */
vi.mock('./backup-file.ts', async (original) => {
  const real = await original<typeof import('./backup-file.ts')>();
  const writeBackupFile: typeof real.writeBackupFile = async (...wanted) => {
    await real.writeBackupFile(...wanted);
    const [file] = wanted;
    const bytes = readFileSync(file);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  return { ...real, writeBackupFile };
});

it('a backup that the disk has damaged gets no name, and leaves nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-verified-'));
  const test = await openSmallBooks();
  try {
    const databaseFile = test.database.connection.name;
    const task = { kind: 'make', databaseFile, file: join(folder, 'books.age'), passphrase: PASSPHRASE, head, workFactor: 4 } as const;
    await expect(runBackupTask(task)).rejects.toThrow('the backup could not be read again: damaged');
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    await test.dispose();
    rmSync(folder, { recursive: true });
  }
});
