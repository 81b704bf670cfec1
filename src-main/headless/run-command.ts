import { requestConsoleLink } from '../operator-api/console-link.ts';
import { OperatorConnection } from '../operator-api/operator-connection.ts';
import type { CommandName } from '../platform/commands.ts';
import type { Config } from '../platform/config.ts';
import { backup } from './backup.ts';
import { createAccount } from './create-account.ts';
import { removeLock } from './remove-lock.ts';
import { restoreCommand } from './restore.ts';
import { status } from './status.ts';

/** A command as it was typed. */
export interface TypedCommand {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly config: Config;
}

/** What a command prints, line by line, and the exit code it ends with. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

export type Command = (node: OperatorConnection, typed: TypedCommand) => Promise<CommandAnswer>;

const COMMANDS: Record<Exclude<CommandName, 'console-link' | 'restore' | 'remove-lock'>, Command> = {
  status,
  'create-account': createAccount,
  backup,
};

/**
 * Runs one command, most of them against the node on the data folder.
 * @param builtFolder where the built parts of the main process lie.
 * @throws StartupError with what was wrong, or what the node refused.
 */
export async function runCommand(name: CommandName, typed: TypedCommand, builtFolder: string): Promise<CommandAnswer> {
  if (name === 'console-link') return { lines: [await requestConsoleLink(typed.config)], exitCode: 0 };
  if (name === 'restore') return await restoreCommand(typed, builtFolder);
  if (name === 'remove-lock') return await removeLock(typed, builtFolder);
  const node = new OperatorConnection(typed.config);
  try {
    return await COMMANDS[name](node, typed);
  } finally {
    node.close();
  }
}
