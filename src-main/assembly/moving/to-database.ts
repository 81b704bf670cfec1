import { existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { movingWords as words } from '../../../src-shared/words/terminal/moving.ts';
import { damagesIn } from '../../audit/whole-books.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { clearUnfinished } from '../../backup/unfinished.ts';
import { DATABASE_FILE, openDataFolder } from '../../platform/data-folder/data-folder.ts';
import { MOVED_FILE, markMoved, movedFrom, refuseMovedFolder } from '../../platform/data-folder/moved-folder.ts';
import { type Copied, copyRows } from '../../platform/database/moving/copy-rows.ts';
import { NOT_MOVED, type TableShape } from '../../platform/database/moving/plain-rows.ts';
import { SqliteRows, shapesIn } from '../../platform/database/moving/sqlite-rows.ts';
import type { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { PostgresRows } from '../../platform/database/postgres/postgres-rows.ts';
import { ReportedError } from '../../platform/errors.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { type MoveMark, moveStateOf, readMark, sealedMark } from '../../platform/secrets/move-marks.ts';
import { keyIdOf, SecretsFile, type StoredSecrets } from '../../platform/secrets/node-secrets.ts';
import { keysIn, openKeys, sealedKeys } from '../../platform/secrets/shared-secrets.ts';
import { continueBooks, refuseLostParts } from '../books/continue-books.ts';
import { openDatabase } from '../books/open-database.ts';
import { type Moving, tellingProgress, tellOfLog } from './moving.ts';

const silent = { info: () => undefined };

/**
 * Moves the books of a data folder into an empty database. The rows and the keys come there in one transaction,
 * together with a mark by which no replica starts. Then the folder gets its mark: from that moment on its books do not
 * count any more. At last the mark in the database goes. After a crash one place counts, and giving the command once
 * more ends the move.
 * @returns lines about what was done.
 * @throws ReportedError with what to do. Nothing has moved then.
 */
export async function moveToDatabase(moving: Moving): Promise<string[]> {
  const { dataFolder } = moving;
  const file = join(dataFolder, DATABASE_FILE);
  if (!existsSync(file)) throw new ReportedError(words.noNode({ folder: dataFolder }));
  const lock = openDataFolder(dataFolder);
  try {
    const moved = movedFrom(dataFolder);
    if (moved !== undefined) return await endEarlier(moving, moved.to);
    const secrets = await prepareFolder(moving, file);
    moving.tell(words.checking);
    if ((await damagesIn(file)).length > 0) throw new ReportedError(words.damaged);
    moving.tell(words.serverRoom(2 * statSync(file).size));
    return await withTarget(moving, async (target) => {
      const { copied, mark } = await fill(moving, target, file, secrets);
      failPoint('move-step');
      const lines = [words.moved({ rows: copied.rows, tables: copied.tables, to: moving.address.shown }), await tellOfLog(target)];
      markMoved(dataFolder, { id: mark.id, to: moving.address.shown, at: moving.clock.now() });
      failPoint('move-step');
      await takeMarkAway(moving);
      failPoint('move-step');
      return [...lines, words.nowDatabase({ folder: dataFolder })];
    });
  } finally {
    lock.release();
  }
}

/** Does what a start of the node would do first: the books get the newest schema, and are no copy. */
async function prepareFolder({ dataFolder, protection, migrations, clock }: Moving, file: string): Promise<StoredSecrets> {
  finishReplacement(dataFolder);
  clearUnfinished(dataFolder);
  refuseMovedFolder(dataFolder);
  refuseLostParts(dataFolder);
  const secretsFile = new SecretsFile(dataFolder, protection);
  secretsFile.read();
  const database = await openDatabase(file, migrations, {});
  try {
    await continueBooks({ database, dataFolder, secretsFile, clock, log: createLogger('error') });
  } finally {
    await database.close();
  }
  return secretsFile.read();
}

/** Runs `work` on the migrated target. No replica starts there meanwhile. */
async function withTarget(
  { address, migrations }: Pick<Moving, 'address' | 'migrations'>,
  work: (target: PostgresDatabase) => Promise<string[]>,
): Promise<string[]> {
  const { openPostgres } = await import('../../platform/database/postgres/open.ts');
  let lines: string[] = [];
  const shared = { address, migrations: join(migrations, 'postgres'), log: silent, options: { listens: false } };
  const target = await openPostgres(shared, async (opened) => {
    lines = await work(opened);
  });
  await target.close();
  return lines;
}

/** Copies everything in one transaction, over what an earlier try has left. */
async function fill(
  moving: Moving,
  target: PostgresDatabase,
  file: string,
  secrets: StoredSecrets,
): Promise<{ copied: Copied; mark: MoveMark }> {
  const { address, sealKey, clock, dataFolder } = moving;
  const earlier = await earlierTry(moving, target, secrets);
  const connection = new Sqlite(file, { readonly: true });
  try {
    const tables = shapesIn(connection, NOT_MOVED);
    const mark = { id: newId(), folder: `${dataFolder} (${hostname()})` };
    const keys: readonly [string, string][] = [
      ['node', sealedKeys(secrets, sealKey)],
      ['arriving', sealedMark(sealKey, 'arriving', mark)],
    ];
    const copied = await PostgresRows.on(address, (rows) =>
      rows.within('isolation level read committed', async () => {
        if (earlier) await rows.empty(tables);
        else await refuseFilled(rows, tables, address.shown);
        await rows.ask('delete from node_keys');
        const done = await copyRows(new SqliteRows(connection), rows, tables, tellingProgress(moving));
        for (const [id, sealed] of keys) {
          await rows.ask('insert into node_keys (id, sealed, created_at) values ($1, $2, $3)', [id, sealed, String(clock.now())]);
        }
        failPoint('move-step');
        return done;
      }),
    );
    return { copied, mark };
  } finally {
    connection.close();
  }
}

/** Whether the database has what an earlier try to move these very books has left. */
async function earlierTry({ address, sealKey }: Moving, target: PostgresDatabase, secrets: StoredSecrets): Promise<boolean> {
  const keys = await keysIn(target.read);
  if (keys === undefined) return false;
  if ((await moveStateOf(target)) !== 'arriving') throw new ReportedError(words.notEmpty({ where: address.shown }));
  if (keyIdOf(openKeys(keys, sealKey)) !== keyIdOf(secrets)) throw new ReportedError(words.notEmpty({ where: address.shown }));
  return true;
}

async function refuseFilled(rows: PostgresRows, tables: readonly TableShape[], where: string): Promise<void> {
  for (const table of tables) if ((await rows.count(table)) > 0) throw new ReportedError(words.notEmpty({ where }));
}

const takeMarkAway = ({ address }: Moving): Promise<unknown> =>
  PostgresRows.on(address, (rows) => rows.ask("delete from node_keys where id = 'arriving'"));

/** Ends a move after which the folder was marked already. */
async function endEarlier(moving: Moving, to: string): Promise<string[]> {
  const { address, sealKey, dataFolder } = moving;
  return await withTarget(moving, async (target) => {
    const keys = await keysIn(target.read);
    const notThere = new ReportedError(words.notThere({ where: address.shown, to, file: join(dataFolder, MOVED_FILE) }));
    if (keys === undefined) throw notThere;
    const here = new SecretsFile(dataFolder, moving.protection).read();
    if (keyIdOf(openKeys(keys, sealKey)) !== keyIdOf(here)) throw notThere;
    const mark = await readMark(target, sealKey, 'arriving');
    if (mark === undefined) return [words.already({ to: address.shown })];
    if (mark.id !== movedFrom(dataFolder)?.id) throw notThere;
    await takeMarkAway(moving);
    failPoint('move-step');
    return [words.ended({ to: address.shown }), words.nowDatabase({ folder: dataFolder })];
  });
}
