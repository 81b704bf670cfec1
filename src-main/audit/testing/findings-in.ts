import type { Database } from '../../platform/database/database.ts';
import { auditRound } from '../round.ts';

/** @returns what one round finds in the books of either engine, without their pages: `finding owner`, each once. */
export async function findingsIn(database: Database): Promise<string[]> {
  const books = { snapshot: database.readAtOnce.bind(database) };
  const found = new Set<string>();
  for await (const { findings } of auditRound(books, { pages: 'none', live: false }))
    for (const { finding, owner } of findings) found.add(`${finding} ${owner}`);
  return [...found].toSorted();
}
