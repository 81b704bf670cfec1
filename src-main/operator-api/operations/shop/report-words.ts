import { INCOMING_STATUSES } from '../../../../src-shared/incoming-status.ts';
import type { ReportWords } from '../../../../src-shared/reports/report-table.ts';
import type { LanguageTag } from '../../../../src-shared/words/catalogues/languages.ts';
import { inLanguage, messagesIn } from '../../../../src-shared/words/language/language.ts';
import { attemptReasonText, paymentReasonText } from '../../../../src-shared/words/sales/reason-text.ts';
import { statementWords } from '../../../statements/statement-words.ts';

/** The words of a report's table in a language. They are loaded when they are asked for first. */
export async function reportWords(language: LanguageTag): Promise<ReportWords> {
  await statementWords(language);
  const { reports, closings, payments, statements } = messagesIn(language);
  const { columns } = statements;
  const kinds: Readonly<Record<string, string>> = {
    ...{ tip: reports.kinds.tip, plain: reports.kinds.plain, others: reports.kinds.others, none: reports.kinds.none },
    cancelled: payments.statuses.cancelled,
    ...{ till: closings.till, desk: closings.desk, pairedTill: reports.pairedTill },
  };
  const statuses: Readonly<Record<string, string>> = Object.fromEntries(
    INCOMING_STATUSES.map((status) => [status, payments.statuses[status]]),
  );
  return {
    columns: {
      ...{ list: reports.file.list, kind: columns.kind, name: reports.nameColumn, payments: reports.paymentsColumn },
      ...{ pieces: reports.quantityColumn, net: reports.tax.net, amount: columns.amount, refunded: reports.refundedColumn },
      currency: columns.currency,
    },
    lists: {
      ...{ days: reports.overTime, taxes: reports.tax.title, products: reports.products, places: reports.places },
      ...{ references: reports.references, requests: reports.requests, attempts: reports.attempts },
      ...{ cancellations: reports.cancellations, sent: reports.sentFailures },
    },
    kind: (list, kind) => {
      if (list === 'taxes') return `${kind} %`;
      if (list === 'requests') return statuses[kind] ?? kind;
      const reasonText = list === 'attempts' ? attemptReasonText : list === 'sent' ? paymentReasonText : undefined;
      if (reasonText === undefined) return kinds[kind] ?? '';
      return inLanguage(language, () => reasonText(kind === 'others' ? null : kind));
    },
  };
}
