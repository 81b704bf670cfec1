import { min } from 'drizzle-orm';
import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import { DAY_MS, OLD_BACKUP_MS } from '../../../../src-shared/warning-times.ts';
import { prepared, type Reader } from '../../../platform/database/database.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';

const oldest = prepared((reader: Reader) =>
  reader
    .select({ at: min(walletAddresses.createdAt) })
    .from(walletAddresses)
    .prepare(),
);

/**
 * Checks whether there is a recent backup. It reports nothing while there is hardly anything to lose.
 *
 * A shared database is backed up by its server as well, so that only what the operator has asked of the node is missed
 * there (decisions.md#D-196).
 */
export async function backupHealth({ backups, clock, database, shared }: OperatorContext): Promise<HealthCheck[]> {
  const now = clock.now();
  const [last, schedule, [first]] = await Promise.all([backups.last(), backups.schedule(), oldest(database.read).execute()]);
  // The clock may have been set back since the backup.
  const ageMs = last && Math.max(0, now - last.createdAt);
  const days = ageMs === undefined ? null : Math.floor(ageMs / DAY_MS);
  if (schedule !== undefined && schedule.problem !== null) return [{ name: 'backup', state: 'warning', finding: 'failed', days }];
  if (last === undefined || ageMs === undefined) {
    const began = first?.at ?? null;
    if (shared !== undefined || began === null || now - Number(began) < DAY_MS) return [];
    return [{ name: 'backup', state: 'warning', finding: 'none', days }];
  }
  if (ageMs > OLD_BACKUP_MS) {
    const isMissed = shared === undefined || schedule !== undefined || !isRecent((await shared.aboutServer()).archivedAt, now);
    return isMissed ? [{ name: 'backup', state: 'warning', finding: 'old', days }] : [];
  }
  return [
    (await backups.isOnDiskOfNode(last))
      ? { name: 'backup', state: 'warning', finding: 'same_disk', days }
      : { name: 'backup', state: 'good', finding: 'recent', days },
  ];
}

const isRecent = (at: number | null, now: number): boolean => at !== null && now - at <= OLD_BACKUP_MS;
