import { and, asc, count, eq, gte, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { prepared, type Reader } from '../platform/database/database.ts';
import { withoutIndex } from '../platform/database/dialect.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { newerThan, type Place } from '../platform/database/places.ts';
import { inParts } from './in-parts.ts';
import { accountId } from './ledger.ts';
import { isCreditListed, isDebitListed, isGrowing, ledgerAccounts, ledgerTransfers } from './tables.ts';

// The book of a `customer` account, oldest line first, as it was at one moment. What is final has a number and never
// changes, so the lines up to a number can be read at leisure, in pieces, without a transaction that stays open. What
// still grows has no number; these few lines are read together with the number and the balance.

const t = ledgerTransfers;
const { id, kind, debitAccountId, creditAccountId, amount, paymentId, note, createdAt } = t;
const shown = { id, kind, debitAccountId, creditAccountId, amount, paymentId, note, createdAt };

/** One posted movement of an account. */
export type BookLine = Pick<typeof t.$inferSelect, keyof typeof shown>;

/** An account's book as it was at one moment. */
export interface BookState {
  readonly customer: string;
  /** The number of the newest final movement of the node. */
  readonly number: bigint;
  /** The balance, in smallest units. It contains what is held for others until that moves. */
  readonly balance: bigint;
  /** The movements that still grew, oldest first. */
  readonly growing: readonly BookLine[];
}

const $ = sql.placeholder;

// One statement, so that number, balance and lines are of the same moment on every engine.
const state = prepared((reader: Reader) =>
  reader
    .select({
      balance: ledgerAccounts.balance,
      number: sql`(select coalesce(max(number), 0) from ledger_transfers)`.mapWith(BigInt),
      line: shown,
    })
    .from(ledgerAccounts)
    .leftJoin(
      t,
      and(isGrowing, or(eq(withoutIndex(t.debitAccountId), ledgerAccounts.id), eq(withoutIndex(t.creditAccountId), ledgerAccounts.id))),
    )
    .where(eq(ledgerAccounts.id, $('customer')))
    .prepare(),
);

/** Puts two lines in order: the older one first, and lines of the same moment by id. */
const inOrder = (one: Place, other: Place): number => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

/** @returns undefined when there is no such account. */
export async function bookState(reader: Reader, walletAddressId: string): Promise<BookState | undefined> {
  const customer = accountId('customer', walletAddressId);
  const rows = await state(reader).execute({ customer });
  const [first] = rows;
  if (first === undefined) return undefined;
  return { customer, number: first.number, balance: first.balance, growing: rows.flatMap(({ line }) => line ?? []).sort(inOrder) };
}

/** Moments in milliseconds since the Unix epoch: `from` is in the span, and `before` is not. */
interface Span {
  readonly from?: number;
  readonly before?: number;
}

/** The sums of movements: how much they brought and took, in smallest units, and how many there were. */
interface BookSums {
  readonly credits: { readonly sum: bigint; readonly count: number };
  readonly debits: { readonly sum: bigint; readonly count: number };
}

const final = ({ number }: BookState, { from, before }: Span) => [
  eq(t.state, 'posted'),
  lte(withoutIndex(t.number), number),
  from === undefined ? undefined : gte(t.createdAt, from),
  before === undefined ? undefined : lt(t.createdAt, before),
];

const SIDES = {
  credits: { listed: isCreditListed, column: t.creditAccountId },
  debits: { listed: isDebitListed, column: t.debitAccountId },
} as const;

/** Adds up the movements of a span. */
export async function bookSums(reader: Reader, book: BookState, span: Span): Promise<BookSums> {
  const sums = async (name: keyof typeof SIDES) => {
    const { listed, column } = SIDES[name];
    const [row] = await reader
      .select({ sum: exactSum(t.amount), count: count() })
      .from(t)
      .where(and(listed, eq(column, book.customer), ...final(book, span)));
    const grown = book.growing.filter((line) => isIn(line, span) && isCredit(line, book) === (name === 'credits'));
    const found = { sum: row?.sum ?? 0n, count: Number(row?.count ?? 0) };
    return { sum: grown.reduce((sum, line) => sum + line.amount, found.sum), count: found.count + grown.length };
  };
  return { credits: await sums('credits'), debits: await sums('debits') };
}

/** The amount that the movements of a span add to the balance. */
export const changeBy = ({ credits, debits }: BookSums): bigint => credits.sum - debits.sum;

const isIn = ({ createdAt: at }: BookLine, { from = at, before = at + 1 }: Span): boolean => at >= from && at < before;

/** Whether a movement brought money to the account. */
export const isCredit = (line: Pick<BookLine, 'creditAccountId'>, { customer }: BookState): boolean => line.creditAccountId === customer;

/** The time of the last movement in a span. It is undefined when there was none. */
export async function lastInBook(reader: Reader, book: BookState, span: Span): Promise<number | undefined> {
  const times = book.growing.filter((line) => isIn(line, span)).map((line) => line.createdAt);
  for (const { listed, column } of Object.values(SIDES)) {
    const [row] = await reader
      .select({ at: sql<number | null>`max(${t.createdAt})` })
      .from(t)
      .where(and(listed, eq(column, book.customer), ...final(book, span)));
    if (row?.at != null) times.push(Number(row.at));
  }
  return times.length === 0 ? undefined : Math.max(...times);
}

/** How many lines one look reads. */
const LINES_AT_ONCE = 500;

/** The movements of a span, oldest first. Between looks other work gets its turn. */
export async function* bookLines(reader: Reader, book: BookState, span: Required<Span>): AsyncGenerator<BookLine, void, void> {
  const sources = [
    ...Object.values(SIDES).map((side) => linesOfSide(reader, book, span, side)),
    grownIn(book.growing.filter((line) => isIn(line, span))),
  ];
  const heads: { line: BookLine; source: AsyncGenerator<BookLine, void, void> }[] = [];
  const advance = async (source: AsyncGenerator<BookLine, void, void>) => {
    const next = await source.next();
    if (next.done !== true) heads.push({ line: next.value, source });
  };
  for (const source of sources) await advance(source);
  for (;;) {
    heads.sort((one, other) => inOrder(one.line, other.line));
    const head = heads.shift();
    if (head === undefined) return;
    yield head.line;
    await advance(head.source);
  }
}

async function* grownIn(lines: readonly BookLine[]): AsyncGenerator<BookLine, void, void> {
  yield* lines;
}

async function* linesOfSide(
  reader: Reader,
  book: BookState,
  span: Required<Span>,
  { listed, column }: (typeof SIDES)[keyof typeof SIDES],
): AsyncGenerator<BookLine, void, void> {
  for (let place: Place | undefined; ; ) {
    // The beginning of the span beside the place would lead SQLite to read all rows since then again for each look.
    const rest = place === undefined ? span : { before: span.before };
    const rows: BookLine[] = await reader
      .select(shown)
      .from(t)
      .where(and(listed, eq(column, book.customer), ...final(book, rest), place && newerThan(t, place)))
      .orderBy(asc(t.createdAt), asc(t.id))
      .limit(LINES_AT_ONCE);
    yield* rows;
    place = rows.at(-1);
    if (place === undefined || rows.length < LINES_AT_ONCE) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * The amounts that payments had brought to an account before a movement, in smallest units.
 * @param payments the ids that the movements name
 */
export const broughtBefore = (reader: Reader, book: BookState, payments: readonly string[], before: Place): Promise<bigint> =>
  sumBefore(reader, book, { payments, before, side: t.creditAccountId });

/** The amounts that payments had taken from an account before a movement, less what had come back of them. */
export async function tookBefore(reader: Reader, book: BookState, payments: readonly string[], before: Place): Promise<bigint> {
  const took = await sumBefore(reader, book, { payments, before, side: t.debitAccountId });
  return took - (await broughtBefore(reader, book, payments, before));
}

interface Earlier {
  payments: readonly string[];
  before: Place;
  side: typeof t.creditAccountId | typeof t.debitAccountId;
}

/** The number of payments that one question names. SQLite takes 32,766 values at most. */
const PAYMENTS_AT_ONCE = 1_000;

// Whoever has the link of a request can pay it, so it can have any number of payments.
async function sumBefore(reader: Reader, book: BookState, { payments, before, side }: Earlier): Promise<bigint> {
  let sum = 0n;
  for (const some of inParts(new Set(payments), PAYMENTS_AT_ONCE)) {
    const [row] = await reader
      .select({ sum: exactSum(t.amount) })
      .from(t)
      .where(
        and(
          inArray(t.paymentId, some),
          eq(withoutIndex(side), book.customer),
          eq(t.state, 'posted'),
          or(isNull(withoutIndex(t.number)), lte(withoutIndex(t.number), book.number)),
          sql`(${withoutIndex(t.createdAt)}, ${t.id}) < (${BigInt(before.createdAt)}, ${before.id})`,
        ),
      );
    sum += row?.sum ?? 0n;
  }
  return sum;
}
