import type { commandHelp, commandOptionHelp } from '../../../src-shared/words/terminal/settings.ts';

/** A command that a person can type after the program's name. Without a command the program runs the node. */
export interface CommandSyntax {
  readonly name: CommandName;
  /** The arguments that must follow, in order, as the help shows them. */
  readonly operands: readonly string[];
  /** The options of this command only. Environment variables do not set them. */
  readonly options: readonly CommandOption[];
}

interface CommandOption {
  readonly name: keyof typeof commandOptionHelp;
  readonly value: string;
}

export type CommandName = keyof typeof commandHelp;

/**
 * Every command except `restore`, `move`, `remove-lock` and `make-key` sends requests to the node that runs on the data
 * folder, with the operator's token from that folder.
 */
export const COMMANDS: readonly CommandSyntax[] = [
  { name: 'console-link', operands: [], options: [] },
  { name: 'status', operands: [], options: [] },
  {
    name: 'create-account',
    operands: ['NAME'],
    options: [
      { name: 'currency', value: 'CODE' },
      { name: 'decimals', value: 'NUMBER' },
      { name: 'public-name', value: 'TEXT' },
      { name: 'deposit', value: 'AMOUNT' },
    ],
  },
  { name: 'approvals', operands: [], options: [] },
  {
    name: 'approve',
    operands: ['ID'],
    options: [
      { name: 'code', value: 'CODE' },
      { name: 'limit', value: 'AMOUNT' },
      { name: 'limit-arriving', value: 'AMOUNT' },
      { name: 'any-amount-from', value: 'NAME' },
      { name: 'last-day', value: 'DATE' },
      { name: 'confirm', value: 'VALUE' },
    ],
  },
  { name: 'deny', operands: ['ID'], options: [] },
  { name: 'unlock', operands: [], options: [] },
  { name: 'backup', operands: [], options: [{ name: 'folder', value: 'DIR' }] },
  { name: 'archive', operands: [], options: [{ name: 'payment', value: 'ID' }] },
  {
    name: 'statement',
    operands: [],
    options: [
      { name: 'account', value: 'NAME' },
      { name: 'month', value: 'MONTH' },
      { name: 'quarter', value: 'QUARTER' },
      { name: 'year', value: 'YEAR' },
      { name: 'from', value: 'DAY' },
      { name: 'until', value: 'DAY' },
      { name: 'format', value: 'FORMAT' },
      { name: 'language', value: 'TAG' },
      { name: 'out', value: 'FILE' },
    ],
  },
  { name: 'restore', operands: ['FILE'], options: [] },
  { name: 'move', operands: [], options: [{ name: 'to', value: 'PLACE' }] },
  { name: 'remove-lock', operands: [], options: [] },
  { name: 'make-key', operands: [], options: [] },
];
