import type { Tx } from '../platform/database/database.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import { SCHEDULE_PURPOSE } from './backups.ts';
import { backupSchedule } from './tables.ts';

/**
 * Seals the passphrase of scheduled backups with a new key, within the caller's write job. When the old key does not
 * open the passphrase, the schedule is removed.
 */
export async function resealSchedule(tx: Tx, { from, to }: { from: Seal; to: Seal }): Promise<void> {
  const [schedule] = await tx.select().from(backupSchedule);
  const passphrase = schedule && from.open(schedule.passphrase, SCHEDULE_PURPOSE);
  if (passphrase === undefined) await tx.delete(backupSchedule);
  else await tx.update(backupSchedule).set({ passphrase: to.seal(passphrase, SCHEDULE_PURPOSE) });
}
