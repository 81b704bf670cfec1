import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { BackupProcesses } from '../../backup/task-processes.ts';
import { openDataFolder } from '../../platform/data-folder/data-folder.ts';
import { GENERATION_FILE } from '../../platform/data-folder/generation.ts';
import { ReportedError } from '../../platform/errors.ts';
import { SecretsFile } from '../../platform/secrets/node-secrets.ts';
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
}

/**
 * Puts a backup into a data folder that has no node yet. The node that starts there next finds that its books are a
 * copy, and prepares them for use (assembly/renew-node.ts).
 * @returns when the backup was made.
 * @throws ReportedError with what to do. The folder then has no node, as before.
 */
export async function restore({ file, passphrase, dataDir, protection, workerFile, migrations }: RestoreRequest): Promise<Date> {
  const lock = openDataFolder(dataDir);
  try {
    // A replacement that was cut short leaves the folder without a database for a moment, but the folder still has a
    // node.
    finishReplacement(dataDir);
    const databaseFile = join(dataDir, 'paydesk.db');
    if (existsSync(databaseFile)) {
      throw new ReportedError(words.nodeThere(dataDir));
    }
    if (!isFile(file)) throw new ReportedError(words.noFile(file));
    for (const left of ['.restoring', '-wal', '-shm']) rmSync(databaseFile + left, { force: true });
    const restoring = `${databaseFile}.restoring`;
    const opened = await new BackupProcesses({ file: workerFile })
      .open({ kind: 'open', file, passphrase, databaseFile: restoring, migrations })
      .catch((error: unknown) => {
        throw new ReportedError(words.notRead(file), { cause: error });
      });
    if (!opened.ok) throw new ReportedError(words.problems[opened.error]);
    // Without the count beside it the database shows as the copy that it is.
    rmSync(join(dataDir, GENERATION_FILE), { force: true });
    try {
      // A folder belongs to a node as soon as it has the database, so the database is moved in last.
      new SecretsFile(dataDir, protection).write(opened.value.head.secrets);
      await rename(restoring, databaseFile);
    } catch (error) {
      rmSync(restoring, { force: true });
      throw new ReportedError(words.problems.not_written, { cause: error });
    }
    return new Date(opened.value.head.createdAt);
  } finally {
    lock.release();
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
  if (config.backupPassphrase === undefined) throw new ReportedError(words.passphraseNeeded);
  const madeAt = await restore({
    file: resolve(file),
    passphrase: config.backupPassphrase,
    dataDir: config.dataDir,
    protection: protectionOf(config),
    workerFile: join(builtFolder, 'backup-worker.js'),
    migrations: join(builtFolder, '../../drizzle'),
  });
  return {
    lines: [words.done(madeAt.toISOString(), config.dataDir), words.afterwards],
    exitCode: 0,
  };
}
