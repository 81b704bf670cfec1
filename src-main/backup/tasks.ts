import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { isNewer } from '../platform/database/migrate.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type BackupFileProblem, type BackupHead, readBackupFile, writeBackupFile } from './backup-file.ts';
import { sameLedger, summarize } from './ledger-summary.ts';
import { type BackupContent, contentOf } from './restored-content.ts';

/** Makes a backup and opens it again. */
export interface MakeTask {
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

/** Opens a backup, compares its books with what it says of them, and reads what is in it. */
export interface OpenTask {
  readonly kind: 'open';
  readonly file: string;
  readonly passphrase: string;
  /** Where the database of the backup goes; nothing is left there unless all is well. */
  readonly databaseFile: string;
  /** The folder of the migrations this version knows. */
  readonly migrations: string;
}

/** What a worker thread is asked to do: both read and write whole databases, and stretch a passphrase for a second. */
export type BackupTask = MakeTask | OpenTask;

export interface OpenedBackup {
  readonly head: BackupHead;
  readonly content: BackupContent;
}

/** `other_books`: not those it says it holds. `newer_database`: written by a newer paydesk. */
export type OpenProblem = BackupFileProblem | 'other_books' | 'newer_database';

export type MakeBackup = (task: MakeTask) => Promise<Result<BackupHead, never>>;
export type OpenBackup = (task: OpenTask) => Promise<Result<OpenedBackup, OpenProblem>>;

/** Does one task. @throws Error for what nobody can help, such as a full disk; nothing half-done is left then. */
export function runBackupTask(task: MakeTask): Promise<Result<BackupHead, never>>;
export function runBackupTask(task: OpenTask): Promise<Result<OpenedBackup, OpenProblem>>;
export function runBackupTask(task: BackupTask): Promise<Result<BackupHead | OpenedBackup, OpenProblem>>;
export async function runBackupTask(task: BackupTask): Promise<Result<BackupHead | OpenedBackup, OpenProblem>> {
  return task.kind === 'make' ? ok(await make(task)) : await open(task);
}

/**
 * Copies the database with SQLite's online backup, encrypts the copy, opens what was written again, and compares the books of the two. Only then
 * has the file its name.
 */
async function make({ databaseFile, file, workFolder, passphrase, workFactor, head }: MakeTask): Promise<BackupHead> {
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
    const again = await readBackupFile(unfinished, passphrase, check);
    if (!again.ok) throw new Error(`the backup could not be read again: ${again.error}`);
    if (!sameLedger(summaryOf(check), again.value.ledger)) throw new Error('the backup holds other books than the node');
    await rename(unfinished, file);
    return whole;
  } finally {
    clear();
  }
}

async function open({ file, passphrase, databaseFile, migrations }: OpenTask): Promise<Result<OpenedBackup, OpenProblem>> {
  const head = await readBackupFile(file, passphrase, databaseFile);
  const opened = head.ok ? lookInto(databaseFile, head.value, migrations) : head;
  if (!opened.ok) for (const left of withWal(databaseFile)) rmSync(left, { force: true });
  return opened;
}

/** Whoever made the file chose what is in it: whatever cannot be read like a node's database is damaged. */
function lookInto(databaseFile: string, head: BackupHead, migrations: string): Result<OpenedBackup, OpenProblem> {
  try {
    const connection = new Sqlite(databaseFile, { readonly: true });
    try {
      // First: books of a newer version may look otherwise.
      if (isNewer(connection, migrations)) return refuse('newer_database');
      if (!sameLedger(summarize(connection), head.ledger)) return refuse('other_books');
      return ok({ head, content: contentOf(connection, head) });
    } finally {
      connection.close();
    }
  } catch {
    return refuse('damaged');
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
