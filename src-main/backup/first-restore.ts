import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolderProblems } from '../../src-shared/words/terminal/starting.ts';
import { DATABASE_FILE, writePrivateFile } from '../platform/data-folder/data-folder.ts';
import { GENERATION_FILE } from '../platform/data-folder/generation.ts';
import { renameDurably } from '../platform/disk/durable-names.ts';
import { ReportedError } from '../platform/errors.ts';
import { failPoint } from '../platform/fail-points.ts';
import { SECRETS_FILE } from '../platform/secrets/node-secrets.ts';
import { preparedFolder } from './replacement.ts';

// A backup comes into a data folder that has no node. A crash at any moment leaves the restored node or a folder on
// which no node starts: an empty node would look as if everything were lost.

/** The file that is in the data folder from the beginning of a restore until the node is whole. */
const BEGUN = 'restore-begun';

/**
 * Notes that a backup comes into this folder, and makes an empty folder for its parts.
 * @returns the folder of the parts, and what leaves the data folder as it was when the restore fails. A folder in which
 * an earlier restore was cut short stays one.
 */
export function beginFirstRestore(dataFolder: string): { prepared: string; giveUp: () => void } {
  const [begun, prepared] = [join(dataFolder, BEGUN), preparedFolder(dataFolder)];
  const isCutShort = existsSync(begun);
  writePrivateFile(begun, '');
  failPoint('restore-step');
  const clear = () => rmSync(prepared, { recursive: true, force: true });
  clear();
  mkdirSync(prepared, { mode: 0o700 });
  const giveUp = () => {
    clear();
    if (!isCutShort) rmSync(begun, { force: true });
  };
  return { prepared, giveUp };
}

/** Moves the parts into their places. The database is the last one, because a folder has a node when it has that. */
export function finishFirstRestore(dataFolder: string): void {
  // Nothing of an earlier database may stand beside the new one. Without its count it shows as the copy that it is.
  for (const name of [GENERATION_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`]) rmSync(join(dataFolder, name), { force: true });
  for (const name of [SECRETS_FILE, DATABASE_FILE]) {
    failPoint('restore-step');
    renameDurably(join(preparedFolder(dataFolder), name), join(dataFolder, name));
  }
  failPoint('restore-step');
  rmSync(preparedFolder(dataFolder), { recursive: true });
  rmSync(join(dataFolder, BEGUN));
}

/**
 * Looks for a restore that was cut short. One that lacks nothing is ended here.
 * @throws ReportedError when the books are not there.
 */
export function refuseCutShort(dataFolder: string): void {
  if (!existsSync(join(dataFolder, BEGUN))) return;
  if (!existsSync(join(dataFolder, DATABASE_FILE))) throw new ReportedError(dataFolderProblems.restoreCutShort({ folder: dataFolder }));
  rmSync(join(dataFolder, BEGUN));
}
