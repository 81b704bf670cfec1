/** A command that a person can type after the program's name. Without a command the program runs the node. */
export interface CommandSyntax {
  readonly name: CommandName;
  /** The arguments that must follow, in order, as the help shows them. */
  readonly operands: readonly string[];
  /** The options of this command only. Environment variables do not set them. */
  readonly options: readonly CommandOption[];
  readonly help: string;
}

export interface CommandOption {
  readonly name: string;
  readonly value: string;
  readonly help: string;
}

export type CommandName =
  | 'console-link'
  | 'status'
  | 'create-account'
  | 'approvals'
  | 'approve'
  | 'deny'
  | 'unlock'
  | 'backup'
  | 'restore'
  | 'remove-lock';

/**
 * Every command except `restore` and `remove-lock` sends requests to the node that runs on the data folder, with the
 * operator's token from that folder.
 */
export const COMMANDS: readonly CommandSyntax[] = [
  { name: 'console-link', operands: [], options: [], help: 'print a link that opens the console of the running node' },
  {
    name: 'status',
    operands: [],
    options: [],
    help: 'tell how the running node is; exit code 0 when all is well, 2 when something is not',
  },
  {
    name: 'create-account',
    operands: ['NAME'],
    options: [
      { name: 'currency', value: 'CODE', help: 'such as EUR or JPY' },
      { name: 'decimals', value: 'NUMBER', help: 'decimal places of its amounts (default: those of the currency)' },
      { name: 'public-name', value: 'TEXT', help: 'what payers see (default: NAME)' },
      { name: 'deposit', value: 'AMOUNT', help: 'recorded as a first deposit, such as 100.00' },
    ],
    help: 'open an account with the wallet address NAME',
  },
  { name: 'approvals', operands: [], options: [], help: 'list what apps ask for and wait to be told' },
  {
    name: 'approve',
    operands: ['ID'],
    options: [
      { name: 'code', value: 'CODE', help: 'the four digits on the page in front of whoever asks' },
      { name: 'limit', value: 'AMOUNT', help: 'the most it may spend: less than it asks for, or for a request without a limit' },
      { name: 'limit-arriving', value: 'AMOUNT', help: 'the most that may arrive, if it asks for such a limit' },
      { name: 'any-amount-from', value: 'NAME', help: 'for a request without a limit: the name of the account, to allow any amount' },
      { name: 'last-day', value: 'DATE', help: 'when it loses everything you allow, such as 2030-12-31 (default: never)' },
      { name: 'confirm', value: 'VALUE', help: 'in a script: what "approvals" shows for exactly the request you have read' },
    ],
    help: 'show a request again and, when you type so, allow exactly that',
  },
  { name: 'deny', operands: ['ID'], options: [], help: 'refuse a request' },
  { name: 'unlock', operands: [], options: [], help: 'open a locked node with its passphrase, which is asked for' },
  {
    name: 'backup',
    operands: [],
    options: [{ name: 'folder', value: 'DIR', help: 'where it goes (default: backups in the data folder)' }],
    help: 'make an encrypted backup of the running node, and verify it; see --backup-passphrase-file',
  },
  { name: 'restore', operands: ['FILE'], options: [], help: 'put a backup into a --data-dir that has no node yet' },
  {
    name: 'remove-lock',
    operands: [],
    options: [],
    help: 'take away a forgotten passphrase of the console; the node must not be running',
  },
];
