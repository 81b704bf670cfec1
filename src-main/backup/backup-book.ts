import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { BackupPlace } from '../../src-shared/operator-contract/backups.ts';
import { appendEvent } from '../journal/events.ts';
import { events } from '../journal/tables.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import type { Column } from '../platform/database/schema.ts';
import { backups } from './tables.ts';

type StoredBackup = typeof backups.$inferSelect;

export interface MadeBackup extends StoredBackup {
  /** The replica that made it. It is null for books in a data folder, and where an earlier version made the backup. */
  place: BackupPlace | null;
}

/**
 * Notes a backup that was made, in place of the one before. Nobody asks about earlier ones, and a schedule makes one
 * each hour for years.
 */
export async function noteBackup(tx: Tx, { place, ...row }: MadeBackup): Promise<void> {
  await tx.insert(backups).values(row);
  await tx.delete(backups).where(ne(backups.id, row.id));
  const body = { file: row.file, bytes: String(row.bytes), ...(place && { replica: place.name, host: place.host }) };
  await appendEvent(tx, { type: 'backup.made', subject: row.id, body, at: row.createdAt });
}

/** The newest backup. Its event says where it was made (decisions.md#D-199). */
export async function lastBackup(read: Pick<Reader, 'select'>): Promise<MadeBackup | undefined> {
  const [found] = await read
    .select({ row: backups, body: events.body })
    .from(backups)
    .leftJoin(events, and(eq(events.subject, backups.id), eq(events.type, 'backup.made')))
    .orderBy(desc(backups.createdAt))
    .limit(1);
  if (found === undefined) return undefined;
  const { replica: name, host } = found.body ?? {};
  return { ...found.row, place: name === undefined || host === undefined ? null : { name, host } };
}

/** Whether `subject` is another thing than the backup that {@link lastBackup} tells. */
export const isNotLastBackup = (subject: Column): SQL => sql`not exists (select 1 from ${backups} where ${backups.id} = ${subject})`;
