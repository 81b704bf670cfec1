import { Inspection } from '../../platform/database/inspection.ts';
import type { AuditBook } from '../audit-book.ts';
import { auditRound } from '../round.ts';

/** Runs one thorough round of the audit over a database file, as the thread does, without its rests. */
export async function wholeRound(book: AuditBook, file: string, { beganAt }: { beganAt: number }): Promise<void> {
  const inspection = new Inspection(file);
  try {
    book.beginRound();
    for await (const step of auditRound(inspection, { pages: 'thorough', live: true })) await book.take(step);
  } finally {
    inspection.close();
  }
  await book.endRound(beganAt);
}
