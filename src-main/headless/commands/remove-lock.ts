import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { sharedDatabaseProblems } from '../../../src-shared/words/terminal/shared-database.ts';
import { openDatabase } from '../../assembly/books/open-database.ts';
import { finishReplacement } from '../../backup/replacement.ts';
import { forgetLock } from '../../operator-api/lock/app-lock.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDataFolder } from '../../platform/data-folder/data-folder.ts';
import { ReportedError } from '../../platform/errors.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

const words = commandWords.removeLock;

/**
 * Removes the passphrase that locks the console, for an operator who has forgotten it. It works on the files of a node
 * that does not run. The lock keeps people away from the screen; a person who has the files can read them without it.
 * @param builtFolder is the folder of the built parts of the main process.
 * @throws ReportedError with what to do.
 */
export async function removeLock({ config: { dataDir, database: shared } }: TypedCommand, builtFolder: string): Promise<CommandAnswer> {
  if (shared !== undefined) throw new ReportedError(sharedDatabaseProblems.noFile);
  const file = join(dataDir, 'paydesk.db');
  if (!existsSync(file)) throw new ReportedError(words.noNode(dataDir));
  const folder = openDataFolder(dataDir);
  try {
    // The node that starts here next is the one to unlock, so a replacement that was cut short is finished first.
    finishReplacement(dataDir);
    const database = await openDatabase(file, join(builtFolder, '../../drizzle'), {});
    try {
      const removed = await forgetLock(database, systemClock);
      const line = removed ? words.removed : words.nothingToRemove;
      return { lines: [line], exitCode: 0 };
    } finally {
      await database.close();
    }
  } finally {
    folder.release();
  }
}
