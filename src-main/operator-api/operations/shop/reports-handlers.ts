import { type ReportRefusal, salesReport } from '../../../reports/sales-report.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.reports;

const CODES = { not_found: 'NOT_FOUND', bad_period: 'BAD_PERIOD', too_many: 'TOO_MANY_MOVEMENTS' } as const satisfies Record<
  ReportRefusal,
  string
>;

export const reportsHandlers = os.router({
  sales: os.sales.handler(async ({ context, input, errors }) => {
    const report = await salesReport(context, input);
    if (!report.ok) throw errors[CODES[report.error]]();
    return report.value;
  }),
});
