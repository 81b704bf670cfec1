import { reportTable } from '../../../../src-shared/reports/report-table.ts';
import type { ReportFormat } from '../../../../src-shared/statements/report-formats.ts';
import { appendEvent } from '../../../journal/events.ts';
import { type ReportRefusal, salesReport } from '../../../reports/sales-report.ts';
import { languageOf } from '../../../statements/statement-words.ts';
import type { OperatorContext } from '../../context.ts';
import { operations } from '../guarded-operations.ts';
import { inTurn } from './book-turns.ts';
import { reportWords } from './report-words.ts';

const os = operations.reports;

const CODES = {
  not_found: 'NOT_FOUND',
  bad_period: 'BAD_PERIOD',
  too_many: 'TOO_MANY_MOVEMENTS',
  busy: 'BOOKS_BUSY',
} as const satisfies Record<ReportRefusal | 'busy', string>;

export const reportsHandlers = os.router({
  sales: os.sales.handler(async ({ context, input, errors }) => {
    const report = await inTurn(() => salesReport(context, input));
    if (!report.ok) throw errors[CODES[report.error]]();
    return report.value;
  }),
  export: os.export.handler(async ({ context, input: { format, language, ...period }, errors }) => {
    const report = await inTurn(() => salesReport(context, period));
    if (!report.ok) throw errors[CODES[report.error]]();
    const tag = languageOf(language);
    const table = reportTable(report.value, format, await reportWords(tag), tag);
    await noteExport(context, period, format);
    return onePart(table);
  }),
});

/** The whole table as the only part of its export. */
async function* onePart({
  csv,
  rows,
}: ReturnType<typeof reportTable>): AsyncGenerator<{ csv: string; rows: number; of: number }, void, void> {
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
