import { toDecimal } from '../amounts.ts';
import { QUANTITY_PARTS } from '../bills/bill.ts';
import type { ReportTax, SalesReport } from '../operator-contract/shop/reports.ts';
import { BYTE_ORDER_MARK, cellLine, onOneLine, textCell } from '../statements/cells.ts';
import { PLAIN, type TableStyle, tableStyleOf } from '../statements/formats/table-style.ts';
import type { ReportFormat } from '../statements/report-formats.ts';

export const REPORT_COLUMNS = ['list', 'kind', 'name', 'payments', 'pieces', 'net', 'amount', 'refunded', 'currency'] as const;
type Column = (typeof REPORT_COLUMNS)[number];
export const REPORT_LISTS = ['days', 'taxes', 'products', 'places', 'references', 'requests', 'attempts', 'cancellations', 'sent'] as const;
type List = (typeof REPORT_LISTS)[number];

/** The words of the table for people. */
export interface ReportWords {
  readonly columns: Readonly<Record<Column, string>>;
  readonly lists: Readonly<Record<List, string>>;
  /** The word for a tip, a place, the status of a request and so on; nothing for a kind that needs no word. */
  readonly kind: (list: List, kind: string) => string;
}

/** One row of the table. What it does not have is an empty cell. */
interface Row {
  list: List;
  kind?: string;
  name?: string;
  payments?: number;
  /** The quantity, in thousandths of a piece. */
  pieces?: number;
  net?: bigint;
  amount?: bigint;
  refunded?: bigint;
}

/** The rate in percent, as decimal text: `5.5`. The report has it in thousandths of a percent. */
const percent = ({ rate }: Pick<ReportTax, 'rate'>): string => String(rate / 1_000);

function* rowsOf({ days, taxes, products, places, references, ...outcomes }: SalesReport): Generator<Row> {
  for (const { day, count, value, refunded } of days) yield { list: 'days', name: day, payments: count, amount: value, refunded };
  for (const tax of taxes)
    yield { list: 'taxes', kind: percent(tax), name: tax.name, net: tax.net, amount: tax.tax, refunded: tax.refundedTax ?? 0n };
  for (const { kind, text, count, quantity, value } of products)
    yield { list: 'products', kind, name: text, payments: count, amount: value, ...(kind === 'product' && { pieces: quantity }) };
  for (const { source, count, value } of places) {
    const kind = source === null ? 'others' : source.till === null ? source.madeBy : 'pairedTill';
    yield { list: 'places', kind, name: source?.app ?? source?.till?.name ?? source?.person?.name ?? '', payments: count, amount: value };
  }
  for (const { kind, reference, count, value } of references)
    yield { list: 'references', kind, name: reference, payments: count, amount: value };
  yield* outcomesOf(outcomes);
}

function* outcomesOf({
  requests,
  attempts,
  cancellations,
  sent,
}: Pick<SalesReport, 'requests' | 'attempts' | 'cancellations' | 'sent'>): Generator<Row> {
  for (const { status, count } of requests) yield { list: 'requests', kind: status, payments: count };
  for (const { reason, count } of attempts) yield { list: 'attempts', kind: reason ?? 'others', payments: count };
  for (const { reason, count } of cancellations)
    yield { list: 'cancellations', kind: reason === null ? 'others' : 'cancelled', name: reason ?? '', payments: count };
  for (const { reason, count } of sent.failures) yield { list: 'sent', kind: reason ?? 'others', payments: count };
}

/** Says nothing where there is nothing. */
const orEmpty = <T>(value: T | undefined, text: (value: T) => string): string => (value === undefined ? '' : text(value));

/**
 * A report as one table: a row for each line of each of its lists, so that one filter shows one list.
 * @returns the table, and how many rows it has below its head.
 */
export function reportTable(
  report: SalesReport,
  format: ReportFormat,
  words: ReportWords,
  language: string,
): { csv: string; rows: number } {
  const isPlain = format === 'csv';
  const style: TableStyle = isPlain ? PLAIN : tableStyleOf(language);
  const number = (text: string) => text.replace('.', style.point);
  const money = (value: bigint) => number(toDecimal(value, report.assetScale));
  const line = ({ list, kind = '', name = '', ...row }: Row) =>
    cellLine(
      [
        textCell(isPlain ? list : words.lists[list]),
        textCell(isPlain ? kind : words.kind(list, kind)),
        textCell(isPlain ? name : onOneLine(name)),
        orEmpty(row.payments, String),
        orEmpty(row.pieces, (pieces) => number(String(pieces / QUANTITY_PARTS))),
        orEmpty(row.net, money),
        orEmpty(row.amount, money),
        orEmpty(row.refunded, money),
        textCell(report.assetCode),
      ],
      style.separator,
    );
  const head = cellLine(
    REPORT_COLUMNS.map((column) => textCell(isPlain ? column : words.columns[column])),
    style.separator,
  );
  const rows = [...rowsOf(report)];
  return { csv: (isPlain ? '' : BYTE_ORDER_MARK) + head + rows.map(line).join(''), rows: rows.length };
}
