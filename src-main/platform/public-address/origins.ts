import { desc } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { PublicUrls } from './public-urls.ts';
import { origins } from './tables.ts';

/**
 * Makes `origin` the current public origin. It keeps the former origins, so that URLs under them stay the node's own.
 */
export async function openPublicUrls(database: Database, origin: string, now: number): Promise<PublicUrls> {
  const known = await database.read.select().from(origins).orderBy(desc(origins.since));
  if (!known.some((row) => row.origin === origin)) await database.write((tx) => tx.insert(origins).values({ origin, since: now }));
  return new PublicUrls(
    origin,
    known.map((row) => row.origin),
  );
}
