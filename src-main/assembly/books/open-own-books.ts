import { join } from 'node:path';
import { AuditBook } from '../../audit/audit-book.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { Restores } from '../../backup/restores.ts';
import { BackupProcesses } from '../../backup/task-processes.ts';
import { clearUnfinished } from '../../backup/unfinished.ts';
import type { Core } from '../../platform/core.ts';
import { DATABASE_FILE } from '../../platform/data-folder/data-folder.ts';
import { refuseMovedFolder } from '../../platform/data-folder/moved-folder.ts';
import { aloneReplica } from '../../platform/replicas/own-replica.ts';
import { SecretsFile, workingSecrets } from '../../platform/secrets/node-secrets.ts';
import { protectionOf } from '../../platform/secrets/secrets-protection.ts';
import type { Starting } from '../starting.ts';
import { continueBooks, refuseLostParts } from './continue-books.ts';
import { fillBooks } from './fill-books.ts';
import { openDatabase } from './open-database.ts';

/**
 * How long a node still answers before it restarts, in milliseconds. In this time it sends its answer to the request
 * that asked for the restart.
 */
const ANSWERED_MS = 250;

interface Told extends Pick<Core, 'clock'> {
  /** The books call it when the node cannot go on. */
  failed: (reason: Error) => void;
  /** The books call it when the node must be closed and started again. */
  restart: () => void;
}

/** Opens the books in the data folder, with their newest schema, and the secrets. The caller has the folder's lock. */
export async function openOwnBooks({ config, log, host, openings }: Starting, { clock, failed, restart }: Told) {
  const dataFolder = config.dataDir;
  finishReplacement(dataFolder);
  clearUnfinished(dataFolder);
  refuseMovedFolder(dataFolder);
  refuseLostParts(dataFolder);
  const protection = host.protection ?? protectionOf(config);
  const migrations = join(host.rendererDir, '../../drizzle');
  const tasks = new BackupProcesses({ file: join(host.rendererDir, '../main/backup-worker.js'), start: host.startChild });
  const restores = new Restores({
    ...{ dataFolder, protection, migrations, clock, log },
    openBackup: tasks.open,
    restart: () => setTimeout(restart, ANSWERED_MS),
  });
  // This runs after the books are closed and before the data folder lock is released.
  openings.add(() => restores.putInPlace());
  openings.add(async () => {
    await tasks.stop();
    clearUnfinished(dataFolder);
  });
  const secretsFile = new SecretsFile(dataFolder, protection);
  secretsFile.read();
  const readWorker = join(host.rendererDir, '../main/read-worker.js');
  let audit: AuditBook | undefined;
  const database = await openDatabase(join(dataFolder, DATABASE_FILE), migrations, {
    log,
    readWorker,
    onStopped: failed,
    onDamaged: (error) => audit?.unreadable(error),
  });
  openings.add(() => database.close());
  audit = new AuditBook({ database, clock, log });
  await audit.load();
  await continueBooks({ database, dataFolder, secretsFile, clock, log });
  const secrets = workingSecrets(secretsFile.read());
  await fillBooks(database);
  const own = { secretsFile, restores, protection };
  return { database, secrets, audit, own, tasks, shared: undefined, replica: aloneReplica() };
}
