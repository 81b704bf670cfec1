import type { Config } from '../../platform/settings/config.ts';
import type { OperatorConnection } from '../operator-connection.ts';

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

/** What commands ask: the node that runs on the data folder. */
export type RunningNode = Pick<OperatorConnection, 'request'>;

export type Command = (node: RunningNode, typed: TypedCommand) => Promise<CommandAnswer>;
