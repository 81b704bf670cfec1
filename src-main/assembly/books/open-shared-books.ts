import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sharedDatabaseProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import { AuditBook } from '../../audit/audit-book.ts';
import { BackupProcesses } from '../../backup/task-processes.ts';
import { clearUnfinished } from '../../backup/unfinished.ts';
import { DATABASE_FILE } from '../../platform/data-folder/data-folder.ts';
import { BooksWentBack, type Database } from '../../platform/database/database.ts';
import { newestMigrationIn } from '../../platform/database/migrate.ts';
import type { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { DatabaseClock } from '../../platform/replicas/database-clock.ts';
import { Replicas } from '../../platform/replicas/replicas.ts';
import { refuseMovedBooks } from '../../platform/secrets/move-marks.ts';
import { type NodeSecrets, type StoredSecrets, workingSecrets } from '../../platform/secrets/node-secrets.ts';
import { readSealKey } from '../../platform/secrets/seal-key.ts';
import { sharedSecrets } from '../../platform/secrets/shared-secrets.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { DatabaseAddress } from '../../platform/settings/database-address.ts';
import { version } from '../../platform/version.ts';
import type { Starting } from '../starting.ts';
import { fillBooks } from './fill-books.ts';
import { SeenTurnsFile } from './seen-turns.ts';

/** The heartbeat tells once a second that others have committed, so nothing else need look often, in milliseconds. */
const POLL_MS = 10_000;

interface Told {
  clock: DatabaseClock;
  /** The books call it when the node cannot go on. */
  failed: (reason: Error) => void;
  /** What clients reach this process by when nothing else is configured. */
  origin: string;
  /** What is done with the books under the lock of the start, at the end. */
  begin: (database: Database) => Promise<void>;
}

/**
 * Opens the books in a shared database, and enters this process among the replicas. Whatever must happen once (the
 * schema, the keys, what earlier versions did not keep) happens under one lock. The data folder holds no books, so that
 * an empty one means nothing: the identity of the node is in the database.
 */
export async function openSharedBooks({ config, log, host, openings }: Starting, address: DatabaseAddress, told: Told) {
  const { clock, origin, begin } = told;
  if (existsSync(join(config.dataDir, DATABASE_FILE))) throw new ReportedError(problems.ownBooks({ folder: config.dataDir }));
  clearUnfinished(config.dataDir);
  const sealKey = await readSealKey(config.sealKey);
  const migrations = join(host.rendererDir, '../../drizzle/postgres');
  // A node with SQLite loads nothing of this.
  const { openPostgres } = await import('../../platform/database/postgres/open.ts');
  let seenTurns: SeenTurnsFile | undefined;
  const onStopped = (reason: Error): void => {
    // Nobody knows yet what is missing. This one refuses everything until somebody has looked, also after a restart.
    if (reason instanceof BooksWentBack) {
      log.error({ err: reason }, 'this replica writes nothing any more');
      seenTurns?.remember();
    } else told.failed(reason);
  };
  let secrets: NodeSecrets | undefined;
  let storedSecrets: StoredSecrets | undefined;
  let audit: AuditBook | undefined;
  const onDamaged = (error: unknown): void => audit?.unreadable(error);
  const replicaOf = (opened: PostgresDatabase): Replicas => {
    const heartbeat = opened.heartbeat();
    openings.add(() => heartbeat.close());
    return new Replicas({
      ...{ database: opened, heartbeat, clock, log, where: address.shown },
      newestMigration: newestMigrationIn(migrations),
      turns: () => opened.stats.commits,
      self: { id: newId(), name: config.replicaName, version, host: hostname(), url: origin, configuration: hashOf(config) },
    });
  };
  let replica: Replicas | undefined;
  const database = await openPostgres(
    { address, migrations, log, options: { onStopped, onDamaged, times: { poll: POLL_MS } } },
    async (opened) => {
      await refuseMovedBooks(opened, address.shown, sealKey);
      replica = replicaOf(opened);
      await replica.compareClocks();
      seenTurns = new SeenTurnsFile({ database: opened, clock, dataFolder: config.dataDir, where: address.shown, log });
      await seenTurns.compare();
      storedSecrets = await sharedSecrets({ database: opened, clock }, sealKey);
      secrets = workingSecrets(storedSecrets);
      audit = new AuditBook({ database: opened, clock, log });
      await audit.load();
      await fillBooks(opened);
      await begin(opened);
      await replica.join();
    },
  );
  openings.add(() => database.close());
  if (!storedSecrets || !secrets || !audit || !replica || !seenTurns) throw new Error('the books were not opened');
  openings.add(await seenTurns.start());
  const joined = replica;
  openings.add(() => joined.end());
  const tasks = new BackupProcesses({ file: join(host.rendererDir, '../main/backup-worker.js'), start: host.startChild });
  openings.add(async () => {
    await tasks.stop();
    clearUnfinished(config.dataDir);
  });
  const shared = { address, database, replicas: joined, storedSecrets };
  return { database, secrets, audit, own: undefined, tasks, shared, replica: joined };
}

/** What the operator must give to all replicas alike, in a form that tells nothing of it. */
function hashOf(config: Config): string {
  const { publicUrl, development, tokenLifetime, keepDays, archiveDays, updatedAtInBody } = config;
  const { addressRate, clientRate, trustedProxies, ilpAddress, maxPacketAmount } = config;
  const alike = [publicUrl, development, tokenLifetime, keepDays, archiveDays, updatedAtInBody, addressRate, clientRate];
  return hash('sha256', JSON.stringify([...alike, trustedProxies, ilpAddress, maxPacketAmount?.toString()]), 'base64url');
}
