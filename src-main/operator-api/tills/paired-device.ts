import type { TillError } from '../../../src-shared/operator-contract/devices/paired-tills.ts';
import type { Doer } from '../../journal/doer.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { tills } from '../tables.ts';

export type TillRow = typeof tills.$inferSelect;

/** Why a device is refused altogether. */
export type DeviceRefusal = Exclude<TillError, 'TILL_MAY_NOT'>;

/** A device that nobody has used for so long must be paired anew, in milliseconds: 90 days. */
const IDLE_MS = 90 * 86_400_000;

/** The device of a till that calls. */
export interface PairedDevice {
  readonly id: string;
  readonly name: string;
  /** The account into which it sells; null for every account. */
  readonly accountId: string | null;
  /** Why it is refused by now. It is undefined while it may go on. */
  refusalIn(reader: Reader): Promise<DeviceRefusal | undefined>;
}

/** Why the device with this secret is refused. It is undefined when it may sell. @param now in milliseconds. */
export function whyOut(row: TillRow | undefined, secretHash: string, now: number): DeviceRefusal | undefined {
  if (row === undefined || row.secretHash !== secretHash) return 'TILL_NOT_PAIRED';
  if (row.state === 'removed') return 'TILL_REMOVED';
  if (row.lastUsedAt !== null && now >= row.lastUsedAt + IDLE_MS) return 'TILL_NOT_PAIRED';
  return row.state === 'paused' ? 'TILL_PAUSED' : undefined;
}

/** What a till does stands in the activity log and in day closings under its name, as that of a cashier. */
export const doerOfTill = ({ id, name }: Pick<TillRow, 'id' | 'name'>): Doer => ({ kind: 'till', id, name, role: 'cashier' });
