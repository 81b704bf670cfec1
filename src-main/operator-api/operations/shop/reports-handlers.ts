import type { SalesReport } from '../../../../src-shared/operator-contract/shop/reports.ts';
import { reportTable } from '../../../../src-shared/reports/report-table.ts';
import type { ReportFormat } from '../../../../src-shared/statements/report-formats.ts';
import { appendEvent } from '../../../journal/events.ts';
import type { Result } from '../../../platform/result.ts';
import { type ReportRefusal, salesReport } from '../../../reports/sales-report.ts';
import { languageOf } from '../../../statements/statement-words.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';
import { sums } from './book-turns.ts';
import { reportWords } from './report-words.ts';

const os = operations.reports;

const CODES = {
  not_found: 'NOT_FOUND',
  bad_period: 'BAD_PERIOD',
  too_many: 'TOO_MANY_MOVEMENTS',
  busy: 'BOOKS_BUSY',
} as const satisfies Record<ReportRefusal | 'busy', string>;

/** A report, once it is its turn to be added up. */
async function reportOf(
  context: OperatorContext,
  wanted: Parameters<typeof salesReport>[1],
): Promise<Result<SalesReport, ReportRefusal | 'busy'>> {
  const added = await sums.run(() => salesReport(context, wanted));
  return added.ok ? added.value : added;
}

export const reportsHandlers = os.router({
  sales: os.sales.handler(async ({ context, input, errors }) => {
    const report = await reportOf(context, input);
    if (!report.ok) throw errors[CODES[report.error]]();
    return report.value;
  }),
  export: os.export.handler(async ({ context, input: { format, language, ...period }, errors }) => {
    const report = await reportOf(context, period);
    if (!report.ok) throw errors[CODES[report.error]]();
    const tag = languageOf(language);
    const csv = reportTable(report.value, format, await reportWords(tag), tag);
    await noteExport(context, period, format);
    return onePart(csv);
  }),
});

/** The whole table as the only part of its export. */
async function* onePart(csv: string): AsyncGenerator<{ csv: string; rows: number; of: number }, void, void> {
  const rows = csv.split('\r\n').length - 2;
  yield { csv, rows, of: rows };
}

/** Records the export. */
async function noteExport(
  { clock, database }: OperatorContext,
  { accountId, from, to }: Parameters<typeof salesReport>[1],
  format: ReportFormat,
): Promise<void> {
  const at = clock.now();
  const body = { from, to, format };
  await database.write((tx) => appendEvent(tx, { type: 'report.exported', subject: accountId, walletAddressId: accountId, body, at }));
}
