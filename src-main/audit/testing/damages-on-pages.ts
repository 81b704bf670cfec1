import { Inspection } from '../../platform/database/inspection.ts';
import { isDamage } from '../../platform/database/sqlite-errors.ts';
import { auditRound } from '../round.ts';

/** @returns what a thorough round finds in a file that no node has open. A file that does not open is one finding. */
export async function damagesOnPages(file: string): Promise<string[]> {
  let books: Inspection | undefined;
  try {
    books = new Inspection(file);
    const found: string[] = [];
    for await (const { findings } of auditRound(books, { pages: { of: books, thorough: true }, live: false }))
      found.push(...findings.map(({ finding, place }) => `${finding} ${place}`));
    return found;
  } catch (error) {
    if (isDamage(error)) return [`unreadable ${file}`];
    throw error;
  } finally {
    books?.close();
  }
}
