import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { movingWords as words } from '../../../src-shared/words/terminal/moving.ts';
import { damagesIn } from '../../audit/whole-books.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { DATABASE_FILE, openDataFolder, writePrivateFile } from '../../platform/data-folder/data-folder.ts';
import { GENERATION_FILE, readNodeState } from '../../platform/data-folder/generation.ts';
import { arrivingIn, markArrived, markArriving, movedFrom } from '../../platform/data-folder/moved-folder.ts';
import type { Copied } from '../../platform/database/moving/copy-rows.ts';
import { fillFile } from '../../platform/database/moving/fill-file.ts';
import type { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { PostgresRows, refuseAdditions } from '../../platform/database/postgres/postgres-rows.ts';
import { renameDurably } from '../../platform/disk/durable-names.ts';
import { freeRoom } from '../../platform/disk/room.ts';
import { ReportedError } from '../../platform/errors.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId } from '../../platform/ids.ts';
import { moveStateOf, readMark, sealedMark } from '../../platform/secrets/move-marks.ts';
import { SECRETS_FILE, SecretsFile } from '../../platform/secrets/node-secrets.ts';
import { keysIn, openKeys } from '../../platform/secrets/shared-secrets.ts';
import { type Moving, tellingProgress, tellOfLog } from './moving.ts';

/** The folder, inside the data folder, in which the parts of the node are made. */
const PREPARED = 'move-prepared';

/**
 * The term of a database whose books were moved away. It is below every term that a process has seen. So a replica that
 * was frozen and wakes up believes that the database has lost commits, and writes nothing (turns.ts).
 */
const FENCE = '-4611686018427387904';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::int8';
/** The replicas that were heard of so lately that they do not count as dead. */
const LIVING = `select name from replicas where seen_at > ${NOW} - 5000 order by name`;

/**
 * Moves the books of a shared database into a data folder that has no node. It makes the parts beside their places.
 * Then one transaction marks the database: from that moment on its books do not count any more, and nobody writes
 * there. At last it puts the parts in their places. After a crash one place counts, and giving the command once more
 * ends the move.
 * @param room the room on the disk of a folder, in bytes; only tests give another one.
 * @returns lines about what was done.
 * @throws ReportedError with what to do. Nothing has moved then.
 */
export async function moveToFolder(moving: Moving, room: (folder: string) => number = freeRoom): Promise<string[]> {
  const { dataFolder, address, migrations } = moving;
  const lock = openDataFolder(dataFolder);
  try {
    finishReplacement(dataFolder);
    if (existsSync(join(dataFolder, DATABASE_FILE)) && arrivingIn(dataFolder) === undefined) {
      throw new ReportedError(words.nodeThere({ folder: dataFolder }));
    }
    if (movedFrom(dataFolder) !== undefined) throw new ReportedError(words.nodeThere({ folder: dataFolder }));
    const { openPostgres } = await import('../../platform/database/postgres/open.ts');
    const log = { info: () => undefined };
    let lines: string[] = [];
    // No replica starts meanwhile.
    const source = await openPostgres(
      { address, migrations: join(migrations, 'postgres'), log, options: { listens: false } },
      async (opened) => {
        lines = await moveFrom(opened, moving, room);
      },
    );
    await source.close();
    return lines;
  } finally {
    lock.release();
  }
}

async function moveFrom(source: PostgresDatabase, moving: Moving, room: (folder: string) => number): Promise<string[]> {
  const { address, sealKey, dataFolder } = moving;
  const keys = await keysIn(source.read);
  if (keys === undefined) throw new ReportedError(words.noNodeInDatabase({ where: address.shown }));
  const secrets = openKeys(keys, sealKey);
  const state = await moveStateOf(source);
  if (state === 'arriving') throw new ReportedError(words.databaseUnfinished({ where: address.shown }));
  if (state === 'moved') return await endEarlier(source, moving);
  const [needed, free] = [await source.usedBytes(), room(dataFolder)];
  if (free < needed) throw new ReportedError(words.noRoom(needed, free));
  const id = newId();
  markArriving(dataFolder, id);
  failPoint('move-step');
  try {
    const lines = await PostgresRows.on(address, async (rows) => {
      const { copied, term } = await prepare(source, rows, moving);
      new SecretsFile(join(dataFolder, PREPARED), moving.protection).write(secrets);
      const told = [words.moved({ rows: copied.rows, tables: copied.tables, to: dataFolder }), await tellOfLog(source)];
      failPoint('move-step');
      await decide(rows, moving, { id, term });
      return told;
    });
    failPoint('move-step');
    putInPlace(dataFolder);
    return [...lines, words.nowFolder({ folder: dataFolder })];
  } catch (error) {
    // Unless it was decided, the folder is as it was.
    if ((await moveStateOf(source).catch(() => 'moved')) === undefined) {
      rmSync(join(dataFolder, PREPARED), { recursive: true, force: true });
      markArrived(dataFolder);
    }
    throw error;
  }
}

/**
 * Makes the database and the count of the node, as of one moment.
 * @returns also the term of the turns at that moment.
 */
async function prepare(source: PostgresDatabase, rows: PostgresRows, moving: Moving): Promise<{ copied: Copied; term: string }> {
  const { dataFolder, migrations, address, tell } = moving;
  const prepared = join(dataFolder, PREPARED);
  const file = join(prepared, DATABASE_FILE);
  rmSync(prepared, { recursive: true, force: true });
  mkdirSync(prepared, { mode: 0o700 });
  const made = await rows.within('isolation level repeatable read read only', async () => {
    await refuseAdditions(rows, join(migrations, 'postgres'), address.shown);
    await refuseLiving(rows, address.shown);
    const [[term] = []] = await rows.ask('select term from turns where id = 1');
    const copied = await fillFile(file, { migrations, source: rows, tell: tellingProgress(moving) });
    return { copied, term: term ?? '' };
  });
  tell(words.checking);
  if ((await damagesIn(file)).length > 0) throw new ReportedError(words.damaged);
  // With the count beside it, the node does not take its books for a copy.
  const state = await readNodeState(source);
  if (state !== undefined) writePrivateFile(join(prepared, GENERATION_FILE), `${state.generation}\n`);
  return made;
}

async function refuseLiving(rows: PostgresRows, where: string): Promise<void> {
  const names = (await rows.ask(LIVING)).map(([name]) => name ?? '');
  if (names.length > 0) throw new ReportedError(words.running(where, names));
}

/** Marks the database unless somebody has written since it was copied. Only the process that has the turn may write. */
async function decide(rows: PostgresRows, moving: Moving, { id, term }: { id: string; term: string }): Promise<void> {
  const { address, sealKey, clock, dataFolder } = moving;
  const sealed = sealedMark(sealKey, 'moved', { id, folder: `${dataFolder} (${hostname()})` });
  await rows.within('isolation level read committed', async () => {
    const [[now] = []] = await rows.ask('select term from turns where id = 1 for update');
    if (now !== term) throw new ReportedError(words.writtenMeanwhile({ where: address.shown }));
    await refuseLiving(rows, address.shown);
    await rows.ask('insert into node_keys (id, sealed, created_at) values ($1, $2, $3)', ['moved', sealed, String(clock.now())]);
    await rows.ask('update turns set term = $1 where id = 1', [FENCE]);
    failPoint('move-step');
  });
}

/** Moves the parts into their places. The database is the last one, because a folder has a node when it has that. */
function putInPlace(dataFolder: string): void {
  const prepared = join(dataFolder, PREPARED);
  for (const name of [SECRETS_FILE, GENERATION_FILE, DATABASE_FILE]) {
    if (existsSync(join(prepared, name))) renameDurably(join(prepared, name), join(dataFolder, name));
    failPoint('move-step');
  }
  rmSync(prepared, { recursive: true, force: true });
  markArrived(dataFolder);
}

/** Ends a move after which the database was marked already. */
async function endEarlier(source: PostgresDatabase, { address, sealKey, dataFolder }: Moving): Promise<string[]> {
  const mark = await readMark(source, sealKey, 'moved');
  if (mark === undefined || mark.id !== arrivingIn(dataFolder)) {
    throw new ReportedError(words.databaseMoved({ where: address.shown, to: mark?.folder ?? '' }));
  }
  putInPlace(dataFolder);
  return [words.ended({ to: dataFolder }), words.nowFolder({ folder: dataFolder })];
}
