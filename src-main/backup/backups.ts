import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import type { BackupPlace, BackupProblem } from '../../src-shared/operator-contract/backups.ts';
import type { AuditBook } from '../audit/audit-book.ts';
import { appendEvent } from '../journal/events.ts';
import type { Core } from '../platform/core.ts';
import { freeRoom } from '../platform/disk/room.ts';
import { newId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { keyIdOf, type StoredSecrets } from '../platform/secrets/node-secrets.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { lastBackup, type MadeBackup, noteBackup } from './backup-book.ts';
import { backupSchedule } from './tables.ts';
import type { MakeTask } from './tasks.ts';
import { clearUnfinished, noteUnfinished, PART } from './unfinished.ts';

type Target = Pick<MakeTask, 'file' | 'passphrase' | 'head'>;
type BackupSchedule = Omit<typeof backupSchedule.$inferSelect, 'passphrase' | 'id'>;

/** What backups are made of. */
export interface Source {
  /** The bytes that the books take where they are. */
  bytes(): Promise<number>;
  /** Makes a backup of them. It is verified before it gets its name. */
  copy(target: Target): Promise<Result<unknown, BackupProblem>>;
  /** This process among the replicas that share the books, whose disks are their own. It is null where none do. */
  place: BackupPlace | null;
}

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  books: Source;
  /** Whether this process makes the scheduled backups, for all replicas. */
  isMine: () => boolean;
  dataFolder: string;
  /** Reads the node's secrets when they are needed. */
  secrets: () => StoredSecrets;
  version: string;
  seal: Seal;
  /** The damage in the books. */
  audit: Pick<AuditBook, 'damages'>;
  /** Tests only: the room on the disk of a folder, in bytes. */
  room?: (folder: string) => number;
}

/** The purpose for which the passphrase of the schedule is sealed. */
export const SCHEDULE_PURPOSE = 'backup-schedule';
const HOUR_MS = 60 * 60_000;
/** The wait of the next attempt after a failure, in milliseconds. */
const RETRY_MS = 10 * 60_000;
/** The most bytes before the database in a backup. */
const MOST_HEAD = 64 * 1024;
/** The time in the name of a backup. */
const TIME = /^\d{4}-\d\d-\d\d-\d{6}$/;

/** Makes backups when the operator asks for one and by a schedule, and tells the last one. */
export class Backups {
  readonly #parts: Parts;
  #busy = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async last(): Promise<MadeBackup | undefined> {
    return await lastBackup(this.#parts.database.read);
  }

  async schedule(): Promise<BackupSchedule | undefined> {
    const [row] = await this.#parts.database.read.select().from(backupSchedule);
    if (row === undefined) return undefined;
    const { folder, everyHours, keep, dueAt, problem } = row;
    return { folder, everyHours, keep, dueAt, problem };
  }

  /** Makes a backup in `folder` now. It is verified before it gets its name. Only one backup is made at a time. */
  async make({ folder, passphrase }: { folder: string; passphrase: string }): Promise<Result<MadeBackup, BackupProblem>> {
    return await this.#make(folder, passphrase);
  }

