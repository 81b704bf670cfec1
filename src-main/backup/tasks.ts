import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type BackupFileProblem, type BackupHead, readBackupFile, writeBackupFile } from './backup-file.ts';
import { sameLedger, summarize } from './ledger-summary.ts';

/** What a worker thread is asked to do: both read and write whole databases, and stretch a passphrase for a second. */
export type BackupTask =
  | {
      readonly kind: 'make';
      /** The database of the running node. */
      readonly databaseFile: string;
      /** Where the backup goes, once it is verified. */
      readonly file: string;
      /** A folder for what is needed on the way; on the node's own disk. */
      readonly workFolder: string;
      readonly passphrase: string;
      readonly head: Omit<BackupHead, 'ledger'>;
      /** Lower than usual in tests only; see passphrase.ts. */
      readonly workFactor?: number;
    }
  | { readonly kind: 'open'; readonly file: string; readonly passphrase: string; readonly databaseFile: string };

export type OpenProblem = BackupFileProblem | 'other_books';

/** Does one task. @throws Error for what nobody can help, such as a full disk; nothing half-done is left then. */
export async function runBackupTask(task: BackupTask): Promise<Result<BackupHead, OpenProblem>> {
  return task.kind === 'make' ? ok(await make(task)) : await open(task);
}

/**
 * Copies the database with SQLite's online backup, encrypts the copy, opens what was written again, and compares the books of the two. Only then
 * has the file its name.
 */
async function make({
  databaseFile,
  file,
  workFolder,
  passphrase,
  workFactor,
  head,
}: Extract<BackupTask, { kind: 'make' }>): Promise<BackupHead> {
  const copy = `${workFolder}/backup-copy.db`;
  const check = `${workFolder}/backup-check.db`;
  const unfinished = `${file}.part`;
  const leftovers = [...withWal(copy), ...withWal(check), unfinished];
  const clear = () => {
    for (const leftover of leftovers) rmSync(leftover, { force: true });
  };
  clear();
  try {
    await copyDatabase(databaseFile, copy);
    const whole: BackupHead = { ...head, ledger: summaryOf(copy) };
    await writeBackupFile(unfinished, { passphrase, workFactor }, whole, copy);
    const opened = await open({ kind: 'open', file: unfinished, passphrase, databaseFile: check });
    if (!opened.ok) throw new Error(`the backup could not be read again: ${opened.error}`);
    await rename(unfinished, file);
    return whole;
  } finally {
    clear();
  }
}

async function open({ file, passphrase, databaseFile }: Extract<BackupTask, { kind: 'open' }>): Promise<Result<BackupHead, OpenProblem>> {
  const head = await readBackupFile(file, passphrase, databaseFile);
  const good = head.ok && sameBooks(databaseFile, head.value);
  if (head.ok && good) return head;
  for (const left of withWal(databaseFile)) rmSync(left, { force: true });
  return head.ok ? refuse('other_books') : head;
}

function sameBooks(databaseFile: string, { ledger }: BackupHead): boolean {
  try {
    return sameLedger(summaryOf(databaseFile), ledger);
  } catch {
    return false;
  }
}

/** In one step: what the node writes meanwhile waits for nothing, and is not in the copy. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const connection = new Sqlite(from, { readonly: true });
  try {
    await connection.backup(to, { progress: () => 2 ** 31 - 1 });
  } finally {
    connection.close();
  }
  // One file, without a log beside it.
  const copy = new Sqlite(to);
  copy.pragma('journal_mode = DELETE');
  copy.close();
}

function summaryOf(file: string) {
  const connection = new Sqlite(file, { readonly: true });
  try {
    return summarize(connection);
  } finally {
    connection.close();
  }
}

const withWal = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];
