import type { Finding } from '../ledger/audit/damages.ts';
import { Inspection } from '../platform/database/inspection.ts';
import { auditRound } from './round.ts';

/**
 * Checks the books by all rules but those of the pages, without rests. The caller is a process that has nothing else to
 * do.
 * @returns what is wrong.
 */
export async function damagesIn(file: string): Promise<Finding[]> {
  const books = new Inspection(file);
  try {
    const found: Finding[] = [];
    for await (const { findings } of auditRound(books, { pages: 'none', live: false })) found.push(...findings);
    return found;
  } finally {
    books.close();
  }
}
