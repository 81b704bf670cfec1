import { constants } from 'node:fs';
import { access, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { and, desc, eq } from 'drizzle-orm';
import type { BackupProblem } from '../../src-shared/operator-contract/backups.ts';
import { appendEvent } from '../journal/events.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Logger } from '../platform/logs/logger.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { StoredSecrets } from '../platform/secrets/node-secrets.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { backupSchedule, backups } from './tables.ts';
import type { MakeBackup } from './tasks.ts';

export type MadeBackup = typeof backups.$inferSelect;
export type BackupSchedule = Omit<typeof backupSchedule.$inferSelect, 'passphrase' | 'id'>;

interface Parts {
  database: Database;
  /** The node's database and the folder of its files. */
  databaseFile: string;
  dataFolder: string;
  /** The node's secrets as they are stored, read when they are needed. */
  secrets: () => StoredSecrets;
  version: string;
  seal: Seal;
  clock: Clock;
  log: Logger;
  makeBackup: MakeBackup;
}

/** What the passphrase of the schedule is sealed for. */
export const SCHEDULE_PURPOSE = 'backup-schedule';
const HOUR_MS = 60 * 60_000;
/** How long after a failure the next attempt waits. */
const RETRY_MS = 10 * 60_000;
/** Only files of this form are ever removed. */
const OWN_FILE = /^paydesk-\d{4}-\d\d-\d\d-\d{6}\.age$/;

/** Makes backups, by hand and by itself, and knows the last one. */
export class Backups {
  readonly #parts: Parts;
  #busy = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async last(): Promise<MadeBackup | undefined> {
    const [row] = await this.#parts.database.read.select().from(backups).orderBy(desc(backups.createdAt)).limit(1);
    return row;
  }

  async schedule(): Promise<BackupSchedule | undefined> {
    const [row] = await this.#parts.database.read.select().from(backupSchedule);
    if (row === undefined) return undefined;
    const { folder, everyHours, keep, dueAt, problem } = row;
    return { folder, everyHours, keep, dueAt, problem };
  }

  /** Makes one in `folder` now, verified before it has its name. One at a time. */
  async make({ folder, passphrase }: { folder: string; passphrase: string }): Promise<Result<MadeBackup, BackupProblem>> {
    return await this.#make(folder, passphrase);
  }

  /** Has one made every `everyHours`, the first one now. */
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

  /** Makes the scheduled one if it is due. Call it every minute or so; it never throws. */
  async runDue(): Promise<void> {
    const { database, clock, seal, log } = this.#parts;
    const now = clock.now();
    try {
      const [due] = await database.read.select().from(backupSchedule);
      if (due === undefined || !isDue(due, now)) return;
      const passphrase = seal.open(due.passphrase, SCHEDULE_PURPOSE);
      const turn = { dueAt: due.dueAt, next: now + due.everyHours * HOUR_MS };
      const made = passphrase === undefined ? refuse('not_made' as const) : await this.#make(due.folder, passphrase, turn);
      if (made.ok) return await this.#removeOld(made.value.file, due.keep);
      const problem = made.error;
      // It may be this very one that is still being made; the next look comes soon.
      if (problem === 'busy') return;
      await database.write(async (tx) => {
        await tx
          .update(backupSchedule)
          .set({ dueAt: now + RETRY_MS, problem })
          .where(isStillDue(due));
        // Told once, not with every further attempt.
        if (problem !== due.problem)
          await appendEvent(tx, { type: 'backup.failed', subject: 'schedule', body: { reason: problem }, at: now });
      });
    } catch (error) {
      log.error({ err: error }, 'the scheduled backup failed');
    }
  }

  /** @param turn when the schedule had it made, and when it has the next one made */
  async #make(folder: string, passphrase: string, turn?: { dueAt: number; next: number }): Promise<Result<MadeBackup, BackupProblem>> {
    const { database, databaseFile, dataFolder, secrets, version, clock, log, makeBackup } = this.#parts;
    if (!(await isWritableFolder(folder))) return refuse('no_folder');
    if (this.#busy) return refuse('busy');
    this.#busy = true;
    const createdAt = clock.now();
    try {
      const file = await freeName(folder, createdAt);
      const head = { createdAt: new Date(createdAt).toISOString(), version, secrets: secrets() };
      await makeBackup({ kind: 'make', databaseFile, file, workFolder: dataFolder, passphrase, head });
      const row: MadeBackup = { id: newId(), file, bytes: (await stat(file)).size, scheduled: turn !== undefined, createdAt };
      await database.write(async (tx) => {
        await tx.insert(backups).values(row);
        if (turn !== undefined) await tx.update(backupSchedule).set({ dueAt: turn.next, problem: null }).where(isStillDue(turn));
        await appendEvent(tx, { type: 'backup.made', subject: row.id, body: { file, bytes: String(row.bytes) }, at: createdAt });
      });
      return ok(row);
    } catch (error) {
      log.error({ err: error }, 'a backup could not be made');
      return refuse('not_made');
    } finally {
      this.#busy = false;
    }
  }

  /** Leaves `made` in its folder whatever its name is: a clock that was ahead has named older ones later. */
  async #removeOld(made: string, keep: number): Promise<void> {
    const folder = dirname(made);
    const others = (await readdir(folder)).filter((name) => OWN_FILE.test(name) && name !== basename(made)).toSorted();
    for (const name of others.slice(0, Math.max(0, others.length - keep + 1))) await rm(join(folder, name), { force: true });
  }
}

/** Further away than it is ever put is what a clock that was ahead has left; an hour more or less is nothing to do about. */
const isDue = ({ dueAt, everyHours }: Pick<BackupSchedule, 'dueAt' | 'everyHours'>, now: number): boolean =>
  dueAt <= now || dueAt > now + (everyHours + 1) * HOUR_MS;

/** The schedule, unless it was changed meanwhile: then it is left alone. */
const isStillDue = ({ dueAt }: { dueAt: number }) => and(eq(backupSchedule.id, 'schedule'), eq(backupSchedule.dueAt, dueAt));

/** A name that nothing in `folder` has: of two made in one second the other one is named after the next. */
async function freeName(folder: string, at: number): Promise<string> {
  const file = join(folder, fileName(at));
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  return isTaken ? await freeName(folder, at + 1_000) : file;
}

/** Such as `paydesk-2026-11-21-193000.age`: by name in the order of time. */
function fileName(at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  return `paydesk-${day}-${time.slice(0, 8).replaceAll(':', '')}.age`;
}

async function isWritableFolder(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return isAbsolute(folder) && (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
