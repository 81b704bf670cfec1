import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import { appendGrantEvent } from '../grant-rows.ts';
import { grants, waits } from '../tables.ts';
import type { Waiting } from './places.ts';

const AT_ONCE = 100;

/**
 * Stores which grant requests have lapsed, so that the console learns it. Nothing else depends on it: a grant request
 * whose time has passed counts as lapsed wherever it is read. The caller calls it every few seconds.
 */
export async function sweepLapsed(database: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  const due = and(waits, lte(grants.lapsesAt, now));
  const [first] = await database.read.select({ id: grants.id }).from(grants).where(due).limit(1);
  if (first === undefined) return;
  await database.write(async (tx) => {
    const lapsed = await tx.select({ id: grants.id }).from(grants).where(due).limit(AT_ONCE);
    const ids = lapsed.map(({ id }) => id);
    await lapse(tx, ids, now);
  });
}

/** Ends grant requests that wait, in the write that needs their places. */
export async function lapse(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  for (const grant of await tx
    .update(grants)
    .set({ state: 'lapsed' })
    .where(and(waits, inArray(grants.id, [...ids])))
    .returning()) {
    await appendGrantEvent(tx, 'grant.lapsed', grant, {}, now);
  }
}

/** Reads the grant requests that wait for a decision at a moment. `places.ts` bounds how many they are. */
export async function readWaiting(reader: Reader, now: number): Promise<Waiting[]> {
  const { id, clientId, openedAt, createdAt } = grants;
  return await reader
    .select({ id, clientId, openedAt, createdAt })
    .from(grants)
    .where(and(waits, eq(grants.state, 'pending'), gt(grants.lapsesAt, now)));
}
