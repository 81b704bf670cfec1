import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import { openPayments, type Payments } from '../../payments/testing/payments.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { connectPrinter } from '../../platform/outbound-http/printer-line.ts';
import { ReceiptKeys } from '../../receipts/receipt-keys.ts';
import { Receipts } from '../../receipts/receipts.ts';
import { latestJob, Printing, queueIssued } from '../print-jobs.ts';
import { PrintWorker } from '../print-worker.ts';
import { readPrinter } from '../printer.ts';
import type { ComputerPrinting } from '../printer-lines.ts';

interface Process {
  holder?: string;
  connectAs?: typeof connectPrinter;
  database?: Payments['database'];
  computer?: ComputerPrinting;
}

export type PrintingDesk = Awaited<ReturnType<typeof openPrinting>>;

/** A shop that sells, and what prints its receipts, over books of their own. */
export async function openPrinting() {
  const test = openPayments();
  const shop = await test.account('shop', 0n);
  const receiptsIn = (database: Payments['database']) =>
    new Receipts({ ...test, database, keys: new ReceiptKeys({ stream: Buffer.alloc(32, 7) }), onIssued: queueIssued });
  const receipts = receiptsIn(test.database);
  const printing = new Printing({ ...test, receipts, onQueued: () => undefined });

  const sold = async (amount = 450n, brought = amount, madeAt: 'till' | 'desk' = 'till'): Promise<{ kind: 'sale'; id: string }> => {
    const made = await test.incomingPayments.create({
      ...{ walletAddress: shop, client: null, metadata: { description: 'Größe „ż“ 5 €' } },
      incomingAmount: { value: amount, assetCode: 'USD', assetScale: 2 },
      kept: { madeAt, note: null, reference: null },
    });
    if (!made.ok) throw new Error(made.error);
    await test.database.write(async (tx) => {
      const payment = await findIncomingPayment(tx, made.value.id);
      if (payment !== undefined) await receive(tx, payment, brought, test.clock.now());
    });
    return { kind: 'sale', id: made.value.id };
  };
  return {
    test,
    receipts,
    printing,
    sold,
    /** Opens what prints over these books, as a process that has just started. */
    open: ({ holder, connectAs = connectPrinter, database = test.database, computer }: Process = {}) => {
      const { clock, urls } = test;
      const parts = { database, clock, urls, receipts: receiptsIn(database), log: createLogger('silent') };
      const connect = (place: { host: string; port: number }) => connectAs(place, { connectMs: 500, sendMs: 1_000 });
      return new PrintWorker({ ...parts, connect, computer, ...(holder !== undefined && { holder }) });
    },
    /** Sells, issues the receipt, and lets it wait for the printer. */
    queued: async () => {
      const of = await sold();
      await receipts.issue(of);
      const job = await printing.print(of);
      if (!job.ok) throw new Error(job.error);
      // Jobs of one millisecond have no order.
      test.clock.advance(1);
      return { of, job: job.value };
    },
    stateOf: async ({ kind, id }: { kind: 'sale'; id: string }) => (await latestJob(test.database.read, { kind, id }))?.state,
    silence: async () => {
      const found = await readPrinter(test.database.read);
      return found && { tries: found.tries, problem: found.problem, since: found.unansweredSince };
    },
  };
}

/** Takes steps until nothing is due. */
export async function workThrough(by: PrintWorker): Promise<void> {
  while (await by.runOnce());
}
