import { join, resolve } from 'node:path';
import { movingWords as words } from '../../../src-shared/words/terminal/moving.ts';
import { moveToDatabase } from '../../assembly/moving/to-database.ts';
import { moveToFolder } from '../../assembly/moving/to-folder.ts';
import { systemClock } from '../../platform/clock.ts';
import { ReportedError } from '../../platform/errors.ts';
import { armFailPoint } from '../../platform/fail-points.ts';
import { readSealKey } from '../../platform/secrets/seal-key.ts';
import { protectionOf } from '../../platform/secrets/secrets-protection.ts';
import { DatabaseAddress } from '../../platform/settings/database-address.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

/**
 * The command `move`: from the data folder into the database that `--to` names, or from the database of the settings
 * into the folder that it names.
 * @param builtFolder is the folder of the built parts of the main process.
 * @throws ReportedError with what to do.
 */
export async function move({ options, config }: TypedCommand, builtFolder: string, terminal: Terminal): Promise<CommandAnswer> {
  const { to = '' } = options;
  if (to === '') throw new ReportedError(words.toNeeded);
  armFailPoint(config.failPoint);
  const toDatabase = to.includes('://');
  if (toDatabase && config.database !== undefined) throw new ReportedError(words.twoDatabases);
  const address = toDatabase ? DatabaseAddress.read(to) : config.database;
  if (address === undefined) throw new ReportedError(toDatabase ? words.addressWrong : words.fromNeeded);
  const moving = {
    address,
    sealKey: await readSealKey(config.sealKey),
    dataFolder: toDatabase ? config.dataDir : resolve(to),
    protection: protectionOf(config),
    migrations: join(builtFolder, '../../drizzle'),
    clock: systemClock,
    tell: (line: string) => terminal.print(line),
  };
  return { lines: toDatabase ? await moveToDatabase(moving) : await moveToFolder(moving), exitCode: 0 };
}
