import { LOCKED } from '../../../src-shared/locked-error.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newSealKey } from '../../platform/secrets/seal-key.ts';
import type { CommandName } from '../../platform/settings/commands.ts';
import { requestConsoleLink } from '../console-link.ts';
import { OperatorConnection, OperatorRefusal } from '../operator-connection.ts';
import { openTerminal } from '../terminal.ts';
import { approvals, deny } from './approvals.ts';
import { approve } from './approve.ts';
import { archive } from './archive.ts';
import { backup } from './backup.ts';
import { backupShared } from './backup-shared.ts';
import type { Command, CommandAnswer, TypedCommand } from './command.ts';
import { createAccount } from './create-account.ts';
import { move } from './move.ts';
import { removeLock } from './remove-lock.ts';
import { restoreCommand } from './restore.ts';
import { status } from './status.ts';
import { unlock } from './unlock.ts';

const terminal = openTerminal();

const COMMANDS: Record<Exclude<CommandName, 'console-link' | 'restore' | 'move' | 'remove-lock' | 'make-key'>, Command> = {
  status,
  'create-account': createAccount,
  approvals,
  approve: approve(terminal),
  deny,
  unlock: unlock(terminal),
  backup,
  archive,
};

/**
 * Runs one command. Most commands ask the node that runs on the data folder.
 * @param builtFolder is the folder of the built parts of the main process.
 * @throws ReportedError with what is wrong, or with what the node refused.
 */
export async function runCommand(name: CommandName, typed: TypedCommand, builtFolder: string): Promise<CommandAnswer> {
  if (name === 'console-link') return { lines: [await requestConsoleLink(typed.config)], exitCode: 0 };
  if (name === 'make-key') return { lines: [newSealKey()], exitCode: 0 };
  if (name === 'restore') return await restoreCommand(typed, builtFolder);
  if (name === 'backup' && typed.config.database !== undefined) return await backupShared(typed, builtFolder, terminal);
  if (name === 'move') return await move(typed, builtFolder, terminal);
  if (name === 'remove-lock') return await removeLock(typed, builtFolder);
  const node = new OperatorConnection(typed.config);
  try {
    return await COMMANDS[name](node, typed);
  } catch (error) {
    throw error instanceof OperatorRefusal && error.code === LOCKED.code ? new ReportedError(commandWords.locked) : error;
  } finally {
    node.close();
  }
}
