import { and, gt, gte, lt, type SQL } from 'drizzle-orm';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { notNewerThan, olderThan, type Place } from '../../../platform/database/places.ts';
import type { PaymentConditions } from './payment-conditions.ts';

/** A span of time in milliseconds since the Unix epoch. An absent end is open. */
interface Span {
  from: number | undefined;
  /** It is exclusive. */
  before: number | undefined;
}

/** The part of the list that is read: rows after `from`, and none newer than `until`. */
interface Bounds {
  from?: Place | undefined;
  until?: Place | undefined;
}

/** How many payments of each kind one span holds. A search reads them in a few milliseconds. */
const ROWS_AT_ONCE = 10_000;

/** The known beginnings of spans, oldest first. They stay right, because payments are only added at the newest end. */
const knownStarts = new WeakMap<Reader, number[]>();

/**
 * Divides time into spans that hold about as many payments each, from the newest payment backwards. Between spans other
 * work gets its turn.
 * @param whole is true when one span is to hold everything.
 */
export async function* spansOf(reader: Reader, { from, until, whole }: Bounds & { whole: boolean }): AsyncGenerator<Span, void, void> {
  const newest = from ?? until;
  let before = newest === undefined ? undefined : newest.createdAt + 1;
  const starts = whole ? [] : await startsOf(reader);
  for (const start of starts.toReversed()) {
    if (before !== undefined && start >= before) continue;
    yield { from: start, before };
    before = start;
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield { from: undefined, before };
}

async function startsOf(reader: Reader): Promise<readonly number[]> {
  const starts = knownStarts.get(reader) ?? [];
  knownStarts.set(reader, starts);
  for (;;) {
    const next = await nextStart(reader, starts.at(-1));
    if (next === undefined) return starts;
    // Another caller may have added the same beginning meanwhile.
    if (next > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(next);
  }
}

/**
 * The beginning of the span after the one that begins at `start`.
 * @returns undefined while that one is not full.
 */
async function nextStart(reader: Reader, start: number | undefined): Promise<number | undefined> {
  const ends: number[] = [];
  for (const table of [incomingPayments, outgoingPayments]) {
    const [row] = await reader
      .select({ createdAt: table.createdAt })
      .from(table)
      .where(start === undefined ? undefined : gt(table.createdAt, start))
      .orderBy(table.createdAt, table.id)
      .limit(1)
      .offset(ROWS_AT_ONCE);
    if (row !== undefined) ends.push(row.createdAt);
  }
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The conditions of a filter, limited to a span and to the bounds of a list. */
export function withinSpan(conditions: PaymentConditions, { from, before }: Span, bounds: Bounds): PaymentConditions {
  const within = (condition: SQL | undefined | 'nothing', table: typeof incomingPayments | typeof outgoingPayments) =>
    condition === 'nothing'
      ? condition
      : and(
          from === undefined ? undefined : gte(table.createdAt, from),
          before === undefined ? undefined : lt(table.createdAt, before),
          bounds.from && olderThan(table, bounds.from),
          bounds.until && notNewerThan(table, bounds.until),
          condition,
        );
  return { incoming: within(conditions.incoming, incomingPayments), outgoing: within(conditions.outgoing, outgoingPayments) };
}
