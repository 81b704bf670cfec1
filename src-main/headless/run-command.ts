import { requestConsoleLink } from '../operator-api/console-link.ts';
import { OperatorConnection } from '../operator-api/operator-connection.ts';
import type { CommandName } from '../platform/commands.ts';
import type { Config } from '../platform/config.ts';
import { createAccount } from './create-account.ts';
import { status } from './status.ts';

/** A command as it was typed. */
export interface TypedCommand {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

/** What a command prints, line by line, and the exit code it ends with. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

export type Command = (node: OperatorConnection, typed: TypedCommand) => Promise<CommandAnswer>;

const COMMANDS: Record<Exclude<CommandName, 'console-link'>, Command> = { status, 'create-account': createAccount };

/**
 * Runs one command against the node on the data folder.
 * @throws StartupError with what was wrong, or what the node refused.
 */
export async function runCommand(name: CommandName, typed: TypedCommand, config: Pick<Config, 'dataDir'>): Promise<CommandAnswer> {
  if (name === 'console-link') return { lines: [await requestConsoleLink(config)], exitCode: 0 };
  const node = new OperatorConnection(config);
  try {
    return await COMMANDS[name](node, typed);
  } finally {
    node.close();
  }
}