  /** Sets the schedule: a backup every `everyHours` hours, the first one now. */
  async setSchedule(wanted: { folder: string; everyHours: number; keep: number; passphrase: string }): Promise<Result<void, 'no_folder'>> {
    if (!(await isWritableFolder(wanted.folder))) return refuse('no_folder');
    const now = this.#parts.clock.now();
    const row = { ...wanted, passphrase: this.#parts.seal.seal(wanted.passphrase, SCHEDULE_PURPOSE), dueAt: now, problem: null };
    await this.#parts.database.write(async (tx) => {
      await tx
        .insert(backupSchedule)
        .values({ id: 'schedule', ...row })
        .onConflictDoUpdate({ target: backupSchedule.id, set: row });
      await appendEvent(tx, { type: 'backup.scheduled', subject: 'schedule', body: { everyHours: String(wanted.everyHours) }, at: now });
    });
    void this.runDue();
    return ok(undefined);
  }

  async removeSchedule(): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.database.write(async (tx) => {
      const removed = await tx.delete(backupSchedule).returning({ id: backupSchedule.id });
      if (removed.length > 0) await appendEvent(tx, { type: 'backup.unscheduled', subject: 'schedule', at: now });
    });
  }

  /**
   * Makes the scheduled backup if it is due, where this is the process that makes them. The node calls it about every
   * minute. It never throws.
   */
  async runDue(): Promise<void> {
    const { database, clock, seal, log, isMine } = this.#parts;
    if (!isMine()) return;
    const now = clock.now();
    try {
      const [due] = await database.read.select().from(backupSchedule);
      if (due === undefined || !isDue(due, now)) return;
      const passphrase = seal.open(due.passphrase, SCHEDULE_PURPOSE);
      const turn = { dueAt: due.dueAt, next: now + due.everyHours * HOUR_MS };
      const made = passphrase === undefined ? refuse('not_made' as const) : await this.#make(due.folder, passphrase, turn);
      if (made.ok) return await this.#removeOld(made.value.file, due.keep);
      const problem = made.error;
      // An earlier call may still be making this backup. The next call comes soon.
      if (problem === 'busy') return;
      await database.write(async (tx) => {
        await tx
          .update(backupSchedule)
          .set({ dueAt: now + RETRY_MS, problem })
          .where(isStillDue(due));
        // The event is appended once, and not with every further attempt that fails in the same way.
        if (problem !== due.problem)
          await appendEvent(tx, { type: 'backup.failed', subject: 'schedule', body: { reason: problem }, at: now });
      });
    } catch (error) {
      log.error({ err: error }, 'the scheduled backup failed');
    }
  }

  /**
   * Makes a backup.
   * @param turn the time at which the schedule had this one due, and the next. It is undefined when the operator asked
   * for the backup.
   */
  async #make(folder: string, passphrase: string, turn?: { dueAt: number; next: number }): Promise<Result<MadeBackup, BackupProblem>> {
    const { database, books, dataFolder, secrets, version, clock, log, audit, room = freeRoom } = this.#parts;
    if (!(await isWritableFolder(folder))) return refuse('no_folder');
    if (this.#busy) return refuse('busy');
    // A backup of damaged books would be taken for a good one, and push the good ones out.
    if (audit.damages.length > 0) return refuse('books_damaged');
    this.#busy = true;
    const createdAt = clock.now();
    try {
      const head = { createdAt: new Date(createdAt).toISOString(), version, secrets: secrets() };
      const mark = markOf(head.secrets);
      const file = await freeName(folder, createdAt, mark);
      await removeParts(folder, mark, books.place === null ? undefined : createdAt);
      if (room(folder) < roomOfBackup(await books.bytes())) return refuse('no_room');
      noteUnfinished(dataFolder, file);
      const copied = await books.copy({ file, passphrase, head });
      if (!copied.ok) return copied;
      const scheduled = turn !== undefined;
      const made: MadeBackup = { id: newId(), file, bytes: (await stat(file)).size, scheduled, createdAt, place: books.place };
      await database.write(async (tx) => {
        await noteBackup(tx, made);
        if (turn !== undefined) await tx.update(backupSchedule).set({ dueAt: turn.next, problem: null }).where(isStillDue(turn));
      });
      return ok(made);
    } catch (error) {
      log.error({ err: error }, 'a backup could not be made');
      return refuse('not_made');
    } finally {
      clearUnfinished(dataFolder);
      this.#busy = false;
    }
  }

  /**
   * Removes the oldest backups of this node beyond `keep`, but never `made`. When the clock was ahead, older backups
   * have later names than `made`. Files of other nodes, and of versions that did not write the mark, stay. `made` is
   * good: a backup of damaged books is not made.
   */
  async #removeOld(made: string, keep: number): Promise<void> {
    const folder = dirname(made);
    const mark = markOf(this.#parts.secrets());
    const others = (await readdir(folder)).filter((name) => isOwnFile(name, mark) && name !== basename(made)).toSorted();
    for (const name of others.slice(0, Math.max(0, others.length - keep + 1))) await rm(join(folder, name), { force: true });
  }

  /**
   * Whether a backup lies on the same disk as the books, as far as the system tells; false for a missing folder. The
   * server of a shared database has a disk of its own, of which it tells nothing.
   */
  async isOnDiskOfNode({ file }: Pick<MadeBackup, 'file'>): Promise<boolean> {
    if (this.#parts.books.place !== null) return false;
    try {
      const [folder, node] = await Promise.all([stat(dirname(file)), stat(this.#parts.dataFolder)]);
      return folder.dev === node.dev;
    } catch {
      return false;
    }
  }
}

/**
 * Tells whether the scheduled backup is due. A due time that is further away than the schedule ever sets it comes from
 * a clock that was ahead, so that backup is due too. The hour of tolerance allows for a clock that is set back by a
 * little.
 */
const isDue = ({ dueAt, everyHours }: Pick<BackupSchedule, 'dueAt' | 'everyHours'>, now: number): boolean =>
  dueAt <= now || dueAt > now + (everyHours + 1) * HOUR_MS;

/** Selects the schedule only when nobody has changed it since it was read. */
const isStillDue = ({ dueAt }: { dueAt: number }) => and(eq(backupSchedule.id, 'schedule'), eq(backupSchedule.dueAt, dueAt));

/**
 * @returns a path in `folder` where no file is. The second of two backups of one second is named after the next second.
 */
export async function freeName(folder: string, at: number, mark: string): Promise<string> {
  const file = join(folder, fileName(at, mark));
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  return isTaken ? await freeName(folder, at + 1_000, mark) : file;
}

/**
 * @returns a name such as `paydesk-2026-11-21-193000-1f0c9a7be2d4.age`. The order of the names of one node is the order
 * of time.
 */
function fileName(at: number, mark: string): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  return `paydesk-${day}-${time.slice(0, 8).replaceAll(':', '')}-${mark}.age`;
}

/**
 * The mark of a node's backups among those of others in the same folder: 48 bits that follow from its key. A restored
 * node has another key, so it leaves alone the files of the node that it replaced.
 */
export const markOf = (secrets: StoredSecrets): string => hash('sha256', `paydesk/backups/${keyIdOf(secrets)}`, 'hex').slice(0, 12);

/** The most that a backup of this many bytes takes: its encryption adds a thousandth, and its head a little. */
export const roomOfBackup = (bytes: number): number => Math.ceil(bytes * 1.001) + MOST_HEAD;

/**
 * Removes backups of this node that did not end, such as one to a disk that was taken out meanwhile.
 * @param sharedAt is the time now, in milliseconds, where another replica may make one. Those of the last hour stay.
 */
export async function removeParts(folder: string, mark: string, sharedAt?: number): Promise<void> {
  const newest = sharedAt === undefined ? undefined : fileName(sharedAt - HOUR_MS, mark);
  for (const part of await readdir(folder)) {
    const name = part.slice(0, -PART.length);
    if (!part.endsWith(PART) || !isOwnFile(name, mark)) continue;
    if (newest === undefined || name < newest) await rm(join(folder, part), { force: true });
  }
}

function isOwnFile(name: string, mark: string): boolean {
  const [before, after] = ['paydesk-', `-${mark}.age`];
  return name.startsWith(before) && name.endsWith(after) && TIME.test(name.slice(before.length, -after.length));
}

async function isWritableFolder(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return isAbsolute(folder) && (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
