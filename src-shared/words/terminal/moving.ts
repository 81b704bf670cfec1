import { counted, inMegabytes } from '../words.ts';

/** What the command `move` prints, and why it or a start of a node is refused around a move. */
export const movingWords = {
  toNeeded: 'Say where the books go: --to postgres://USER@HOST/NAME, or --to DIR for the data folder of a node with SQLite.',
  addressWrong:
    '--to must be a folder, or a URL such as postgres://paydesk@db.example:5432/paydesk with the name of the database. What was given is not repeated here, because it may hold a password.',
  twoDatabases:
    'The books can be moved from a data folder into a database, or from a database into a data folder. Leave out --database to move them out of a data folder.',
  fromNeeded: 'Name the database from which the books come, in PAYDESK_DATABASE or with --database.',
  noNode: (folder: string) => `There is no node in ${folder}. Name its folder with --data-dir.`,
  noNodeInDatabase: (where: string) => `There is no node in ${where}.`,
  nodeThere: (folder: string) => `There is a node in ${folder} already. Choose an empty folder with --to.`,
  notEmpty: (where: string) => `${where} has something in it already. Make an empty database for the move, with "create database".`,
  damaged:
    'The audit finds damage in these books, so they are not moved. Start the node where they are: its page Health says what is wrong.',
  /** @param table its name in the database */
  nul: (table: string) =>
    `A text in the table ${table} has a NUL character, which version 0.1.0 took from an app and PostgreSQL cannot store. These books cannot be moved to PostgreSQL.`,
  /** @param names what the operator calls them */
  running: (where: string, names: readonly string[]) => `Replicas run on ${where}: ${names.join(', ')}. Stop them first.`,
  writtenMeanwhile: (where: string) =>
    `A replica has written into ${where} while the books were copied. Nothing was moved. Stop all replicas, and give the command once more.`,
  /** @param needed and @param free in bytes */
  noRoom: (needed: number, free: number) =>
    `The books may need ${inMegabytes(needed)} MB on the disk of the new data folder, and ${inMegabytes(free)} MB are free. Make room, or choose another folder with --to.`,

  exportDamaged: 'The audit finds damage in these books, so they are not exported. The page Health of a replica says what is wrong.',
  /** @param most in bytes */
  tooLarge: (most: number) =>
    `These books are larger than ${inMegabytes(most)} MB, which is the most that is exported. Use pg_dump or the point-in-time recovery of the database server.`,

  /** Why no node starts in a folder, or on a database. */
  folderMoved: (folder: string, to: string) =>
    `The books of ${folder} were moved to ${to}. Start the node with --database and that address, and with another --data-dir. When that database says that a move has not ended, give the command move once more.`,
  folderUnfinished: (folder: string) =>
    `Books were being moved into ${folder} and are not there yet. Give the command move once more; it ends what was begun.`,
  databaseMoved: (where: string, to: string) =>
    `The books of ${where} were moved to ${to}. Start the node there, without --database. When that folder says that a move has not ended, give the command move once more.`,
  databaseMovedAway: (where: string) =>
    `The books of ${where} were moved into a data folder. A replica that starts with the key of this node says into which.`,
  databaseUnfinished: (where: string) =>
    `Books were being moved into ${where} and do not count yet. Give the command move once more; until it has ended, the node is still where it was.`,
  /** @param file says where the books went. */
  notThere: (where: string, to: string, file: string) =>
    `The books of this folder were moved to ${to}, and ${where} does not have them. Name that database with --to. If it is lost, and nothing has run on it, remove ${file} to go on with the books as they are here.`,

  copying: (table: string, done: number, of: number) => `Copying: ${done} of ${counted(of, 'row', 'rows')} (${table})`,
  comparing: (table: string, done: number, of: number) => `Comparing: ${done} of ${counted(of, 'row', 'rows')} (${table})`,
  checking: 'Checking the books …',
  serverRoom: (bytes: number) => `The server needs up to ${inMegabytes(bytes)} MB for these books; paydesk cannot see its disk.`,
  moved: (rows: number, tables: number, to: string) =>
    `${counted(rows, 'row', 'rows')} of ${counted(tables, 'table', 'tables')} are in ${to}. Each was read again and compared.`,
  logWhole: (entries: number) => `The activity log is whole: ${counted(entries, 'entry', 'entries')}.`,
  logBroken: (at: number) => `The activity log was not whole before, from entry ${at} on, and was moved as it is.`,
  ended: (to: string) => `A move that was cut short has ended: the books are in ${to}.`,
  already: (to: string) => `The books are in ${to} already.`,
  nowDatabase: (folder: string) =>
    `Start the replicas with --database and the same key. ${folder} is kept as it is, and no node starts there any more. If it has a folder "archive", copy that into the data folder of each replica.`,
  nowFolder: (folder: string) =>
    `Start the node on ${folder}, without --database. No replica starts on the database any more. If replicas had a folder "archive", copy it into ${folder}.`,
} as const;
