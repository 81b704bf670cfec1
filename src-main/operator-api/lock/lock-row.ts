import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { EventType } from '../../../src-shared/event-types.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import { operatorLock } from '../tables.ts';

/** The lock as it is stored: its passphrase's hash, its settings, and the wrong attempts. */
export type KeptLock = typeof operatorLock.$inferSelect;

export const LOCK_ID = 'lock';

export interface LockEvent {
  type: Extract<EventType, `lock.${string}` | 'console.locked' | 'console.unlocked'>;
  body?: Record<string, string>;
  at: number;
}

/** The stored lock. It is undefined while there is no passphrase. */
export async function readLock(reader: Reader): Promise<KeptLock | undefined> {
  const [kept] = await reader.select().from(operatorLock).where(eq(operatorLock.id, LOCK_ID));
  return kept;
}

/** The passphrase is still the one of `kept`. */
const isStill = ({ hash }: KeptLock): SQL | undefined => and(eq(operatorLock.id, LOCK_ID), eq(operatorLock.hash, hash));

/** Stores the first passphrase. @returns false when there is one. */
export async function insertLock(tx: Tx, row: KeptLock, at: number): Promise<boolean> {
  const stored = await tx.insert(operatorLock).values(row).onConflictDoNothing().returning({ id: operatorLock.id });
  if (stored.length > 0) await append(tx, { type: 'lock.set', at });
  return stored.length > 0;
}

/**
 * Stores a change and its event.
 * @param checked is the row with the passphrase that allowed the change.
 * @returns the row as it is now. It is undefined when that passphrase holds no more, or there is none. Then nothing is
 * stored.
 */
export async function changeLock(
  tx: Tx,
  change: Partial<KeptLock>,
  event: LockEvent | undefined,
  checked: KeptLock | undefined,
): Promise<KeptLock | undefined> {
  const isIt = checked === undefined ? eq(operatorLock.id, LOCK_ID) : isStill(checked);
  const [row] =
    Object.keys(change).length === 0
      ? await tx.select().from(operatorLock).where(isIt)
      : await tx.update(operatorLock).set(change).where(isIt).returning();
  if (row !== undefined && event !== undefined) await append(tx, event);
  return row;
}

/**
 * Counts an attempt to open the lock.
 * @param kept is the row by which it was decided that the attempt does not come too early.
 * @returns the row as it is now. It is undefined when somebody has changed it since. Then nothing is counted.
 */
export async function countAttempt(tx: Tx, kept: KeptLock, at: number): Promise<KeptLock | undefined> {
  const { wrongAttempts, lastAttemptAt } = kept;
  const last = lastAttemptAt === null ? isNull(operatorLock.lastAttemptAt) : eq(operatorLock.lastAttemptAt, lastAttemptAt);
  const [counted] = await tx
    .update(operatorLock)
    .set({ wrongAttempts: wrongAttempts + 1, lastAttemptAt: at })
    .where(and(isStill(kept), eq(operatorLock.wrongAttempts, wrongAttempts), last))
    .returning();
  return counted;
}

/** Removes the passphrase that was checked. @returns false when it holds no more. */
export async function removeLock(tx: Tx, checked: KeptLock, at: number): Promise<boolean> {
  const removed = await tx.delete(operatorLock).where(isStill(checked)).returning({ id: operatorLock.id });
  if (removed.length > 0) await append(tx, { type: 'lock.removed', at });
  return removed.length > 0;
}

/**
 * Removes the passphrase without asking for it. With books in a data folder the node must not be running, because a
 * running one would not notice.
 * @returns whether there was a passphrase.
 */
export async function forgetLock(database: Database, clock: Clock): Promise<boolean> {
  const at = clock.now();
  return await database.write(async (tx) => {
    const removed = await tx.delete(operatorLock).returning({ id: operatorLock.id });
    if (removed.length > 0) await append(tx, { type: 'lock.removed', body: { by: 'command' }, at });
    return removed.length > 0;
  });
}

const append = (tx: Tx, event: LockEvent): Promise<void> => appendEvent(tx, { ...event, subject: LOCK_ID });
