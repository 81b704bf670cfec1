import { toDecimal } from '../../../../src-shared/amounts.ts';
import type { Payment, PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { dayIn, tableStyleOf } from '../../../../src-shared/statements/formats/table-style.ts';
import type { ReportFormat } from '../../../../src-shared/statements/report-formats.ts';
import { ShopTime } from '../../../../src-shared/statements/shop-time.ts';
import type { LanguageTag } from '../../../../src-shared/words/catalogues/languages.ts';
import type { Messages } from '../../../../src-shared/words/catalogues/types/messages.ts';
import { messagesIn } from '../../../../src-shared/words/language/language.ts';
import { taxesAndTips } from '../../../payments/bills/bills.ts';
import type { Place } from '../../../platform/database/places.ts';
import { readShop } from '../../../shop/shop.ts';
import { statementWords } from '../../../statements/statement-words.ts';
import type { OperatorContext } from '../../context.ts';
import { onlyAccounts } from '../../people/narrowed.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv.ts';
import { merged } from '../newest-first.ts';
import { fromCursor } from '../places.ts';
import { type CashMovement, cashMovements } from './cash-movements.ts';
import { summarisePayments } from './payment-summary.ts';
import { listPayments } from './payments-list.ts';
import { payerUrls } from './refund-facts.ts';

/** This many rows take a few milliseconds, and fit into a message. */
const ROWS_AT_ONCE = 200;

/** What a row shows. The state is in words, because people read the file in a spreadsheet. */
type Row = Omit<Payment, 'status' | 'accountId' | 'completed'> & {
  state: string;
  payers?: readonly string[] | undefined;
  billed: Billed | undefined;
  /** The day of the shop, and the time on its clock (ISO 8601). */
  shop: { day: string; local: string };
};
type Billed = { tax: bigint; tip: bigint };

type Column = readonly [name: string, cell: (row: Row) => string | null | undefined];

const COLUMNS: readonly Column[] = [
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

/** The columns with an amount in them. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'moved', 'refunded', 'tax', 'tip']);

/** The file that is wanted. */
interface ExportForm {
  readonly format: ReportFormat;
  readonly language: LanguageTag;
}

/** How the file is written. */
interface Style {
  readonly columns: readonly Column[];
  readonly separator: string;
  readonly words: Messages['payments'];
}

/** Scripts read the same file whatever language people speak. A spreadsheet is for people (decisions.md#D-312). */
async function styleOf({ format, language }: ExportForm): Promise<Style> {
  if (format === 'csv') return { columns: COLUMNS, separator: ',', words: messagesIn('en').payments };
  await statementWords(language);
  const style = tableStyleOf(language);
  const [created, ...others] = COLUMNS.map(
    ([name, cell]): Column => [name, AMOUNTS.has(name) ? (row) => cell(row)?.replace('.', style.point) : cell],
  );
  const own: readonly Column[] = [
    ['day', ({ shop }) => dayIn(style, shop.day)],
    ['time', ({ shop }) => `${dayIn(style, shop.local)} ${shop.local.slice(11, 19)}`],
  ];
  return {
    columns: [...(created === undefined ? [] : [created]), ...own, ...others],
    separator: style.separator,
    words: messagesIn(language).payments,
  };
}

export interface ExportPart {
  csv: string;
  rows: number;
  of: number;
}

interface Line extends Place {
  row: Omit<Row, 'shop'>;
}

/**
 * Writes the payments that match as CSV, newest first, with the deposits and withdrawals between them. The first line
 * holds the names of the columns. What happens meanwhile is left out. Amounts are decimal text in whole units; `moved`
 * is what was received or sent so far.
 */
export async function* exportPayments(
  context: OperatorContext,
  filter: PaymentFilter,
  form: ExportForm,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart, void, void> {
  const now = context.clock.now();
  const { columns, separator, words } = await styleOf(form);
  const time = new ShopTime((await readShop(context.database.read)).days);

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
  let csv =
    BYTE_ORDER_MARK +
    csvLine(
      columns.map(([name]) => name),
      separator,
    );
  for await (const { row } of merged([paymentLines(context, { filter, until, words }, signal), cashLines(cash, words)])) {
    if (rows > 0 && rows % ROWS_AT_ONCE === 0) {
      signal?.throwIfAborted();
      yield { csv, rows, of: Math.max(count, rows) };
      csv = '';
    }
    const at = row.createdAt.getTime();
    const placed = { ...row, shop: { day: time.dayOf(at), local: time.localOf(at) } };
    csv += csvLine(
      columns.map(([, cell]) => cell(placed)),
      separator,
    );
    rows += 1;
  }
  yield { csv, rows, of: rows };
}

interface Wanted extends Pick<Style, 'words'> {
  readonly filter: PaymentFilter;
  /** The place of the newest payment; without one there are none. */
  readonly until: Place | undefined;
}

async function* paymentLines(
  context: OperatorContext,
  { filter, until, words }: Wanted,
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

async function* cashLines(movements: AsyncGenerator<CashMovement, void, void>, words: Style['words']): AsyncGenerator<Line, void, void> {
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
