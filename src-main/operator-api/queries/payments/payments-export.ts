import { toDecimal } from '../../../../src-shared/amounts.ts';
import type { Payment, PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { messagesIn } from '../../../../src-shared/words/language/language.ts';
import { taxesAndTips } from '../../../payments/bills/bills.ts';
import type { Place } from '../../../platform/database/places.ts';
import type { OperatorContext } from '../../context.ts';
import { onlyAccounts } from '../../people/narrowed.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';
import { merged } from '../newest-first.ts';
import { fromCursor } from '../places.ts';
import { type CashMovement, cashMovements } from './cash-movements.ts';
import { summarisePayments } from './payment-summary.ts';
import { listPayments } from './payments-list.ts';
import { payerUrls } from './refund-facts.ts';

/** Scripts read the file too, so it has the same words whatever language the node's own person speaks. */
const words = messagesIn('en').payments;

/** This many rows take a few milliseconds, and fit into a message. */
const ROWS_AT_ONCE = 200;

/** What a row shows. The state is in words, because people read the file in a spreadsheet. */
type Row = Omit<Payment, 'status' | 'accountId' | 'completed'> & {
  state: string;
  payers?: readonly string[] | undefined;
  billed: Billed | undefined;
};
type Billed = { tax: bigint; tip: bigint };

const COLUMNS: readonly [name: string, cell: (row: Row) => string | null | undefined][] = [
  ['created', ({ createdAt }) => createdAt.toISOString()],
  ['last_change', ({ updatedAt }) => updatedAt.toISOString()],
  ['direction', ({ direction }) => direction],
  ['status', ({ state }) => state],
  ['account', ({ accountName }) => accountName],
  ['currency', ({ progress }) => progress.assetCode],
  ['amount', ({ amount }) => amount && toDecimal(amount.value, amount.assetScale)],
  ['moved', ({ progress }) => toDecimal(progress.value, progress.assetScale)],
  ['description', ({ description }) => description],
  ['reference', ({ reference }) => reference],
  ['app', ({ client }) => client],
  ['id', ({ id }) => id],
  ['note', ({ note }) => note],
  ['made_at', ({ madeAt }) => madeAt],
  ['payer', ({ payers }) => payers?.join(' ')],
  ['refunded', ({ refunded }) => (refunded.value === 0n ? null : toDecimal(refunded.value, refunded.assetScale))],
  ['refund_of', ({ refundOf }) => refundOf],
  ['tax', ({ billed, progress }) => billed && toDecimal(billed.tax, progress.assetScale)],
  ['tip', ({ billed, progress }) => billed && toDecimal(billed.tip, progress.assetScale)],
  ['till', ({ till }) => till?.name],
];

export interface ExportPart {
  csv: string;
  rows: number;
  of: number;
}

interface Line extends Place {
  row: Row;
}

/**
 * Writes the payments that match as CSV, newest first, with the deposits and withdrawals between them. The first line
 * holds the names of the columns. What happens meanwhile is left out. Amounts are decimal text in whole units; `moved`
 * is what was received or sent so far.
 */
export async function* exportPayments(
  context: OperatorContext,
  filter: PaymentFilter,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart, void, void> {
  const now = context.clock.now();
  const head = await listPayments(context, { ...filter, limit: 1 }, signal);
  const until = head.place === null ? undefined : fromCursor(head.place);
  const { count } = await summarisePayments(context, { ...filter, until }, signal);
  const cash = cashMovements(context.database.readAside, context.walletAddresses, {
    filter,
    only: onlyAccounts(context),
    now,
    size: ROWS_AT_ONCE,
  });
  let rows = 0;
  let csv = BYTE_ORDER_MARK + csvLine(COLUMNS.map(([name]) => name));
  for await (const { row } of merged([paymentLines(context, filter, until, signal), cashLines(cash)])) {
    if (rows > 0 && rows % ROWS_AT_ONCE === 0) {
      signal?.throwIfAborted();
      yield { csv, rows, of: Math.max(count, rows) };
      csv = '';
    }
    csv += csvLine(COLUMNS.map(([, cell]) => cell(row)));
    rows += 1;
  }
  yield { csv, rows, of: rows };
}

/** @param until the place of the newest payment; without one there are none. */
async function* paymentLines(
  context: OperatorContext,
  filter: PaymentFilter,
  until: Place | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Line, void, void> {
  for (let cursor: string | null | undefined; cursor !== null && until !== undefined; ) {
    signal?.throwIfAborted();
    const from = cursor === undefined ? undefined : fromCursor(cursor);
    const part = await listPayments(context, { ...filter, until, from, limit: ROWS_AT_ONCE }, signal);
    const ids = part.items.map(({ id }) => id);
    const billed = await taxesAndTips(context.database.readAside, ids);
    const payers = await payerUrls(context, ids);
    for (const payment of part.items) {
      const row = { ...payment, state: words.statuses[payment.status], payers: payers.get(payment.id), billed: billed.get(payment.id) };
      yield { id: payment.id, createdAt: payment.createdAt.getTime(), row };
    }
    cursor = part.nextCursor;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* cashLines(movements: AsyncGenerator<CashMovement, void, void>): AsyncGenerator<Line, void, void> {
  for await (const { id, createdAt, direction, account, amount: value, note } of movements) {
    const { publicName, assetCode, assetScale } = account;
    const at = new Date(createdAt);
    const amount = { value, assetCode, assetScale };
    const nothing = {
      ...{ description: null, reference: null, client: null, madeAt: null, till: null },
      ...{ payers: [], billed: undefined, refundOf: null, refunded: { ...amount, value: 0n } },
    };
    const state = words.exporting.cash[direction];
    yield {
      id,
      createdAt,
      row: { id, createdAt: at, updatedAt: at, direction, state, accountName: publicName, amount, progress: amount, ...nothing, note },
    };
  }
}
