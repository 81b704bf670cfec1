import { toDecimal } from '../../../../src-shared/amounts.ts';
import type { Payment, PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import type { OperatorContext } from '../../context.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';
import { fromCursor } from '../places.ts';
import { summarisePayments } from './payment-summary.ts';
import { listPayments } from './payments-list.ts';

/** So many rows take a few milliseconds, and fit into a message. */
const ROWS_AT_ONCE = 200;

const COLUMNS: readonly [name: string, cell: (payment: Payment) => string | null][] = [
  ['created', ({ createdAt }) => createdAt.toISOString()],
  ['last_change', ({ updatedAt }) => updatedAt.toISOString()],
  ['direction', ({ direction }) => direction],
  ['status', ({ status }) => status],
  ['account', ({ accountName }) => accountName],
  ['currency', ({ progress }) => progress.assetCode],
  ['amount', ({ amount }) => amount && toDecimal(amount.value, amount.assetScale)],
  ['moved', ({ progress }) => toDecimal(progress.value, progress.assetScale)],
  ['description', ({ description }) => description],
  ['reference', ({ reference }) => reference],
  ['app', ({ client }) => client],
  ['id', ({ id }) => id],
  ['note', ({ note }) => note],
];

export interface ExportPart {
  csv: string;
  rows: number;
  of: number;
}

/**
 * Writes the payments that match as CSV, newest first. The first line holds the names of the columns. Payments that
 * arrive meanwhile are left out. Amounts are decimal text in whole units; `moved` is what was received or sent so far.
 */
export async function* exportPayments(
  context: OperatorContext,
  filter: PaymentFilter,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart, void, void> {
  const head = await listPayments(context, { ...filter, limit: 1 }, signal);
  const until = head.place === null ? undefined : fromCursor(head.place);
  const { count } = await summarisePayments(context, { ...filter, until }, signal);
  let rows = 0;
  let csv = BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name));
  for (let cursor: string | null | undefined; cursor !== null && until !== undefined; ) {
    signal?.throwIfAborted();
    const from = cursor === undefined ? undefined : fromCursor(cursor);
    const part = await listPayments(context, { ...filter, until, from, limit: ROWS_AT_ONCE }, signal);
    csv += part.items.map((payment) => csvLine(COLUMNS.map(([, cell]) => cell(payment)))).join('');
    rows += part.items.length;
    cursor = part.nextCursor;
    if (cursor !== null) yield { csv, rows, of: Math.max(count, rows) };
    if (cursor !== null) csv = '';
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield { csv, rows, of: rows };
}
