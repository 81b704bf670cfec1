import { LOCKED } from '../../../src-shared/locked-error.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { ReportedError } from '../../platform/errors.ts';
import type { CommandName } from '../../platform/settings/commands.ts';
import { requestConsoleLink } from '../console-link.ts';
import { OperatorConnection, OperatorRefusal } from '../operator-connection.ts';
import { openTerminal } from '../terminal.ts';
import { approvals, deny } from './approvals.ts';
import { approve } from './approve.ts';
import { archive } from './archive.ts';
import { backup } from './backup.ts';
import type { Command, CommandAnswer, TypedCommand } from './command.ts';
import { createAccount } from './create-account.ts';
import { status } from './status.ts';
import { unlock } from './unlock.ts';

const terminal = openTerminal();

const COMMANDS: Record<Exclude<CommandName, 'console-link' | 'statement' | 'restore' | 'move' | 'remove-lock' | 'make-key'>, Command> = {
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
 * Runs one command. Most commands ask the node that runs on the data folder. The others open the books themselves. What
 * they need for that is loaded for them alone, because loading it takes longer than a question to the node.
 * @param builtFolder is the folder of the built parts of the main process. `print` prints a line at once.
 * @throws ReportedError with what is wrong, or with what the node refused.
 */
export async function runCommand(
  name: CommandName,
  typed: TypedCommand,
  { builtFolder, print }: { builtFolder: string; print: (line: string) => void },
): Promise<CommandAnswer> {
  switch (name) {
    case 'console-link':
      return { lines: [await requestConsoleLink(typed.config)], exitCode: 0 };
    case 'make-key':
      return { lines: [(await import('../../platform/secrets/seal-key.ts')).newSealKey()], exitCode: 0 };
    case 'restore':
      return await (await import('./restore.ts')).restoreCommand(typed, builtFolder);
    case 'move':
      return await (await import('./move.ts')).move(typed, builtFolder, terminal);
    case 'remove-lock':
      return await (await import('./remove-lock.ts')).removeLock(typed, builtFolder);
    case 'backup':
      if (typed.config.database === undefined) break;
      return await (await import('./backup-shared.ts')).backupShared(typed, builtFolder, terminal);
    default:
  }
  const node = new OperatorConnection(typed.config);
  try {
    // This command loads the rules of periods and formats, and few people use it.
    if (name === 'statement') return await (await import('./statement.ts')).statement(node, typed);
    return await COMMANDS[name](node, typed, print);
  } catch (error) {
    throw error instanceof OperatorRefusal && error.code === LOCKED.code ? new ReportedError(commandWords.locked) : error;
  } finally {
    node.close();
  }
}
