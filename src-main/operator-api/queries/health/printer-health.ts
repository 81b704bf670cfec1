import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import { countWaiting } from '../../../printing/print-jobs.ts';
import { readPrinter } from '../../../printing/printer.ts';
import type { OperatorContext } from '../../context.ts';

/** The time for which a printer may be off before the health speaks of it, in milliseconds. */
const SILENT_MS = 10 * 60_000;

/** Reports that receipts wait for a printer that has taken none for ten minutes. It reports nothing otherwise. */
export async function printerHealth({ database, clock }: Pick<OperatorContext, 'database' | 'clock'>): Promise<HealthCheck[]> {
  const printer = await readPrinter(database.read);
  const since = printer?.unansweredSince ?? null;
  const problem = printer?.problem ?? null;
  if (printer === undefined || since === null || problem === null || clock.now() - since < SILENT_MS) return [];
  const waiting = await countWaiting(database.read);
  if (waiting === 0) return [];
  return [{ name: 'printer', state: 'warning', printer: printer.name, problem, since: new Date(since), waiting }];
}
