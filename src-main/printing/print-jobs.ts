import { and, count, desc, eq, isNotNull } from 'drizzle-orm';
import { appendEvent } from '../journal/events.ts';
import type { NewEvent } from '../journal/stored-events.ts';
import { keptRequest } from '../payments/incoming/kept-requests.ts';
import { refunds } from '../payments/refunds/tables.ts';
import type { Core } from '../platform/core.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { ReceiptOf, Receipts } from '../receipts/receipts.ts';
import { notePrinter, type PrinterSettings, readPrinter, removePrinter, setPrinter } from './printer.ts';
import { isUnderWay, isWaiting, printJobs } from './tables.ts';

export type PrintJob = typeof printJobs.$inferSelect;

/** The most jobs that wait at a time. */
const MOST_WAITING = 500;
/** The number of ended jobs that the settings show. */
const ENDED_SHOWN = 10;
const WAITING_SHOWN = 50;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  receipts: Pick<Receipts, 'find'>;
  /** Tells the worker that there is something to print. */
  onQueued: () => void;
}

/** The receipt printer of the shop, and the queue before it. A sale and a payment never wait for either. */
export class Printing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async set(settings: PrinterSettings): Promise<void> {
    await this.#write((tx, at) => setPrinter(tx, settings, at));
  }

  /** @returns whether there was a printer. */
  async remove(): Promise<boolean> {
    return await this.#write(removePrinter);
  }

  /**
   * Lets the receipt of a payment or refund wait for the printer. One that waits already waits once.
   * - `no_printer`: there is none.
   * - `not_found`: there is no such receipt, or nobody knows what it said.
   * - `too_many`: too much waits.
   */
  async print(of: ReceiptOf): Promise<Result<PrintJob, 'no_printer' | 'not_found' | 'too_many'>> {
    const receipt = await this.#parts.receipts.find(of);
    const number = receipt?.content?.number;
    if (number === undefined) return refuse('not_found');
    return await this.#write(async (tx, at) => {
      const waits = await latestJob(tx, of);
      if (waits?.state === 'waiting') return ok(waits);
      const refusal = await refusalIn(tx);
      return refusal === undefined ? ok(await queueReceipt(tx, { ...of, number }, at)) : refuse(refusal);
    });
  }

  /** Lets a test receipt wait for the printer. */
  async test(): Promise<Result<PrintJob, 'no_printer' | 'too_many'>> {
    return await this.#write(async (tx, at) => {
      const refusal = await refusalIn(tx);
      if (refusal !== undefined) return refuse(refusal);
      const job = await queue(tx, { kind: 'test', subject: '', number: '' }, at);
      await appendEvent(tx, { type: 'printer.tested', subject: job.id, at });
      return ok(job);
    });
  }

  /** Cancels a job that waits. `begun`: the printer has got some of it, or it has ended. */
  async cancel(id: string): Promise<Result<PrintJob, 'not_found' | 'begun'>> {
    return await this.#write(async (tx, at) => {
      const [cancelled] = await tx
        .update(printJobs)
        .set({ state: 'cancelled', endedAt: at, claimedUntil: null, holder: null })
        .where(and(eq(printJobs.id, id), isWaiting))
        .returning();
      if (cancelled !== undefined) {
        await appendEvent(tx, await eventOf(tx, 'receipt.print_cancelled', cancelled, at));
        return ok(cancelled);
      }
      const [job] = await tx.select().from(printJobs).where(eq(printJobs.id, id));
      return refuse(job === undefined ? 'not_found' : 'begun');
    });
  }

  /** Asks the printer again at once. */
  async tryNow(): Promise<void> {
    await this.#write(async (tx) => {
      const printer = await readPrinter(tx);
      if (printer !== undefined) await notePrinter(tx, { ...printer, tries: 0, nextTryAt: null });
    });
  }

  /** What waits, the first one first, and what has ended lately, the newest one first. */
  async jobs(): Promise<{ waiting: number; items: PrintJob[] }> {
    return await this.#parts.database.readAtOnce(async (read) => {
      const waiting = await countWaiting(read);
      const first = await read.select().from(printJobs).where(isUnderWay).orderBy(printJobs.madeAt, printJobs.id).limit(WAITING_SHOWN);
      const ended = await read
        .select()
        .from(printJobs)
        .where(isNotNull(printJobs.endedAt))
        .orderBy(desc(printJobs.endedAt), desc(printJobs.id))
        .limit(ENDED_SHOWN);
      return { waiting, items: [...first, ...ended] };
    });
  }

  /** Writes, and tells the worker. */
  async #write<T>(job: (tx: Tx, at: number) => Promise<T>): Promise<T> {
    const at = this.#parts.clock.now();
    const done = await this.#parts.database.write((tx) => job(tx, at));
    this.#parts.onQueued();
    return done;
  }
}

