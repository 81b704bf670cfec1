import type { Config } from '../../platform/settings/config.ts';
import type { OperatorConnection } from '../operator-connection.ts';

export interface TypedCommand {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly config: Config;
}

/** The lines that a command prints, and the exit code with which it ends. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The node that runs on the data folder, as commands use it. */
export type RunningNode = Pick<OperatorConnection, 'request'>;

/** @param print prints a line at once. A command uses it for what is too long to be kept. */
export type Command = (node: RunningNode, typed: TypedCommand, print: (line: string) => void) => Promise<CommandAnswer>;
