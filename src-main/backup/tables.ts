import { bool, index, int53, table, text, timestampMs } from '../platform/database/schema.ts';

/** The newest backup that was made and verified. The operator may have moved the file since. */
export const backups = table(
  'backups',
  {
    id: text('id').primaryKey(),
    file: text('file').notNull(),
    bytes: int53('bytes').notNull(),
    scheduled: bool('scheduled').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [index('backups_age').on(t.createdAt)],
);

/** The schedule of backups. The table has at most one row. */
export const backupSchedule = table('backup_schedule', {
  /** Always `schedule`. */
  id: text('id').primaryKey(),
  folder: text('folder').notNull(),
  everyHours: int53('every_hours').notNull(),
  /** How many backups of its own the schedule keeps in the folder. */
  keep: int53('keep').notNull(),
  /** The passphrase of the backups, sealed with a key of the node. */
  passphrase: text('passphrase').notNull(),
  dueAt: timestampMs('due_at').notNull(),
  /** Why the last scheduled backup failed, as a code. It is null when it did not fail. */
  problem: text('problem'),
});