/** How many jobs have not ended. */
export async function countWaiting(reader: Reader): Promise<number> {
  const [row] = await reader.select({ number: count() }).from(printJobs).where(isUnderWay);
  return Number(row?.number ?? 0);
}

/** The newest job of a receipt. It is undefined when there is none, or it was forgotten. */
export async function latestJob(reader: Reader, { kind, id }: ReceiptOf): Promise<PrintJob | undefined> {
  const [row] = await reader
    .select()
    .from(printJobs)
    .where(and(eq(printJobs.kind, kind), eq(printJobs.subject, id)))
    .orderBy(desc(printJobs.madeAt), desc(printJobs.id))
    .limit(1);
  return row;
}

async function refusalIn(tx: Tx): Promise<'no_printer' | 'too_many' | undefined> {
  if ((await readPrinter(tx)) === undefined) return 'no_printer';
  return (await countWaiting(tx)) >= MOST_WAITING ? 'too_many' : undefined;
}

/**
 * Lets the receipt of a sale wait for the printer, in the write that issues it: where sales at the till print by
 * themselves, and this one was made since then (decisions.md#D-300).
 */
export async function queueIssued(tx: Tx, receipt: ReceiptOf & { number: string }, at: number): Promise<void> {
  if (receipt.kind !== 'sale') return;
  const since = (await readPrinter(tx))?.printsSince ?? null;
  if (since === null) return;
  const kept = await keptRequest(tx, receipt.id);
  if (kept?.madeAt !== 'till' || kept.createdAt < since || (await refusalIn(tx)) !== undefined) return;
  await queueReceipt(tx, receipt, at);
}

async function queueReceipt(tx: Tx, { kind, id, number }: ReceiptOf & { number: string }, at: number): Promise<PrintJob> {
  const job = await queue(tx, { kind, subject: id, number }, at);
  await appendEvent(tx, await eventOf(tx, 'receipt.queued', job, at));
  return job;
}

/** The id is made in the write: a job that runs twice makes one row, because the first run is undone. */
async function queue(tx: Tx, what: Pick<PrintJob, 'kind' | 'subject' | 'number'>, madeAt: number): Promise<PrintJob> {
  const job: PrintJob = {
    ...{ id: newId(), ...what, state: 'waiting', isCopy: null, madeAt, endedAt: null },
    ...{ claims: 0, claimedUntil: null, holder: null },
  };
  await tx.insert(printJobs).values(job);
  return job;
}

/** An event about a job. It names the received payment, so that the till that made the sale hears of it. */
export async function eventOf(
  reader: Reader,
  type: 'receipt.queued' | 'receipt.print_ended' | 'receipt.print_cancelled',
  { kind, subject, number, state }: Pick<PrintJob, 'kind' | 'subject' | 'number' | 'state'>,
  at: number,
): Promise<NewEvent> {
  const [refund] =
    kind === 'refund' ? await reader.select({ of: refunds.incomingPaymentId }).from(refunds).where(eq(refunds.id, subject)) : [];
  const payment = kind === 'sale' ? subject : refund?.of;
  return { type, subject: number === '' ? 'test' : number, body: { state, ...(payment !== undefined && { payment }) }, at };
}
