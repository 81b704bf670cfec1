import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../platform/data-folder/data-folder.ts';

/** The file of a database and the files that SQLite may lay beside it. */
export const withWal = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];

/** The file in the data folder that names the backup that is being made. */
const NOTE = 'backup-unfinished';
/** What a backup is called until it is verified: its name, and this. */
export const PART = '.part';
/** Copies of the books that version 0.1.0 laid into the data folder and left there when it was killed. */
const EARLIER_COPIES = ['backup-copy.db', 'backup-check.db'].flatMap(withWal);

/** The signals that ask a command to end. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes what the backup `file` has left when a signal ends the command that makes it. The command has no data folder
 * in which it could note the backup. @returns a function to call when the backup has ended.
 */
export function clearAtSignals(file: string): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(`${file}${PART}`, { force: true });
    letGo();
    process.kill(process.pid, signal);
  };
  const letGo = (): void => {
    for (const signal of ENDING) process.off(signal, end);
  };
  for (const signal of ENDING) process.on(signal, end);
  return letGo;
}

/** Notes that the backup `file` is begun. Whatever ends it early, {@link clearUnfinished} finds what is left. */
export function noteUnfinished(dataFolder: string, file: string): void {
  writePrivateFile(join(dataFolder, NOTE), `${file}${PART}\n`);
}

/**
 * Removes what a backup that did not end has left. It removes the very file that this node began, and none beside it.
 * The caller has the data folder, and makes no backup. A file that cannot be removed, for example because its disk is
 * not there, stays; the next backup into that folder removes it.
 */
export function clearUnfinished(dataFolder: string): void {
  for (const name of EARLIER_COPIES) rmSync(join(dataFolder, name), { force: true });
  const note = join(dataFolder, NOTE);
  if (!existsSync(note)) return;
  const file = readFileSync(note, 'utf8').trim();
  try {
    if (file.endsWith(PART)) rmSync(file, { force: true });
  } catch {
    // It is encrypted, so it may stay.
  }
  rmSync(note, { force: true });
}
