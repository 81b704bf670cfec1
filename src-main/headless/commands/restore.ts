import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { sharedDatabaseProblems } from '../../../src-shared/words/terminal/shared-database.ts';
import { beginFirstRestore, finishFirstRestore } from '../../backup/first-restore.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { BackupProcesses } from '../../backup/task-processes.ts';
import { DATABASE_FILE, openDataFolder } from '../../platform/data-folder/data-folder.ts';
import { freeRoom } from '../../platform/disk/room.ts';
import { ReportedError } from '../../platform/errors.ts';
import { armFailPoint } from '../../platform/fail-points.ts';
import { SecretsFile, type StoredSecrets } from '../../platform/secrets/node-secrets.ts';
import { protectionOf, type SecretsProtection } from '../../platform/secrets/secrets-protection.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

const words = commandWords.restore;

interface RestoreRequest {
  file: string;
  passphrase: string;
  dataDir: string;
  /** What encrypts the node's secrets from now on. */
  protection: SecretsProtection | undefined;
  /** The built file of the process that opens the backup. */
  workerFile: string;
  /** The folder of the migrations that this version knows. */
  migrations: string;
  /** Tests only: the room on the disk of a folder, in bytes. */
  room?: (folder: string) => number;
}

/**
 * Puts a backup into a data folder that has no node yet. The node that starts there next finds that its books are a
 * copy, and prepares them for use (assembly/books/renew-node.ts).
 * @returns when the backup was made.
 * @throws ReportedError with what to do. The folder then has no node, as before. A crash leaves a folder on which no
 * node starts until the restore is repeated.
 */
export async function restore(request: RestoreRequest): Promise<Date> {
  const { file, passphrase, dataDir, protection, workerFile, migrations, room = freeRoom } = request;
  const lock = openDataFolder(dataDir);
  try {
    // A replacement that was cut short leaves the folder without a database for a moment, but the folder still has a
    // node.
    finishReplacement(dataDir);
    if (existsSync(join(dataDir, DATABASE_FILE))) {
      throw new ReportedError(words.nodeThere({ dataDir }));
    }
    if (!isFile(file)) throw new ReportedError(words.noFile({ file }));
    const [needed, free] = [statSync(file).size, room(dataDir)];
    if (free < needed) throw new ReportedError(words.noRoom(needed, free));
    const { prepared, giveUp } = beginFirstRestore(dataDir);
    try {
      const opened = await new BackupProcesses({ file: workerFile })
        .open({ kind: 'open', file, passphrase, databaseFile: join(prepared, DATABASE_FILE), migrations })
        .catch((error: unknown) => {
          throw new ReportedError(words.notRead({ file }), { cause: error });
        });
      if (!opened.ok) throw new ReportedError(words.problems[opened.error]);
      putInPlace(dataDir, new SecretsFile(prepared, protection), opened.value.head.secrets);
      return new Date(opened.value.head.createdAt);
    } catch (error) {
      giveUp();
      throw error;
    }
  } finally {
    lock.release();
  }
}

function putInPlace(dataDir: string, secretsFile: SecretsFile, secrets: StoredSecrets): void {
  try {
    secretsFile.write(secrets);
    finishFirstRestore(dataDir);
  } catch (error) {
    throw new ReportedError(words.problems.not_written, { cause: error });
  }
}

function isFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The command `restore`. */
export async function restoreCommand({ operands: [file = ''], config }: TypedCommand, builtFolder: string): Promise<CommandAnswer> {
  if (config.database !== undefined) throw new ReportedError(sharedDatabaseProblems.restores);
  if (config.backupPassphrase === undefined) throw new ReportedError(words.passphraseNeeded);
  armFailPoint(config.failPoint);
  const madeAt = await restore({
    file: resolve(file),
    passphrase: config.backupPassphrase,
    dataDir: config.dataDir,
    protection: protectionOf(config),
    workerFile: join(builtFolder, 'backup-worker.js'),
    migrations: join(builtFolder, '../../drizzle'),
  });
  return {
    lines: [words.done({ madeAt: madeAt.toISOString(), dataDir: config.dataDir }), words.afterwards],
    exitCode: 0,
  };
}
