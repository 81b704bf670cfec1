import { and, asc, eq, gt, isNotNull, lt, lte, or, sql } from 'drizzle-orm';
import type { PrinterProblem, PrintState } from '../../src-shared/receipts/print-jobs.ts';
import { appendEvent } from '../journal/events.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { connectPrinter } from '../platform/outbound-http/printer-line.ts';
import { ClaimedWork, type ClaimedWorkParts } from '../platform/replicas/claimed-work.ts';
import { isAbandoned } from '../platform/replicas/holders.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { countPrint, type Receipts } from '../receipts/receipts.ts';
import { readLogoDots, readShop } from '../shop/shop.ts';
import { languageOf, statementWords } from '../statements/statement-words.ts';
import { salesWithoutReceipt } from './due-sales.ts';
import { eventOf, type PrintJob } from './print-jobs.ts';
import { ANSWERING, isOfComputer, notePrinter, type Printer, readPrinter } from './printer.ts';
import { type ComputerPrinting, openLine, type Printed } from './printer-lines.ts';
import { isUnderWay, isWaiting, printJobs } from './tables.ts';

/** The milliseconds between looks without a wake-up. */
const POLL_MS = 2_000;
/** How long a claim holds: longer than a printer is waited for. */
const CLAIM_MS = 60_000;
/** A job that has waited for so long is not printed any more. */
const LAPSE_MS = DAY_MS;
/** The longest pause before the printer is asked again. */
const LONGEST_PAUSE_MS = 60_000;

/** The pause after tries that failed, in milliseconds: 2 s, 4 s, 8 s and so on, at most a minute. */
const pauseAfter = (tries: number): number => Math.min(1_000 * 2 ** tries, LONGEST_PAUSE_MS);

interface Parts extends ClaimedWorkParts {
  receipts: Pick<Receipts, 'find' | 'issue'>;
  urls: { receipt(secret: string): string };
  connect?: typeof connectPrinter;
  /** How it prints on a printer of this computer. Only the desktop app can. */
  computer?: ComputerPrinting | undefined;
}

/** The condition that the process that claimed a job is gone. */
const isLeftBehind = (on: Pick<Reader, 'select'>) => and(isUnderWay, isNotNull(printJobs.claimedUntil), isAbandoned(on, printJobs.holder));

/** The time of the oldest sale that still prints by itself. */
const printedSince = (printsSince: number, now: number): number => Math.max(printsSince, now - LAPSE_MS);

/** A job, or a sale that would become one, where there is a printer. Without a printer nothing is under way. */
async function oneUnderWay(read: Reader, now: number): Promise<readonly unknown[]> {
  const printer = await readPrinter(read);
  if (printer === undefined) return [];
  const jobs = await read.select({ id: printJobs.id }).from(printJobs).where(isUnderWay).limit(1);
  return jobs.length > 0 || printer.printsSince === null ? jobs : await salesWithoutReceipt(read, printedSince(printer.printsSince, now));
}

const oneAbandoned = (read: Reader) => read.select({ id: printJobs.id }).from(printJobs).where(isLeftBehind(read)).limit(1);

/** Ends the jobs of which the printer may have got something, and lets the others wait again. */
async function freeAbandoned(tx: Tx, now: number): Promise<void> {
  await doubt(tx, isLeftBehind(tx), now);
  await tx
    .update(printJobs)
    .set({ claims: sql`${printJobs.claims} + 1`, claimedUntil: null, holder: null })
    .where(isLeftBehind(tx));
}

/** Ends jobs whose printing was begun by somebody who cannot tell any more whether they are on paper. */
async function doubt(tx: Tx, which: ReturnType<typeof and>, now: number): Promise<void> {
  const doubted = await tx
    .update(printJobs)
    .set({ state: 'unsure', endedAt: now, claims: sql`${printJobs.claims} + 1`, claimedUntil: null, holder: null })
    .where(and(isUnderWay, eq(printJobs.state, 'printing'), which))
    .returning();
  for (const job of doubted) await appendEvent(tx, await eventOf(tx, 'receipt.print_ended', job, now));
}

