import { join } from 'node:path';
import { AuditBook } from '../audit/audit-book.ts';
import { finishReplacement } from '../backup/replacement.ts';
import { Restores } from '../backup/restores.ts';
import { BackupProcesses } from '../backup/task-processes.ts';
import { clearUnfinished } from '../backup/unfinished.ts';
import { numberEarlierTransfers } from '../ledger/audit/pieces.ts';
import { countEarlierQuarters } from '../ledger/days.ts';
import type { DesktopHost } from '../operator-api/desktop-host.ts';
import { fillSearchTexts } from '../payments/search-text.ts';
import type { StartChild } from '../platform/child-process.ts';
import { systemClock } from '../platform/clock.ts';
import type { Core } from '../platform/core.ts';
import { DATABASE_FILE, openDataFolder } from '../platform/data-folder/data-folder.ts';
import type { Logger } from '../platform/logs/logger.ts';
import { openFilesLimit } from '../platform/open-files.ts';
import { openPublicUrls } from '../platform/public-address/origins.ts';
import { TlsCertificate } from '../platform/public-address/tls-certificate.ts';
import { SecretsFile, workingSecrets } from '../platform/secrets/node-secrets.ts';
import { protectionOf, type SecretsProtection } from '../platform/secrets/secrets-protection.ts';
import type { Config } from '../platform/settings/config.ts';
import { continueBooks, refuseLostParts } from './continue-books.ts';
import { choosePort, originOf } from './listening.ts';
import { openDatabase } from './open-database.ts';
import type { Openings } from './openings.ts';
import { adoptOwnClients } from './own-clients.ts';

/** The folders of the built parts of paydesk. */
export interface BuiltParts {
  /** The console's files: `out/renderer` in the folder of the app. The database's migrations are in its `drizzle`. */
  rendererDir: string;
}

/** The program around a node. */
export interface Host extends BuiltParts {
  /** It encrypts the node's secrets on the disk. When it is undefined, the configuration chooses the protection. */
  protection?: SecretsProtection | undefined;
  /** Starts a process. The desktop app has a way of its own. */
  startChild?: StartChild | undefined;
  /** The desktop app's own settings, for its console. */
  desktop?: DesktopHost | undefined;
}

/** What a node is started with. `openings` closes what the node opens. */
export interface Starting {
  config: Config;
  log: Logger;
  host: Host;
  openings: Openings;
}

/**
 * How long a node still answers before it restarts, in milliseconds. In this time it sends its answer to the request
 * that asked for the restart.
 */
const ANSWERED_MS = 250;

/** Opens the data folder: the books with their newest schema, and the secrets. It also determines the node's URLs. */
export async function openNode({ config, log, host, openings }: Starting) {
  const clock = systemClock;
  const dataFolder = config.dataDir;
  const failed = Promise.withResolvers<Error>();
  const restart = Promise.withResolvers<void>();
  const lock = openDataFolder(dataFolder);
  openings.add(() => lock.release());
  finishReplacement(dataFolder);
  clearUnfinished(dataFolder);
  refuseLostParts(dataFolder);
  const protection = host.protection ?? protectionOf(config);
  const migrations = join(host.rendererDir, '../../drizzle');
  const tasks = new BackupProcesses({ file: join(host.rendererDir, '../main/backup-worker.js'), start: host.startChild });
  const restores = new Restores({
    ...{ dataFolder, protection, migrations, clock, log },
    openBackup: tasks.open,
    restart: () => setTimeout(restart.resolve, ANSWERED_MS),
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
    onStopped: failed.resolve,
    onDamaged: (error) => audit?.unreadable(error),
  });
  openings.add(() => database.close());
  audit = new AuditBook({ database, clock, log });
  await audit.load();
  await continueBooks({ database, dataFolder, secretsFile, clock, log });
  const secrets = workingSecrets(secretsFile.read());
  await fillSearchTexts(database);
  await countEarlierQuarters(database);
  await numberEarlierTransfers(database);

  const { listen, port } = await choosePort(config.listen);
  openings.add(() => port.release());
  const certificate = config.tls && new TlsCertificate(config.tls);
  openings.add(() => certificate?.close());
  const urls = await openPublicUrls(database, config.publicUrl ?? originOf(listen, certificate ? 'https' : 'http'), clock.now());
  await adoptOwnClients(database, urls);
  const core: Core = { database, clock, log, urls };
  return {
    ...{ core, secrets, secretsFile, protection, listen, port, certificate, tasks, restores, audit },
    openFiles: openFilesLimit(),
    failed: failed.promise,
    restart: restart.promise,
  };
}

export type OpenedNode = Awaited<ReturnType<typeof openNode>>;
