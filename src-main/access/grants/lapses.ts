import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader, Tx } from '../../platform/database/database.ts';
import { appendGrantEvent } from '../grant-rows.ts';
import { grants, waits } from '../tables.ts';
import type { Waiting } from './places.ts';

const AT_ONCE = 100;

/** How long a grant request waits before anybody opens its page. Opening the page gives the operator more time. */
export const UNOPENED_MS = 5 * 60_000;
/** How long it waits for the operator after its page was opened. */
export const OPENED_MS = 10 * 60_000;
/** How long a client has to fetch its token after the approval. */
export const COLLECT_MS = 10 * 60_000;
/** Nothing lapses later than this. What does was stored by a clock that was ahead. */
const LONGEST_MS = Math.max(UNOPENED_MS, OPENED_MS, COLLECT_MS);

/**
 * Stores which grant requests have lapsed, so that the console learns it. Nothing else depends on it: a grant request
 * whose time has passed counts as lapsed wherever it is read. The caller calls it every few seconds.
 */
export async function sweepLapsed(database: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  const due = and(waits, lte(grants.lapsesAt, now));
  await shortenTooLong(database, now);
  const [first] = await database.read.select({ id: grants.id }).from(grants).where(due).limit(1);
  if (first === undefined) return;
  await database.write(async (tx) => {
    const lapsed = await tx.select({ id: grants.id }).from(grants).where(due).limit(AT_ONCE);
    const ids = lapsed.map(({ id }) => id);
    await lapse(tx, ids, now);
  });
}

/** Lets what was stored by a clock that was ahead wait no longer than it should from now on. */
async function shortenTooLong(database: Database, now: number): Promise<void> {
  const lapsesAt = now + LONGEST_MS;
  const tooLong = and(waits, gt(grants.lapsesAt, lapsesAt));
  const [first] = await database.read.select({ id: grants.id }).from(grants).where(tooLong).limit(1);
  if (first !== undefined) await database.write((tx) => tx.update(grants).set({ lapsesAt }).where(tooLong));
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
