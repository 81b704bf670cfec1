import type { PrintJob, Printer as ShownPrinter } from '../../../../src-shared/operator-contract/shop/printing.ts';
import { latestJob, type PrintJob as StoredJob } from '../../../printing/print-jobs.ts';
import { isOfComputer, type Printer, readPrinter } from '../../../printing/printer.ts';
import { operations } from '../guarded-operations.ts';
import { mayBeSeen } from './receipts-handlers.ts';

const os = operations.printing;

const PROBLEMS = { no_printer: 'NO_PRINTER', not_found: 'NOT_FOUND', too_many: 'PRINT_QUEUE_FULL', begun: 'PRINT_BEGUN' } as const;

const shown = ({ id, kind, subject, number, state, madeAt, endedAt }: StoredJob): PrintJob => ({
  ...{ id, state, madeAt: new Date(madeAt), endedAt: endedAt === null ? null : new Date(endedAt) },
  receipt: kind === 'test' ? null : { kind, id: subject, number },
});

/** Whether the printer took nothing the last time. */
const isSilent = (printer: Printer | undefined): boolean => (printer?.unansweredSince ?? null) !== null;

function shownPrinter(printer: Printer): ShownPrinter {
  const { name, paper, language, printsSince, unansweredSince, problem } = printer;
  const silence = unansweredSince === null || problem === null ? null : { since: new Date(unansweredSince), problem };
  const { host, port } = isOfComputer(printer) ? { host: null, port: null } : printer;
  return { ...{ name, host, port, paper, language, printsSales: printsSince !== null }, silence };
}

export const printingHandlers = os.router({
  state: os.state.handler(async ({ context: { database } }) => {
    const printer = await readPrinter(database.read);
    return { name: printer?.name ?? null, isSilent: isSilent(printer) };
  }),
  get: os.get.handler(async ({ context: { database, printing } }) => {
    const printer = await readPrinter(database.read);
    const { waiting, items } = await printing.jobs();
    return { printer: printer === undefined ? null : shownPrinter(printer), waiting, jobs: items.map(shown) };
  }),
  ofReceipt: os.ofReceipt.handler(async ({ context, input }) => {
    const { read } = context.database;
    const job = (await mayBeSeen(context, input)) ? await latestJob(read, input) : undefined;
    const printer = await readPrinter(read);
    return { state: job?.state ?? null, isSilent: isSilent(printer), isOfComputer: printer !== undefined && isOfComputer(printer) };
  }),
  set: os.set.handler(async ({ context: { printing }, input }) => {
    await printing.set(input);
    return { set: true as const };
  }),
  remove: os.remove.handler(async ({ context: { printing }, errors }) => {
    if (!(await printing.remove())) throw errors.NO_PRINTER();
    return { removed: true as const };
  }),
  test: os.test.handler(async ({ context: { printing }, errors }) => {
    const job = await printing.test();
    if (!job.ok) throw errors[PROBLEMS[job.error]]();
    return shown(job.value);
  }),
  print: os.print.handler(async ({ context, input, errors }) => {
    if (!(await mayBeSeen(context, input))) throw errors.NOT_FOUND();
    const job = await context.printing.print(input);
    if (!job.ok) throw errors[PROBLEMS[job.error]]();
    return shown(job.value);
  }),
  cancel: os.cancel.handler(async ({ context: { printing }, input, errors }) => {
    const job = await printing.cancel(input.id);
    if (!job.ok) throw errors[PROBLEMS[job.error]]();
    return shown(job.value);
  }),
  tryNow: os.tryNow.handler(async ({ context: { printing } }) => {
    await printing.tryNow();
    return { asked: true as const };
  }),
});
