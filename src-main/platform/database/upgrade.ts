import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { databaseProblems as problems } from '../../../src-shared/words/terminal/starting.ts';
import { renameDurably } from '../disk/durable-names.ts';
import { freeRoom } from '../disk/room.ts';
import { ReportedError } from '../errors.ts';
import { failPoint } from '../fail-points.ts';
import type { Logger } from '../logs/logger.ts';
import { version } from '../version.ts';
import { connect } from './connection.ts';
import { dueMigrations, hasMigrations, migrate, UpgradeWatch } from './migrate.ts';
import { sizeOfDatabase } from './space.ts';

/**
 * The room that an upgrade may take, in sizes of the database: one for the copy, and the rest for what is written
 * anew. With 10^6 payments, a migration that rebuilt every table took 1.13.
 */
const ROOM_TAKEN = 2.25;
const ROOM_OF_COPY = 1;

const COPY = /^before-upgrade-.*\.db$/;
const UNFINISHED = 'before-upgrade.part';
/** Says which file the copy was made of, until the upgrade has succeeded. */
const NOTE = 'before-upgrade.note';

export interface UpgradeOptions {
  /** The log of the upgrade: what it does, how far it is and how long it took. */
  log?: Pick<Logger, 'info'> | undefined;
  /** Tests only: the room on the disk of a folder, in bytes. */
  room?: (folder: string) => number;
}

/**
 * Brings a database to the newest schema. A database that has books is copied first, into `before-upgrade-….db` beside
 * it; the copy before that one is removed. A crash at any moment leaves the old database or the upgraded one. When the
 * upgrade fails, the next start uses the same copy, unless somebody has written the database or the copy meanwhile.
 *
 * Nobody else may have the file open.
 * @throws ReportedError when a newer paydesk has written the database, when the disk has too little room, when the
 * database is damaged, and when its references would be broken. The database is then as it was.
 */
export function upgrade(file: string, migrationsFolder: string, { log, room = freeRoom }: UpgradeOptions = {}): void {
  const isDue = on(file, (connection) => hasMigrations(connection) && dueMigrations(connection, migrationsFolder).length > 0);
  const watch = new UpgradeWatch(log);
  if (isDue) {
    const isCopied = hasCopy(file);
    refuseWithoutRoom(file, isCopied ? ROOM_TAKEN - ROOM_OF_COPY : ROOM_TAKEN, room);
    const copy = copyOf(file);
    if (isCopied) log?.info({ copy }, 'the database was copied at an earlier start, whose upgrade did not succeed');
    else {
      log?.info({ megabytes: megabytesOf(file) }, 'the database is copied before its upgrade');
      keepCopy(file);
    }
    log?.info({ copy, seconds: watch.seconds }, 'the database is upgraded');
  }
  on(file, (connection) => migrate(connection, migrationsFolder, isDue ? watch.tell : undefined));
  rmSync(noteOf(file), { force: true });
  if (isDue) log?.info({ seconds: watch.seconds }, 'the database has the schema of this version');
}

function on<T>(file: string, work: (connection: Sqlite.Database) => T): T {
  const connection = connect(file);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** Refuses an upgrade without enough room. @param sizes the room that it needs, in sizes of the database. */
function refuseWithoutRoom(file: string, sizes: number, room: (folder: string) => number): void {
  const [needed, free] = [sizes * sizeOfDatabase(file), room(dirname(file))];
  if (free < needed) throw new ReportedError(problems.noRoomToUpgrade(needed, free));
}

const copyOf = (file: string): string => join(dirname(file), `before-upgrade-${version}.db`);
const noteOf = (file: string): string => join(dirname(file), NOTE);

/** Whether the copy is the one that an earlier start made of exactly this database. A failed upgrade writes neither. */
function hasCopy(file: string): boolean {
  const [copy, note] = [copyOf(file), noteOf(file)];
  return existsSync(copy) && existsSync(note) && readFileSync(note, 'utf8') === writingsOf(file, copy);
}

/**
 * Tells files apart, and one file before and after it was written. Unlike the time of its content, the time at which a
 * file last changed in any way (`ctime`) cannot be set.
 */
const writingsOf = (...files: string[]): string =>
  files.map((file) => statSync(file, { bigint: true })).reduce((told, { ino, size, ctimeNs }) => `${told}${ino} ${size} ${ctimeNs}\n`, '');

/**
 * Copies a database that nobody has open, and verifies the copy before it gets its name.
 * @throws ReportedError when the copy is damaged, because the database is.
 */
function keepCopy(file: string): void {
  const [folder, copy] = [dirname(file), copyOf(file)];
  const unfinished = join(folder, UNFINISHED);
  // The last connection writes the log into the file when it closes. When it could not, the file is not everything.
  if (sizeOfDatabase(file) !== statSync(file).size) throw new ReportedError(problems.notWritten);
  for (const left of [unfinished, `${unfinished}-journal`]) rmSync(left, { force: true });
  failPoint('upgrade-step');
  // A file system that can do so shares the bytes of the two files, so that the copy takes neither time nor room.
  copyFileSync(file, unfinished, constants.COPYFILE_FICLONE);
  failPoint('upgrade-step');
  verify(unfinished);
  failPoint('upgrade-step');
  renameDurably(unfinished, copy);
  failPoint('upgrade-step');
  for (const other of readdirSync(folder)) if (COPY.test(other) && other !== basename(copy)) rmSync(join(folder, other), { force: true });
  // When a power cut takes the note, the next start copies the database once more.
  writeFileSync(noteOf(file), writingsOf(file, copy), { mode: 0o600 });
}

/** Makes the copy a file that needs none beside it, checks its structure, and waits until the disk has it. */
function verify(copy: string): void {
  const connection = new Sqlite(copy);
  try {
    connection.pragma('journal_mode = DELETE');
    if (connection.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new ReportedError(problems.damaged);
  } finally {
    connection.close();
  }
  const descriptor = openSync(copy, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const megabytesOf = (file: string): number => Math.ceil(sizeOfDatabase(file) / 1e6);
