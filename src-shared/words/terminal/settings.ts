/** What `--help` prints around the commands and the options. */
export const helpWords = {
  /** How the operator starts the headless node and its commands. */
  program: 'npm run headless --',
  usage: (program: string) => [`Usage: ${program} [options]`, `       ${program} COMMAND [options]`],
  commands: 'Commands, for the node that runs on the same --data-dir:',
  options: 'Each option can also be set as the environment variable beside it; one that is typed wins.',
  standard: (value: string) => ` (default ${value})`,
} as const;

/** What each command does. */
export const commandHelp = {
  'console-link': 'print a link that opens the console of the running node',
  status: 'tell how the running node is; exit code 0 when all is well, 2 when something is not',
  'create-account': 'open an account with the wallet address NAME',
  approvals: 'list what apps ask for and wait to be told',
  approve: 'show a request again and, when you type so, allow exactly that',
  deny: 'refuse a request',
  unlock: 'open a locked node with its passphrase, which is asked for',
  backup: 'make an encrypted backup of the running node, or of --database, and verify it; see --backup-passphrase-file',
  archive: 'list and check the files of the archive, or show what it has of one payment; exit code 2 when a file is not whole',
  restore: 'put a backup into a --data-dir that has no node yet',
  move: 'move the books of a stopped node from --data-dir into a database, or from --database into a folder',
  'make-key': 'print a new key for the secrets of a node with --database',
  'remove-lock': 'take away a forgotten passphrase of the console; the node must not be running',
} as const;

/** What each option of a command is for. */
export const commandOptionHelp = {
  payment: 'the id of a payment; what the archive has of it is printed as JSON, one row a line',
  currency: 'such as EUR or JPY',
  decimals: 'decimal places of its amounts (default: those of the currency)',
  'public-name': 'what payers see (default: NAME)',
  deposit: 'recorded as a first deposit, such as 100.00',
  code: 'the four digits on the page in front of whoever asks',
  limit: 'the most it may spend: less than it asks for, or for a request without a limit',
  'limit-arriving': 'the most that may arrive, if it asks for such a limit',
  'any-amount-from': 'for a request without a limit: the name of the account, to allow any amount',
  'last-day': 'when it loses everything you allow, such as 2030-12-31 (default: never)',
  confirm: 'in a script: what "approvals" shows for exactly the request you have read',
  to: 'where the books go: postgres://USER@HOST/NAME, or a folder; a password belongs into PGPASSWORD',
  folder: 'where it goes (default: backups in the data folder)',
} as const;

/** What each option of the node is for. */
export const optionHelp = (logLevels: readonly string[]) => ({
  'data-dir': 'folder for the database and the keys of this node (default: a folder for this user)',
  database: 'postgres://USER@HOST/NAME: the books are there, for several processes of one node; a password belongs into PAYDESK_DATABASE',
  'key-file': 'its first line is the key that seals the node’s secrets in that database; without files, PAYDESK_KEY',
  'key-command': 'a command that prints that key',
  'replica-name': 'what the console calls this process among those that share the database (default: the name of the computer)',
  listen: 'where clients and other wallets reach the public API',
  'public-url': 'the address the world uses for it, such as https://pay.example',
  'tls-cert': 'certificate chain (PEM) for the public API; read again when it changes',
  'tls-key': 'its private key (PEM)',
  console: 'where the operator’s console listens; loopback only',
  'log-level': `one of ${logLevels.join(', ')}; logs go to standard error`,
  'token-lifetime': 'how long an access token lives before its client must rotate it; 1 to 86400',
  'keep-days': 'how long requests nobody paid, ended permissions and failed attempts are kept; 7 to 3650',
  'archive-days': 'after how long the details of payments that have ended go into the archive; 32 to 3650',
  'updated-at-in-body': 'compatible: only where official clients accept it; always',
  'address-rate': 'requests a second from one network address, up to 1000000; 0 for no limit',
  'client-rate': 'signed requests a second from one client, up to 1000000; 0 for no limit',
  'trusted-proxies': 'proxies, such as 127.0.0.1,10.0.0.0/8, whose X-Forwarded-For is believed',
  'max-packet-amount': 'the most one ILP packet carries; larger payments go in several packets',
  'ilp-address': 'the ILP address that a peer has assigned to this node, such as g.provider.shop',
  'secrets-passphrase-file': 'its first line encrypts the node’s keys at rest; without files, PAYDESK_SECRETS_PASSPHRASE',
  'backup-passphrase-file': 'its first line encrypts and opens backups, for backup and restore; without files, PAYDESK_BACKUP_PASSPHRASE',
  development: 'accept http and loopback addresses of other wallets, to try things out on one computer',
  help: 'print this and stop',
  version: 'print the version and stop',
});

/** Why a command line, or a setting from the environment, is refused. */
export const settingRefusals = {
  empty: (name: string) => `--${name} is empty. Give it a value, or leave it out.`,
  noCommand: (typed: string) => `There is no command "${typed}". See --help.`,
  typeLike: (command: string) => `Type "${command}". See --help.`,
  otherCommand: (option: string, command: string) => `--${option} does not belong to "${command}". See --help.`,
  /** @param reason the parser's message, such as "Unknown option '--x'". */
  unreadable: (reason = 'The options cannot be read') => `${reason}. See --help.`,
  wrongValue: (name: string, value: string | undefined, help: string) => `--${name} cannot be "${value}": ${help}.`,
  databaseWrong:
    '--database must be a URL such as postgres://paydesk@db.example:5432/paydesk, with the name of the database. What was given is not repeated here, because it may hold a password.',
  proxyForAll: (proxy: string) => `--trusted-proxies ${proxy} would believe everybody. Name the proxy alone, such as 127.0.0.1.`,
  proxyWrong: (proxy: string) => `--trusted-proxies must be addresses such as 127.0.0.1 or 10.0.0.0/8, not "${proxy}".`,
  ilpAddressWrong: (address: string | undefined) => `--ilp-address must look like g.provider.shop, not "${address}".`,
  listenWrong: (name: string, value: string | undefined) => `--${name} must look like 127.0.0.1:3000, not "${value}".`,
  passphraseUnreadable: (name: string, file: string) => `--${name} ${file} cannot be read.`,
  passphraseEmpty: (name: string, file: string) => `--${name} ${file} begins with an empty line, where the passphrase should be.`,
  halfOfTls: '--tls-cert and --tls-key belong together: give both or neither.',
  plainHttp: (host: string) =>
    `--listen ${host} would serve others without encryption. Give --tls-cert and --tls-key, or name the proxy that has the certificate with --trusted-proxies.`,
  consoleElsewhere:
    '--console must stay on this computer (127.0.0.1), because its connection is not encrypted. Reach it from elsewhere through an SSH tunnel.',
  publicUrlWrong: (value: string) => `--public-url must be an origin such as https://pay.example, not "${value}".`,
  publicUrlPlain: '--public-url must begin with https://, because clients send access tokens to it. Plain http works only for 127.0.0.1.',
} as const;
