import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { openDatabase } from '../../assembly/books/open-database.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { forgetLock } from '../../operator-api/lock/lock-row.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDataFolder } from '../../platform/data-folder/data-folder.ts';
import { refuseMovedFolder } from '../../platform/data-folder/moved-folder.ts';
import type { Database } from '../../platform/database/database.ts';
import { ReportedError } from '../../platform/errors.ts';
import { refuseMovedBooks } from '../../platform/secrets/move-marks.ts';
import type { DatabaseAddress } from '../../platform/settings/database-address.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

const words = commandWords.removeLock;

/**
 * Removes the passphrase that locks the console, for an operator who has forgotten it. It works on the files of a node
 * that does not run, or on a shared database, whatever replicas run. The lock keeps people away from the screen; a
 * person who has the books can read them without it.
 * @param builtFolder is the folder of the built parts of the main process.
 * @throws ReportedError with what to do.
 */
export async function removeLock({ config: { dataDir, database: shared } }: TypedCommand, builtFolder: string): Promise<CommandAnswer> {
  if (shared !== undefined) return await removeSharedLock(shared, builtFolder);
  const file = join(dataDir, 'paydesk.db');
  if (!existsSync(file)) throw new ReportedError(words.noNode({ dataDir }));
  const folder = openDataFolder(dataDir);
  try {
    // The node that starts here next is the one to unlock, so a replacement that was cut short is finished first.
    finishReplacement(dataDir);
    refuseMovedFolder(dataDir);
    const database = await openDatabase(file, join(builtFolder, '../../drizzle'), {});
    try {
      return await forgotten(database);
    } finally {
      await database.close();
    }
  } finally {
    folder.release();
  }
}

async function removeSharedLock(address: DatabaseAddress, builtFolder: string): Promise<CommandAnswer> {
  const { openPostgres } = await import('../../platform/database/postgres/open.ts');
  const migrations = join(builtFolder, '../../drizzle/postgres');
  const shared = { address, migrations, log: { info: () => undefined }, options: { listens: false } };
  const database = await openPostgres(shared, (opened) => refuseMovedBooks(opened, address.shown));
  try {
    return await forgotten(database);
  } finally {
    await database.close();
  }
}

async function forgotten(database: Database): Promise<CommandAnswer> {
  const removed = await forgetLock(database, systemClock);
  return { lines: [removed ? words.removed : words.nothingToRemove], exitCode: 0 };
}
