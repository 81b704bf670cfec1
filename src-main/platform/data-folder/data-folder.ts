import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { dataFolderProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { isOpenElsewhere } from '../database/open-elsewhere.ts';
import { renameDurably, syncFolder } from '../disk/durable-names.ts';
import { ReportedError } from '../errors.ts';

/**
 * Writes a file that only its owner can read, and waits until the disk has it. The content is durable under a temporary
 * name before the file gets its own name, so the file is written as a whole or not at all.
 */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameDurably(temporary, path);
}

/**
 * Makes a folder and the folders above it. The recursive `mkdir` of Node.js never returns below a folder that answers
 * ENOENT to every new folder, such as `/proc`.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  syncFolder(dirname(folder));
}

/** The file in the data folder that holds the books. */
export const DATABASE_FILE = 'paydesk.db';

const LOCK_FILE = 'paydesk.lock';

/** Holds a data folder for one node. The operating system releases it when the process ends in any way. */
interface DataFolderLock {
  release(): void;
}

/**
 * Makes the folder if it does not exist, and takes its lock for this process. Somebody may have deleted the lock file
 * of a node that runs, so nobody may have the database open either.
 * @throws ReportedError when the folder cannot be written, when another node has it, or when another program has the
 * database open.
 */
export function openDataFolder(folder: string): DataFolderLock {
  let lock: Sqlite.Database | undefined;
  try {
    makeFolder(folder);
    writePrivateFile(join(folder, 'write-test'), '');
    rmSync(join(folder, 'write-test'));
    lock = new Sqlite(join(folder, LOCK_FILE), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    if (isOpenElsewhere(join(folder, DATABASE_FILE))) throw new ReportedError(problems.databaseOpen({ folder }));
    return { release: () => lock?.close() };
  } catch (error) {
    lock?.close();
    if (error instanceof ReportedError) throw error;
    if (isBusy(error)) throw new ReportedError(problems.taken({ folder }));
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    throw new ReportedError(problems.notWritable(folder, code));
  }
}

/** Tells whether the error says that another process has the lock. */
const isBusy = (error: unknown): boolean => error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';

/**
 * Tells whether a node holds the folder. Only a taken lock means that. Other errors, such as those of a full disk or of
 * a folder of another user, do not.
 */
export function isHeld(folder: string): boolean {
  let lock: Sqlite.Database | undefined;
  try {
    lock = new Sqlite(join(folder, LOCK_FILE), { fileMustExist: true, timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    lock?.close();
  }
}
