import { isNotNull } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import { ANSWERING } from './printer.ts';
import { printJobs, receiptPrinter } from './tables.ts';

/**
 * Forgets what was to be printed. The books were put back from a copy, and what waited then may have been printed
 * since. Sales print by themselves again from now on. Part of a write.
 */
export async function forgetPrintJobs(tx: Tx, at: number): Promise<void> {
  await tx.delete(printJobs);
  await tx.update(receiptPrinter).set(ANSWERING);
  await tx.update(receiptPrinter).set({ printsSince: at }).where(isNotNull(receiptPrinter.printsSince));
}
