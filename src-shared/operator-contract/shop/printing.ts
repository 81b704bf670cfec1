import { everyone, managers, till } from '../../people/roles.ts';
import { PAPER_NAMES } from '../../receipts/papers.ts';
import { PAGE_LANGUAGES, PRINT_STATES, PRINTED_LANGUAGES, PRINTER_PROBLEMS, ROLL_NAMES } from '../../receipts/print-jobs.ts';
import { RECEIPT_KINDS } from '../../receipts/receipt-content.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';

const Of = z.object({
  kind: z.enum(RECEIPT_KINDS),
  /** The id of the received payment of a sale, or of the refund. */
  id: Id,
});

const PrinterSettings = z.object({
  name: z.string().trim().min(1).max(40),
  /** Its name or IP address in the network of the shop. It may be a private one. */
  host: z
    .string()
    .trim()
    .max(253)
    .regex(/^[A-Za-z0-9._:%-]+$/),
  port: z.number().int().min(1).max(65_535).default(9_100),
  paper: z.enum(ROLL_NAMES),
  /** The language of what it prints. The printer cannot write others. */
  language: z.enum(PRINTED_LANGUAGES),
  /** Whether sales at the till print by themselves once they are paid. */
  printsSales: z.boolean(),
});
export type PrinterSettings = z.infer<typeof PrinterSettings>;

/** The receipt printer that there is. */
const Printer = PrinterSettings.extend({
  /** Both are null for a printer of the computer on which the desktop app runs. */
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  paper: z.enum(PAPER_NAMES),
  language: z.enum(PAGE_LANGUAGES),
  /** Since when it has taken nothing, and why; null when it took what it was sent last. */
  silence: z.object({ since: z.date(), problem: z.enum(PRINTER_PROBLEMS) }).nullable(),
});
export type Printer = z.infer<typeof Printer>;

const PrintJob = z.object({
  id: Id,
  /** The receipt with its number; null for the test receipt. */
  receipt: Of.extend({ number: z.string() }).nullable(),
  /** `unsure`: the printer has got some of it, and nobody knows what is on paper. It is not printed again by itself. */
  state: z.enum(PRINT_STATES),
  madeAt: z.date(),
  endedAt: z.date().nullable(),
});
export type PrintJob = z.infer<typeof PrintJob>;

const noPrinter = { NO_PRINTER: { status: 409, message: texts.noReceiptPrinter } };
const queueFull = { PRINT_QUEUE_FULL: { status: 409, message: texts.printQueueFull } };

/** The receipt printer in the network of the shop. No sale and no payment waits for it. */
export const printing = {
  /** What everybody may know who hands over receipts. */
  state: reads(everyone, 'Whether the shop has a receipt printer, and whether it answers.')
    .route({ method: 'GET', path: '/printer/state' })
    .output(
      z.object({
        /** The name of the printer; null when there is none. */
        name: z.string().nullable(),
        isSilent: z.boolean(),
      }),
    ),
  get: reads(managers, 'The receipt printer, what waits for it, and what it printed lately.')
    .route({ method: 'GET', path: '/printer' })
    .output(
      z.object({
        printer: Printer.nullable(),
        /** How many jobs wait. */
        waiting: z.number().int(),
        /** The jobs that wait, at most 50, the first one first; then the last ten that have ended. */
        jobs: z.array(PrintJob),
      }),
    ),
  /** The state is null where the receipt was not sent there in the last days. */
  ofReceipt: reads(everyone, 'What became of a receipt at the receipt printer.')
    .route({ method: 'GET', path: '/printer/receipts/{kind}/{id}' })
    .input(Of)
    .output(
      z.object({
        state: z.enum(PRINT_STATES).nullable(),
        isSilent: z.boolean(),
        /** Whether it is a printer of a computer, whose system has a queue of its own. */
        isOfComputer: z.boolean(),
      }),
    ),
  set: does(managers, 'settings', 'printer.set', 'Sets the receipt printer of the shop.')
    .route({ method: 'POST', path: '/printer' })
    .input(PrinterSettings)
    .output(z.object({ set: z.literal(true) })),
  remove: does(managers, 'settings', 'printer.removed', 'Removes the receipt printer, and cancels what waits for it.')
    .route({ method: 'POST', path: '/printer/remove' })
    .errors(noPrinter)
    .output(z.object({ removed: z.literal(true) })),
  test: does(managers, 'settings', 'printer.tested', 'Prints a test receipt.')
    .route({ method: 'POST', path: '/printer/test', successStatus: 201 })
    .errors({ ...noPrinter, ...queueFull })
    .output(PrintJob),
  /** A receipt that waits already waits once. */
  print: does(till, 'payments', 'receipt.queued', 'Lets the receipt of a payment or refund wait for the receipt printer.')
    .route({ method: 'POST', path: '/printer/receipts/{kind}/{id}', successStatus: 201 })
    .input(Of)
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchReceipt }, ...noPrinter, ...queueFull })
    .output(PrintJob),
  cancel: does(managers, 'payments', 'receipt.print_cancelled', 'Cancels a print that waits.')
    .route({ method: 'POST', path: '/printer/jobs/{id}/cancel' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPrint },
      PRINT_BEGUN: { status: 409, message: texts.printBegun },
    })
    .output(PrintJob),
  /** The printer is asked at once, and not after its pause. */
  tryNow: reads(managers, 'Asks the receipt printer at once.')
    .route({ method: 'POST', path: '/printer/try' })
    .output(z.object({ asked: z.literal(true) })),
};
