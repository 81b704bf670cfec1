import { Inspection } from '../../platform/database/inspection.ts';
import { isDamage } from '../../platform/database/sqlite-errors.ts';
import type { AuditBook } from '../audit-book.ts';
import { auditRound, UNREADABLE_FILE } from '../round.ts';

/** Runs one thorough round of the audit over a database file, as the thread does, without its rests. */
export async function wholeRound(book: AuditBook, file: string, { beganAt }: { beganAt: number }): Promise<void> {
  book.beginRound();
  let inspection: Inspection | undefined;
  try {
    inspection = new Inspection(file);
    for await (const step of auditRound(inspection, { pages: { of: inspection, thorough: true }, live: true })) await book.take(step);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return await book.take(UNREADABLE_FILE);
  } finally {
    inspection?.close();
  }
  await book.endRound(beganAt);
}
