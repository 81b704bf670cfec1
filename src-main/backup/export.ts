import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { auditRound } from '../audit/round.ts';
import { executeOn } from '../platform/database/connection.ts';
import type { CopyProgress } from '../platform/database/moving/copy-rows.ts';
import { fillMemory } from '../platform/database/moving/fill-file.ts';
import { hasAdditions, PostgresRows } from '../platform/database/postgres/postgres-rows.ts';
import { builder } from '../platform/database/query-builder/builder.ts';
import { renameDurably } from '../platform/disk/durable-names.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type BackupHead, writeBackupFile } from './backup-file.ts';
import { checkStructure, summarize } from './ledger-summary.ts';
import { PART } from './unfinished.ts';
import { verifyBackup } from './verify-backup.ts';

/** Larger books are not exported, because all of them are in memory for a while, in bytes. */
export const MOST_EXPORTED = 1_000_000_000;
/** The process that exports holds this advisory lock of the database. Nothing else in the database uses the number. */
const EXPORTING = 7_230_245_119;

/** The task to export the books of a shared database, and to verify the file. */
export interface ExportTask {
  readonly kind: 'export';
  readonly address: { readonly url: string; readonly shown: string };
  /** The folder of the migrations for SQLite. */
  readonly migrations: string;
  /** The path of the backup. The file gets this name once it is verified. */
  readonly file: string;
  readonly passphrase: string;
  readonly head: Omit<BackupHead, 'ledger'>;
  /** The cost of the passphrase. Tests alone lower it; see passphrase.ts. */
  readonly workFactor?: number;
  /** Tests alone lower it: the most bytes that the books may take on the server. */
  readonly mostBytes?: number;
}

/**
 * `busy`: another replica, or the command, exports the books now. `too_large`: they are larger than
 * {@link MOST_EXPORTED}. `newer_version`: a newer version has added something to them, which would be missing.
 */
export type ExportProblem = 'books_damaged' | 'busy' | 'too_large' | 'newer_version';

/**
 * Exports the books of a shared database as of one moment, while replicas go on, as a backup of a node with SQLite. The
 * disk never gets a copy of the books that is not encrypted.
 * @throws ReportedError when the database cannot be used.
 */
export async function exportBooks(
  task: ExportTask,
  tell: (progress: CopyProgress) => void = () => undefined,
): Promise<Result<BackupHead, ExportProblem>> {
  // The lock is let go with the connection, which is open until the file is there.
  return await PostgresRows.on(task.address, async (source) => {
    if ((await source.ask('select pg_try_advisory_lock($1)', [String(EXPORTING)]))[0]?.[0] !== 't') return refuse('busy');
    const copied = await copyOf(source, task, tell);
    if (!copied.ok) return copied;
    const copy = copied.value;
    try {
      if (await isDamaged(copy)) return refuse('books_damaged');
      markAsCopy(copy);
      return ok(await write(copy, task));
    } finally {
      copy.close();
    }
  });
}

/** Copies the books into memory. The caller closes the copy. */
async function copyOf(
  source: PostgresRows,
  { migrations, mostBytes = MOST_EXPORTED }: ExportTask,
  tell: (progress: CopyProgress) => void,
): Promise<Result<Sqlite.Database, ExportProblem>> {
  const [[bytes] = []] = await source.ask('select pg_database_size(current_database())');
  if (Number(bytes) > mostBytes) return refuse('too_large');
  return await source.within('isolation level repeatable read read only', async () => {
    if (await hasAdditions(source, join(migrations, 'postgres'))) return refuse('newer_version');
    return ok(await fillMemory({ migrations, source, tell }));
  });
}

async function isDamaged(copy: Sqlite.Database): Promise<boolean> {
  checkStructure(copy);
  const reader = builder(executeOn(copy));
  for await (const { findings } of auditRound({ snapshot: (look) => look(reader) }, { pages: 'none', live: false })) {
    if (findings.length > 0) return true;
  }
  return false;
}

/** A node that begins with a count in its books, and no file beside them, takes them for a copy (generation.ts). */
function markAsCopy(copy: Sqlite.Database): void {
  copy.exec("insert into node_state (id, generation) values ('node', 1) on conflict do nothing");
}

async function write(copy: Sqlite.Database, { file, passphrase, workFactor, head }: ExportTask): Promise<BackupHead> {
  const content = copy.serialize();
  const whole = { ...head, ledger: summarize(copy) };
  const unfinished = `${file}${PART}`;
  rmSync(unfinished, { force: true });
  try {
    await writeBackupFile(unfinished, { passphrase, workFactor }, whole, [content]);
    await verifyBackup(unfinished, passphrase, createHash('sha256').update(content).digest(), whole);
    renameDurably(unfinished, file);
    return whole;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
