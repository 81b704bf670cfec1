import { eq } from 'drizzle-orm';
import type { Paper } from '../../src-shared/receipts/papers.ts';
import type { LanguageTag } from '../../src-shared/words/catalogues/languages.ts';
import { appendEvent } from '../journal/events.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { isWaiting, printJobs, receiptPrinter } from './tables.ts';

export type Printer = typeof receiptPrinter.$inferSelect;

/** What the owner or a manager says of the receipt printer. */
export interface PrinterSettings {
  name: string;
  host: string;
  port: number;
  paper: Paper;
  language: LanguageTag;
  /** Whether sales at the till print by themselves. */
  printsSales: boolean;
}

const ID = 'printer';
/** In the place of an address: it is a printer of the computer on which the desktop app runs (decisions.md#D-301). */
export const OF_COMPUTER = { host: '', port: 0 } as const;
export const isOfComputer = ({ host }: Pick<Printer, 'host'>): boolean => host === OF_COMPUTER.host;
/** What a printer is that has answered, or that nobody has asked yet. */
export const ANSWERING = { tries: 0, nextTryAt: null, unansweredSince: null, problem: null } as const;

/** The receipt printer. It is undefined while there is none. */
export async function readPrinter(reader: Reader): Promise<Printer | undefined> {
  const [row] = await reader.select().from(receiptPrinter).where(eq(receiptPrinter.id, ID));
  return row;
}

/** Sets the receipt printer. What waits goes to it at once. Sales print by themselves from the moment that is set. */
export async function setPrinter(tx: Tx, { printsSales, ...settings }: PrinterSettings, at: number): Promise<void> {
  const former = await readPrinter(tx);
  const printsSince = printsSales ? (former?.printsSince ?? at) : null;
  const row = { ...settings, printsSince, ...ANSWERING };
  await tx
    .insert(receiptPrinter)
    .values({ id: ID, ...row })
    .onConflictDoUpdate({ target: receiptPrinter.id, set: row });
  await appendEvent(tx, { type: 'printer.set', subject: ID, body: { name: settings.name }, at });
}

/** Removes the receipt printer, and cancels what waits for it. @returns whether there was one. */
export async function removePrinter(tx: Tx, at: number): Promise<boolean> {
  const [removed] = await tx.delete(receiptPrinter).where(eq(receiptPrinter.id, ID)).returning();
  if (removed === undefined) return false;
  await tx.update(printJobs).set({ state: 'cancelled', endedAt: at, claimedUntil: null, holder: null }).where(isWaiting);
  await appendEvent(tx, { type: 'printer.removed', subject: ID, body: { name: removed.name }, at });
  return true;
}

/** Changes what is known of how the printer answers. */
export async function notePrinter(tx: Tx, known: Pick<Printer, 'tries' | 'nextTryAt' | 'unansweredSince' | 'problem'>): Promise<void> {
  await tx.update(receiptPrinter).set(known).where(eq(receiptPrinter.id, ID));
}
