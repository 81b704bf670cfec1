import { and, eq, lte } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { appendGrantEvent } from '../grant-rows.ts';
import { grants, waits } from '../tables.ts';

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
    for (const grant of await tx.select().from(grants).where(due).limit(AT_ONCE)) {
      await tx.update(grants).set({ state: 'lapsed' }).where(eq(grants.id, grant.id));
      await appendGrantEvent(tx, 'grant.lapsed', grant, {}, now);
    }
  });
}
