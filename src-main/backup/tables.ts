import { bool, index, int53, table, text, timestampMs } from '../platform/database/schema.ts';

/** Backups that were made and verified. Where the files are now is the operator's to know. */
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

/** When backups are made by themselves; at most one row. */
export const backupSchedule = table('backup_schedule', {
  /** Always `schedule`. */
  id: text('id').primaryKey(),
  folder: text('folder').notNull(),
  everyHours: int53('every_hours').notNull(),
  /** How many of its own files it leaves in the folder. */
  keep: int53('keep').notNull(),
  /** Encrypted under the node's key. */
  passphrase: text('passphrase').notNull(),
  dueAt: timestampMs('due_at').notNull(),
  /** Why the last one failed, as a code; null when it did not. */
  problem: text('problem'),
});
