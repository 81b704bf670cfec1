import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { ReportedError } from '../errors.ts';

/** Writes a file only its owner can read, whole or not at all: it is durable under a temporary name before it gets its own. */
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
  renameSync(temporary, path);
}

/** Like `mkdir -p`. Node's own never returns below a folder that says ENOENT to everything new, such as `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

const LOCK_FILE = 'paydesk.lock';

/** Holds a data folder for one node; the operating system lets go of it when the process ends, however it ends. */
export interface DataFolderLock {
  release(): void;
}

/**
 * Makes the folder if needed and takes it for this process.
 * @throws ReportedError when it cannot be written, or another node has it.
 */
export function openDataFolder(folder: string): DataFolderLock {
  let lock: Sqlite.Database | undefined;
  try {
    makeFolder(folder);
    writePrivateFile(join(folder, 'write-test'), '');
    rmSync(join(folder, 'write-test'));
    lock = new Sqlite(join(folder, LOCK_FILE), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock?.close() };
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new ReportedError(`Another paydesk is already running on ${folder}. Stop it first, or choose another folder with --data-dir.`);
    }
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new ReportedError(
      `The data folder ${folder} cannot be written${reason}. Give this user the right to write there, or choose another folder with --data-dir.`,
    );
  }
}

/** Whether somebody else has the lock. */
const isBusy = (error: unknown): boolean => error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY';

/**
 * Whether a node holds the folder. Only its lock says so: a full disk or a folder of another user tells nothing of a node.
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
