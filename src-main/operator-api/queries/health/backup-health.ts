import { min } from 'drizzle-orm';
import type { HealthCheck } from '../../../../src-shared/operator-contract/node.ts';
import { prepared, type Reader } from '../../../platform/database/database.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';

const DAY_MS = 24 * 60 * 60_000;
/** After this a backup is too old to be of much help. */
const OLD_MS = 7 * DAY_MS;

const oldest = prepared((reader: Reader) =>
  reader
    .select({ at: min(walletAddresses.createdAt) })
    .from(walletAddresses)
    .prepare(),
);

/** Whether there is a backup worth having; nothing while there is hardly anything to lose. */
export async function backupHealth({ backups, clock, database }: OperatorContext): Promise<HealthCheck[]> {
  const now = clock.now();
  const [last, schedule, [first]] = await Promise.all([backups.last(), backups.schedule(), oldest(database.read).execute()]);
  if (schedule !== undefined && schedule.problem !== null)
    return [warning('The last scheduled backup could not be made. See under Settings why.')];
  if (last === undefined) {
    const began = first?.at ?? null;
    if (began === null || now - Number(began) < DAY_MS) return [];
    return [warning('There is no backup yet. If this computer is lost, so are your books. Make one under Settings.')];
  }
  // The clock may have been set back since.
  const ageMs = Math.max(0, now - last.createdAt);
  const days = Math.floor(ageMs / DAY_MS);
  if (ageMs > OLD_MS) return [warning(`The last backup is ${days} days old. Make one under Settings, or set a schedule there.`)];
  const age = days === 0 ? 'less than a day' : days === 1 ? 'one day' : `${days} days`;
  return [{ name: 'backup', state: 'good', words: `The last backup is ${age} old.` }];
}

const warning = (words: string): HealthCheck => ({ name: 'backup', state: 'warning', words });
