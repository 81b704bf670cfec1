import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { Inspection } from '../../platform/database/inspection.ts';
import { isDamage } from '../../platform/database/sqlite-errors.ts';
import { engine } from '../../platform/database/testing/engine.ts';
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

interface Node {
  audit: AuditBook;
  database: Database;
  test: { file: string };
  clock: Pick<Clock, 'now'>;
}

/** Runs one round over the books of a node, on the engine of the run. The pages of PostgreSQL belong to its server. */
export async function roundOf({ audit, database, test, clock }: Node): Promise<void> {
  const beganAt = clock.now();
  if (engine === 'sqlite') return await wholeRound(audit, test.file, { beganAt });
  audit.beginRound();
  const books = { snapshot: <T>(look: (reader: Reader) => Promise<T>) => database.readAtOnce(look) };
  for await (const step of auditRound(books, { pages: 'none', live: true })) await audit.take(step);
  await audit.endRound(beganAt);
}