/**
 * Prints what waits, one job after the other (decisions.md#D-299). Before the printer gets the first byte, a write says
 * that the job was begun, so that no job is printed twice by itself, whenever the node ends.
 */
export class PrintWorker extends ClaimedWork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts, { oneUnderWay, oneAbandoned, freeAbandoned, everyMs: POLL_MS, trouble: 'receipts could not be printed' });
    this.#parts = parts;
  }

  override async runOnce(): Promise<boolean> {
    const { database, clock } = this.#parts;
    const printer = await readPrinter(database.read);
    if (printer === undefined) return false;
    const now = clock.now();
    await this.#issueSales(printer, now);
    await this.#endOld(now);
    const pause = (printer.nextTryAt ?? now) - now;
    // A clock that was ahead may have stored a pause that is too long.
    if (pause > 0 && pause <= LONGEST_PAUSE_MS) return false;
    const [waits] = await database.read.select({ id: printJobs.id }).from(printJobs).where(isWaiting).limit(1);
    const job = waits && (await this.#claim(now));
    return job === undefined ? false : await this.#print(printer, job);
  }

  /** Issues the receipts of sales that print by themselves. The write that issues one lets it wait for the printer. */
  async #issueSales({ printsSince }: Printer, now: number): Promise<void> {
    if (printsSince === null) return;
    const { database, receipts } = this.#parts;
    for (const id of await salesWithoutReceipt(database.read, printedSince(printsSince, now))) await receipts.issue({ kind: 'sale', id });
  }

  /** Ends jobs that have waited for a day, and doubts those whose process did not say in time what became of them. */
  async #endOld(now: number): Promise<void> {
    const { database } = this.#parts;
    const isOld = and(isWaiting, lt(printJobs.madeAt, now - LAPSE_MS));
    const isOverdue = and(isUnderWay, eq(printJobs.state, 'printing'), lte(printJobs.claimedUntil, now));
    const [any] = await database.read.select({ id: printJobs.id }).from(printJobs).where(or(isOld, isOverdue)).limit(1);
    if (any === undefined) return;
    await database.write(async (tx) => {
      await doubt(tx, isOverdue, now);
      const lapsed = await tx
        .update(printJobs)
        .set({ state: 'lapsed', endedAt: now, claimedUntil: null, holder: null })
        .where(isOld)
        .returning();
      for (const job of lapsed) await appendEvent(tx, await eventOf(tx, 'receipt.print_ended', job, now));
    });
  }

  /** Claims the first job that waits, unless another process is printing. */
  async #claim(now: number): Promise<PrintJob | undefined> {
    return await this.#parts.database.write(async (tx) => {
      const holds = and(gt(printJobs.claimedUntil, now), lte(printJobs.claimedUntil, now + CLAIM_MS));
      const [busy] = await tx.select({ id: printJobs.id }).from(printJobs).where(and(isUnderWay, holds)).limit(1);
      if (busy !== undefined) return undefined;
      const [first] = await tx.select().from(printJobs).where(isWaiting).orderBy(asc(printJobs.madeAt), asc(printJobs.id)).limit(1);
      if (first === undefined) return undefined;
      const claim = { claims: first.claims + 1, claimedUntil: now + CLAIM_MS, holder: this.holder };
      await tx.update(printJobs).set(claim).where(eq(printJobs.id, first.id));
      return { ...first, ...claim };
    });
  }

  /** @returns whether the next job may follow at once. */
  async #print(printer: Printer, job: PrintJob): Promise<boolean> {
    const { connect = connectPrinter, computer } = this.#parts;
    const printed = await this.#printedBy(job);
    if (printed === undefined) return await this.#end(job, 'cancelled');
    await statementWords(languageOf(printer.language));
    const line = await openLine({ connect, computer }, printer);
    if (!line.ok) return await this.#wait(printer, job, line.error);
    try {
      if (!line.value.isOpen) return await this.#wait(printer, job, 'no_answer');
      const begun = await this.#begin(job);
      if (begun === undefined) return true;
      const hasTaken = await line.value.print(printed, begun.isCopy === true);
      return hasTaken ? await this.#end(begun, 'printed') : await this.#breakOff(printer, begun);
    } finally {
      line.value.close();
    }
  }

  /** What a job puts on the paper. It is undefined when nobody knows any more what the receipt said. */
  async #printedBy({ kind, subject }: PrintJob): Promise<Printed | undefined> {
    const { database, receipts, urls } = this.#parts;
    if (kind === 'test') {
      const { profile } = await readShop(database.read);
      return { kind, shop: profile.name, logo: await readLogoDots(database.read) };
    }
    const receipt = await receipts.find({ kind, id: subject });
    if (receipt?.content === undefined) return undefined;
    // As on the page of the receipt, a logo stands there as long as it is that of the receipt.
    const logo = await readLogoDots(database.read, receipt.content.shop.logo);
    return { kind: 'receipt', content: receipt.content, link: urls.receipt(receipt.secret), logo };
  }

  /**
   * Says that the printer gets the job now, and counts the print. Every paper after the first is a copy.
   * @returns undefined when the job is not ours any more.
   */
  async #begin(job: PrintJob): Promise<PrintJob | undefined> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx) => {
      const [begun] = await tx
        .update(printJobs)
        .set({ state: 'printing', claimedUntil: at + CLAIM_MS })
        .where(and(own(job), isWaiting))
        .returning();
      if (begun === undefined) return undefined;
      const { kind, subject } = begun;
      const printed = kind === 'test' ? undefined : await countPrint(tx, { kind, id: subject }, at);
      const isCopy = (printed?.printed ?? 1) > 1;
      await tx.update(printJobs).set({ isCopy }).where(own(begun));
      return { ...begun, isCopy };
    });
  }

  /** Stores how a job has ended. A printer that took it answers. */
  async #end(job: PrintJob, state: 'printed' | 'cancelled'): Promise<true> {
    await this.#store(async (tx, at) => {
      if ((await ended(tx, job, state, at)) && state === 'printed') await notePrinter(tx, ANSWERING);
    });
    return true;
  }

  /** The printer got nothing. The job waits, and the printer gets its pause. */
  async #wait(printer: Printer, job: PrintJob, problem: PrinterProblem): Promise<false> {
    await this.#store(async (tx, at) => {
      await tx.update(printJobs).set({ claimedUntil: null, holder: null }).where(own(job));
      await noteSilence(tx, printer, problem, at);
    });
    return false;
  }

  /** The printer began to take the job, and nobody knows whether it has taken it to its end. */
  async #breakOff(printer: Printer, job: PrintJob): Promise<false> {
    await this.#store(async (tx, at) => {
      await ended(tx, job, 'unsure', at);
      await noteSilence(tx, printer, isOfComputer(printer) ? 'not_taken' : 'broke_off', at);
    });
    return false;
  }

  async #store(change: (tx: Tx, at: number) => Promise<void>): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    await database.write((tx) => change(tx, at));
  }
}

/** The condition that a job still is claimed as it was. */
const own = ({ id, claims }: PrintJob) => and(eq(printJobs.id, id), eq(printJobs.claims, claims));

async function ended(tx: Tx, job: PrintJob, state: PrintState, at: number): Promise<boolean> {
  const [row] = await tx
    .update(printJobs)
    .set({ state, endedAt: at, claimedUntil: null, holder: null })
    .where(and(own(job), isUnderWay))
    .returning();
  if (row !== undefined) await appendEvent(tx, await eventOf(tx, 'receipt.print_ended', row, at));
  return row !== undefined;
}

/** Stores that the printer took nothing, unless somebody has set another one meanwhile. */
async function noteSilence(tx: Tx, asked: Printer, problem: PrinterProblem, at: number): Promise<void> {
  const printer = await readPrinter(tx);
  if (printer === undefined || printer.host !== asked.host || printer.port !== asked.port || printer.name !== asked.name) return;
  const tries = printer.tries + 1;
  await notePrinter(tx, { tries, nextTryAt: at + pauseAfter(tries), unansweredSince: printer.unansweredSince ?? at, problem });
  if (printer.problem !== problem) await appendEvent(tx, { type: 'printer.silent', subject: 'printer', body: { problem }, at });
}
