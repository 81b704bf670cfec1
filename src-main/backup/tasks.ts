import { createHash, type Hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { damagesIn } from '../audit/whole-books.ts';
import { distrust } from '../platform/database/connection.ts';
import { schemaOrigin } from '../platform/database/known-schema.ts';
import { Snapshot } from '../platform/database/snapshot.ts';
import { renameDurably } from '../platform/disk/durable-names.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type BackupFileProblem, type BackupHead, intoFile, readBackupFile, writeBackupFile } from './backup-file.ts';
import { type ExportProblem, type ExportTask, exportBooks } from './export.ts';
import { checkStructure, sameLedger, summarize } from './ledger-summary.ts';
import { type BackupContent, contentOf } from './restored-content.ts';
import { PART, withWal } from './unfinished.ts';
import { verifyBackup } from './verify-backup.ts';

/** The task to make a backup and to verify it. */
export interface MakeTask {
  readonly kind: 'make';
  /** The path of the running node's database. */
  readonly databaseFile: string;
  /** The path of the backup. The file gets this name once it is verified. */
  readonly file: string;
  readonly passphrase: string;
  readonly head: Omit<BackupHead, 'ledger'>;
  /** The cost of the passphrase. Tests alone lower it; see passphrase.ts. */
  readonly workFactor?: number;
}

/** The task to open a backup, to compare its books with the summary in it, and to read its content. */
export interface OpenTask {
  readonly kind: 'open';
  readonly file: string;
  readonly passphrase: string;
  /** The path to which the database of the backup is written. The file is deleted unless the task succeeds. */
  readonly databaseFile: string;
  /** The folder of the migrations that this version has. */
  readonly migrations: string;
}

/**
 * A task for a process of its own. All tasks read and write whole databases and derive a key from a passphrase, which
 * takes long.
 */
export type BackupTask = MakeTask | ExportTask | OpenTask;

interface OpenedBackup {
  readonly head: BackupHead;
  readonly content: BackupContent;
}

/**
 * `other_books`: the books differ from the summary in the backup. `newer_database`: a newer paydesk has written the
 * database. `foreign_parts`: the database has triggers, views, tables, columns or indexes that paydesk does not make.
 */
type LookProblem = 'other_books' | 'newer_database' | 'foreign_parts';

/**
 * `unfit`: the file used more time or memory than a backup of paydesk, or it ended the process. `cancelled`: the caller
 * has ended the task.
 */
export type OpenProblem = BackupFileProblem | LookProblem | 'unfit' | 'cancelled';

/** `books_damaged`: the audit finds something wrong in the copy of the books, so the backup would be no good one. */
export type MakeBackup = (task: MakeTask) => Promise<Result<BackupHead, 'books_damaged'>>;
export type ExportBackup = (task: ExportTask) => Promise<Result<BackupHead, ExportProblem>>;
/** The signal ends the task, whatever it is doing. */
export type OpenBackup = (task: OpenTask, signal?: AbortSignal) => Promise<Result<OpenedBackup, OpenProblem>>;

/**
 * Does one task.
 * @throws Error when it fails unexpectedly, for example because the disk is full. No unfinished file is left then.
 */
export function runBackupTask(task: MakeTask): Promise<Result<BackupHead, 'books_damaged'>>;
export function runBackupTask(task: ExportTask): Promise<Result<BackupHead, ExportProblem>>;
export function runBackupTask(task: OpenTask): Promise<Result<OpenedBackup, OpenProblem>>;
export function runBackupTask(task: BackupTask): Promise<Result<BackupHead | OpenedBackup, ExportProblem | OpenProblem>>;
export async function runBackupTask(task: BackupTask): Promise<Result<BackupHead | OpenedBackup, ExportProblem | OpenProblem>> {
  switch (task.kind) {
    case 'make':
      return await make(task);
    case 'export':
      return await exportBooks(task);
    case 'open':
      return await open(task);
  }
}

/**
 * Checks the books, encrypts a snapshot of the database, opens the encrypted file again, and compares the content of
 * the two. Only then does the file get its name. Damaged books get no backup. The disk never gets a copy of the books
 * that is not encrypted.
 */
async function make({ databaseFile, file, passphrase, workFactor, head }: MakeTask): Promise<Result<BackupHead, 'books_damaged'>> {
  const unfinished = `${file}${PART}`;
  rmSync(unfinished, { force: true });
  try {
    if ((await damagesIn(databaseFile)).length > 0) return refuse('books_damaged');
    // This takes as long as everything else. The log beside the database would grow if it read the snapshot.
    reading(databaseFile, checkStructure);
    const written = createHash('sha256');
    const snapshot = await Snapshot.take(databaseFile);
    let whole: BackupHead;
    try {
      whole = { ...head, ledger: summarize(snapshot.connection) };
      await writeBackupFile(unfinished, { passphrase, workFactor }, whole, hashing(written, snapshot.content()));
    } finally {
      await snapshot.release();
    }
    await verifyBackup(unfinished, passphrase, written.digest(), whole);
    renameDurably(unfinished, file);
    return ok(whole);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function* hashing(hash: Hash, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
}

async function open({ file, passphrase, databaseFile, migrations }: OpenTask): Promise<Result<OpenedBackup, OpenProblem>> {
  const head = await readBackupFile(file, passphrase, intoFile(databaseFile));
  const opened = head.ok ? lookInto(databaseFile, head.value, migrations) : head;
  if (!opened.ok) for (const left of withWal(databaseFile)) rmSync(left, { force: true });
  return opened;
}

/**
 * Checks and reads the database of a backup. Anybody may have made the file, so any error in reading it means that it
 * is damaged.
 */
function lookInto(databaseFile: string, head: BackupHead, migrations: string): Result<OpenedBackup, OpenProblem> {
  try {
    const connection = new Sqlite(databaseFile, { readonly: true });
    try {
      distrust(connection);
      // This check comes first. A newer version may store its books in another form, and what somebody else has added
      // to the database would run with every later query.
      const origin = schemaOrigin(connection, migrations);
      if (origin !== 'known') return refuse(origin === 'newer' ? 'newer_database' : 'foreign_parts');
      checkStructure(connection);
      if (!sameLedger(summarize(connection), head.ledger)) return refuse('other_books');
      return ok({ head, content: contentOf(connection, head) });
    } finally {
      connection.close();
    }
  } catch {
    return refuse('damaged');
  }
}

function reading(file: string, work: (connection: Sqlite.Database) => void): void {
  const connection = new Sqlite(file, { readonly: true });
  try {
    distrust(connection);
    work(connection);
  } finally {
    connection.close();
  }
}
