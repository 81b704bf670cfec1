import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { movingWords as words } from '../../src-shared/words/terminal/moving.ts';
import { auditRound } from '../audit/round.ts';
import type { Core } from '../platform/core.ts';
import { executeOn } from '../platform/database/connection.ts';
import { builder } from '../platform/database/database.ts';
import type { CopyProgress } from '../platform/database/moving/copy-rows.ts';
import { fillMemory } from '../platform/database/moving/fill-file.ts';
import type { PostgresDatabase } from '../platform/database/postgres/postgres-database.ts';
import { PostgresRows, refuseAdditions } from '../platform/database/postgres/postgres-rows.ts';
import { renameDurably } from '../platform/disk/durable-names.ts';
import { ReportedError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { StoredSecrets } from '../platform/secrets/node-secrets.ts';
import { version } from '../platform/version.ts';
import { writeBackupFile } from './backup-file.ts';
import { freeName, markOf } from './backups.ts';
import { checkStructure, summarize } from './ledger-summary.ts';
import { backups } from './tables.ts';
import { verifyBackup } from './tasks.ts';
import { PART } from './unfinished.ts';

/** Larger books are not exported, because all of them are in memory for a while, in bytes. */
const MOST_BYTES = 1_000_000_000;

interface Export extends Pick<Core, 'clock'> {
  database: PostgresDatabase;
  address: { readonly url: string; readonly shown: string };
  /** The keys of the node. */
  secrets: StoredSecrets;
  folder: string;
  passphrase: string;
  /** The folder of the migrations for SQLite. */
  migrations: string;
  tell: (progress: CopyProgress) => void;
  /** The cost of the passphrase. Tests alone lower it; see passphrase.ts. */
  workFactor?: number;
}

/**
 * Exports the books of a shared database as of one moment, while replicas go on, as a backup of a node with SQLite. The
 * disk never gets a copy of the books that is not encrypted.
 * @returns the path of the file, and its database in bytes.
 * @throws ReportedError when the books are damaged or too large, or a newer version has added something to them.
 */
export async function exportBooks(wanted: Export): Promise<{ file: string; bytes: number }> {
  const { database, address, migrations, clock, folder, secrets, tell } = wanted;
  if ((await database.usedBytes()) > MOST_BYTES) throw new ReportedError(words.tooLarge(MOST_BYTES));
  const at = clock.now();
  const copy = await PostgresRows.on(address, (source) =>
    source.within('isolation level repeatable read read only', async () => {
      await refuseAdditions(source, join(migrations, 'postgres'), address.shown);
      return await fillMemory({ migrations, source, tell });
    }),
  );
  try {
    await refuseDamaged(copy);
    markAsCopy(copy);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = await freeName(folder, at, markOf(secrets));
    const bytes = await write(copy, file, at, wanted);
    await database.write((tx) => tx.insert(backups).values({ id: newId(), file, bytes, scheduled: false, createdAt: at }));
    return { file, bytes };
  } finally {
    copy.close();
  }
}

async function refuseDamaged(copy: Sqlite.Database): Promise<void> {
  checkStructure(copy);
  const reader = builder(executeOn(copy));
  for await (const { findings } of auditRound({ snapshot: (look) => look(reader) }, { pages: 'none', live: false })) {
    if (findings.length > 0) throw new ReportedError(words.exportDamaged);
  }
}

/** A node that begins with a count in its books, and no file beside them, takes them for a copy (generation.ts). */
function markAsCopy(copy: Sqlite.Database): void {
  copy.exec("insert into node_state (id, generation) values ('node', 1) on conflict do nothing");
}

async function write(copy: Sqlite.Database, file: string, at: number, { passphrase, workFactor, secrets }: Export): Promise<number> {
  const content = copy.serialize();
  const head = { createdAt: new Date(at).toISOString(), version, secrets, ledger: summarize(copy) };
  const unfinished = `${file}${PART}`;
  try {
    await writeBackupFile(unfinished, { passphrase, workFactor }, head, [content]);
    await verifyBackup(unfinished, passphrase, createHash('sha256').update(content).digest(), head);
    renameDurably(unfinished, file);
    return content.length;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** The folder for exports when the operator names no other. */
export const exportFolder = (dataFolder: string): string => join(dataFolder, 'backups');
