import { BACKUP_PROBLEMS, type Backup, type BackupProblem, type BackupSchedule } from '../../../src-shared/operator-contract/backups.ts';
import type { MadeBackup } from '../../backup/backup-book.ts';
import type { Backups } from '../../backup/backups.ts';
import { operations } from './guarded-operations.ts';

const os = operations.backups;

export const backupsHandlers = os.router({
  status: os.status.handler(async ({ context }) => {
    const { backups } = context;
    const last = await backups.last();
    return {
      last: last === undefined ? null : await shown(backups, last),
      schedule: await shownSchedule(backups),
      suggestedFolder: context.backupFolder,
    };
  }),
  make: os.make.handler(async ({ context, input, errors }) => {
    const { backups } = context;
    const made = await backups.make(input);
    if (made.ok) return await shown(backups, made.value);
    switch (made.error) {
      case 'no_folder':
        throw errors.NO_FOLDER();
      case 'no_room':
        throw errors.NO_ROOM();
      case 'busy':
        throw errors.BUSY();
      case 'books_damaged':
        throw errors.BOOKS_DAMAGED();
      case 'too_large':
        throw errors.BOOKS_TOO_LARGE();
      case 'newer_version':
        throw errors.NEWER_BOOKS();
      case 'not_made':
        throw errors.NOT_MADE();
    }
  }),
  setSchedule: os.setSchedule.handler(async ({ context, input, errors }) => {
    const { backups } = context;
    const set = await backups.setSchedule(input);
    if (!set.ok) throw errors.NO_FOLDER();
    const schedule = await shownSchedule(backups);
    if (schedule === null) throw new Error('a schedule is gone right after it was set');
    return schedule;
  }),
  removeSchedule: os.removeSchedule.handler(async ({ context }) => {
    await context.backups.removeSchedule();
    return { removed: true as const };
  }),
});

async function shown(backups: Backups, made: MadeBackup): Promise<Backup> {
  const { file, bytes, scheduled, createdAt, place } = made;
  return { file, bytes, scheduled, createdAt: new Date(createdAt), onDiskOfNode: await backups.isOnDiskOfNode(made), place };
}

async function shownSchedule(backups: Backups): Promise<BackupSchedule | null> {
  const schedule = await backups.schedule();
  if (schedule === undefined) return null;
  const { folder, everyHours, keep, dueAt, problem } = schedule;
  return { folder, everyHours, keep, dueAt: new Date(dueAt), problem: problem === null ? null : known(problem) };
}

/** An earlier version may have stored another code. */
const known = (problem: string): BackupProblem => BACKUP_PROBLEMS.find((one) => one === problem) ?? 'not_made';
