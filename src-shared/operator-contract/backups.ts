import { owner, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';

/** A passphrase that is long enough that nobody finds it by trying. */
const BackupPassphrase = z
  .string()
  .min(12, 'The passphrase of a backup must have at least 12 characters.')
  .max(1024, 'The passphrase of a backup can have 1024 characters.');
const Folder = z.string().min(1).max(4096);

/**
 * Why a backup was not made. `no_folder`: the folder does not exist, its path is not absolute, or the node may not
 * write into it. `no_room`: its disk has less room than the backup needs. `busy`: another backup is being made.
 * `not_made`: the backup could not be written or did not verify; the log says more.
 * `books_damaged`: the books are damaged, and a backup would hold the damage. In a shared database only:
 * `too_large`: the books are larger than what is exported. `newer_version`: a newer version has added something to them
 * that would be missing.
 */
export const BACKUP_PROBLEMS = ['no_folder', 'no_room', 'busy', 'not_made', 'books_damaged', 'too_large', 'newer_version'] as const;
export type BackupProblem = (typeof BACKUP_PROBLEMS)[number];

/** A replica that makes backups. Files lie on its computer, unless its folder is one that several share. */
const BackupPlace = z.object({
  /** What the operator calls the replica. */
  name: z.string(),
  /** The name of its computer. */
  host: z.string(),
});
export type BackupPlace = z.infer<typeof BackupPlace>;

export const Backup = z.object({
  file: z.string(),
  bytes: z.number().int(),
  scheduled: z.boolean(),
  createdAt: z.date(),
  /** Whether it lies on the same disk as the node, as far as the system tells. It does not survive that disk then. */
  onDiskOfNode: z.boolean(),
  /** The replica that made it; null where the books are not shared, and where it is not known. */
  place: BackupPlace.nullable(),
});
export type Backup = z.infer<typeof Backup>;

export const BackupSchedule = z.object({
  folder: z.string(),
  everyHours: z.number().int(),
  /** How many backups the schedule leaves in the folder. */
  keep: z.number().int(),
  dueAt: z.date(),
  /** Why the last backup was not made; null when it was made. */
  problem: z.enum(BACKUP_PROBLEMS).nullable(),
});
export type BackupSchedule = z.infer<typeof BackupSchedule>;

const noFolder = {
  NO_FOLDER: { status: 400, message: texts.noBackupFolder },
};

export const backups = {
  status: reads(readers, 'The last backup, and the schedule for further ones.')
    .route({ method: 'GET', path: '/backups' })
    .output(z.object({ last: Backup.nullable(), schedule: BackupSchedule.nullable(), suggestedFolder: z.string() })),
  /** Makes a backup now. Before it answers, it opens the backup again to verify it. */
  make: does(owner, 'backups', 'backup.made', 'Makes a backup now, and opens it again to verify it before it answers.')
    .route({ method: 'POST', path: '/backups', successStatus: 201 })
    .input(z.object({ folder: Folder, passphrase: BackupPassphrase }))
    .errors({
      ...noFolder,
      NO_ROOM: { status: 409, message: texts.noRoomForBackup },
      BUSY: { status: 409, message: texts.backupBusy },
      BOOKS_DAMAGED: { status: 409, message: texts.backupBooksDamaged },
      BOOKS_TOO_LARGE: { status: 409, message: texts.backupTooLarge },
      NEWER_BOOKS: { status: 409, message: texts.backupNewerVersion },
      NOT_MADE: { status: 500, message: texts.backupNotMade },
    })
    .output(Backup),
  setSchedule: does(owner, 'backups', 'backup.scheduled', 'Sets where and how often the node makes backups.')
    .route({ method: 'PUT', path: '/backups/schedule' })
    .input(
      z.object({
        folder: Folder,
        passphrase: BackupPassphrase,
        everyHours: z.number().int().min(1).max(720),
        keep: z.number().int().min(1).max(365),
      }),
    )
    .errors(noFolder)
    .output(BackupSchedule),
  removeSchedule: does(owner, 'backups', 'backup.unscheduled', 'Ends the schedule. The backups that it made stay.')
    .route({ method: 'DELETE', path: '/backups/schedule' })
    .output(z.object({ removed: z.literal(true) })),
};
