/** Why the shared database cannot be used, and what the operator can do. @param where its host, port and name. */
export const sharedDatabaseProblems = {
  /** @param code what the system says, such as ECONNREFUSED. */
  notReachable: (where: string, code: string) =>
    `The database server of ${where} does not answer (${code}). Does it run, is the address right, and may this computer reach it?`,
  wrongLogin: (where: string) =>
    `The database server of ${where} does not accept the user or the password. Give the right ones in PAYDESK_DATABASE.`,
  noDatabase: (where: string) => `There is no database ${where}. Make it first, with "create database", and start paydesk again.`,
  noRights: (where: string, reason: string) =>
    `The user may not do everything that paydesk needs in ${where}: ${reason}. Make this user the owner of the database.`,
  noPlaces: (where: string) =>
    `The database server of ${where} takes no more connections. A replica needs up to 10: raise max_connections, or start fewer replicas.`,
  noEncryption: (where: string) => `The database server of ${where} speaks no TLS. Set it up there, or take sslmode out of the URL.`,
  badCertificate: (where: string, code: string) =>
    `The certificate of the database server of ${where} cannot be trusted (${code}). Name its authority with sslrootcert=FILE in the URL.`,
  tooOld: (where: string, version: string, oldest: number) =>
    `${where} is PostgreSQL ${version}. paydesk needs PostgreSQL ${oldest} or newer: upgrade the server.`,
  standby: (where: string) => `${where} is on a standby, which only reads. Name the primary server.`,
  pooler: (where: string) =>
    `A pooler in transaction mode is in front of ${where}. paydesk needs connections of its own: name the server itself, or set the pooler to session mode.`,
  newer: 'The shared database was changed by a newer version of paydesk, with which this one cannot work. Install that version or newer.',
  ownBooks: (folder: string) =>
    `${folder} has the books of a node in it, and --database names another place for the books. Choose another folder with --data-dir, or leave out --database.`,
  wrongClock: (seconds: string, where: string) =>
    `The clock of this computer differs by ${seconds} s from that of the database server of ${where}; 2 s are the most. Set both clocks by NTP.`,
  wentBack: (where: string, file: string) =>
    `The database server of ${where} has lost changes that this replica has seen: it was put back from a copy, or a standby took over without them. Find out which payments are missing. Then remove ${file} to go on with the books as they are.`,
  noDesktop:
    'The desktop app keeps its books on this computer and takes no --database. Start the node without a window for that: npm run headless.',
  /** Why a command, or a part of the console, is not there. */
  backups:
    'The books of this node are in a shared database, so the console makes and restores no backups of it. Use pg_dump or the point-in-time recovery of the database server; the command backup exports the books.',
} as const;

/** Why the key that seals the node's keys in a shared database cannot be used. */
export const sealKeyProblems = {
  missing:
    'A node with --database needs a key of its own, which seals its secrets there. Make one with the command make-key, keep a copy in a safe place, and give it in PAYDESK_KEY, with --key-file or with --key-command.',
  several: 'The key is given more than once. Give it in PAYDESK_KEY, with --key-file or with --key-command.',
  wrongText: 'PAYDESK_KEY is no key: 32 bytes in base64url or hexadecimal. The command make-key makes one.',
  wrongFile: (file: string) => `The first line of ${file} is no key: 32 bytes in base64url or hexadecimal. The command make-key makes one.`,
  unreadableFile: (file: string) => `--key-file ${file} cannot be read.`,
  wrongOutput: 'What the program of --key-command prints is no key: 32 bytes in base64url or hexadecimal.',
  programTooSlow: 'The program of --key-command did not end in time.',
  /** @param code its exit code. It is null when the program could not be started. */
  programFailed: (code: number | null) =>
    `The program of --key-command failed${code === null ? '' : ` with exit code ${code}`}. Try it in a terminal.`,
  doesNotOpen:
    'This key does not open the secrets in the shared database: they were sealed with another one. Give each replica the key with which the first was started.',
} as const;
