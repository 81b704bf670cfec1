import { asc, eq, gte, lt } from 'drizzle-orm';
import { archivedBytes } from '../archive/archive.ts';
import type { Database } from '../database/database.ts';
import { DAY_MS } from './rule.ts';
import { diskDays } from './tables.ts';

/** How many days the growth is an average of. The table keeps one row for each. */
const DAYS = 30;

/** What the database and the archive take, in bytes. */
const takenBytes = async (database: Database): Promise<number> => (await database.usedBytes()) + (await archivedBytes(database.read));

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** Notes once a day how large the database is, with the archive. Several processes on one database note it once. */
export async function noteSize(database: Database, now: number): Promise<void> {
  const day = dayOf(now);
  const noted = await database.read.select().from(diskDays).where(eq(diskDays.day, day));
  if (noted.length > 0) return;
  const bytes = await takenBytes(database);
  await database.write(async (tx) => {
    await tx.insert(diskDays).values({ day, bytes }).onConflictDoNothing();
    await tx.delete(diskDays).where(lt(diskDays.day, day - DAYS));
  });
}

/**
 * The bytes by which the database has grown a day, on the average of the last 30 days. They are negative when the
 * database has become smaller, and undefined as long as no earlier day is known.
 */
export async function growthPerDay(database: Database, now: number): Promise<number | undefined> {
  const today = dayOf(now);
  const [first] = await database.read
    .select()
    .from(diskDays)
    .where(gte(diskDays.day, today - DAYS))
    .orderBy(asc(diskDays.day))
    .limit(1);
  if (first === undefined || first.day >= today) return undefined;
  return Math.round(((await takenBytes(database)) - first.bytes) / (today - first.day));
}
