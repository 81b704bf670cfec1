import { and, asc, eq, gte, lt, lte, sql } from 'drizzle-orm';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { QUARTER_MS } from '../../src-shared/calendar.ts';
import { prepared, type Tx, unpeeked } from '../platform/database/database.ts';
import { withoutIndex } from '../platform/database/dialect.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import { newId } from '../platform/ids.ts';
import { quarterOf } from './days.ts';
import { isGrowing, ledgerTransfers } from './tables.ts';
import type { TransferKind } from './transfer-kinds.ts';

// A payment can move its money in millions of packets. Its first movement is a row of its own. Those that follow
// between the same two accounts share one row for each quarter of an hour. The row grows, and gets its number when it
// grows no more: only rows without a number change (decisions.md#D-79).

/** A movement of a payment that has moved money between the same two accounts before. */
interface FurtherMovement {
  kind: TransferKind;
  debit: string;
  credit: string;
  amount: bigint;
  paymentId: string;
  at: number;
}

/**
 * How many rows of other movements that grow no more get their number when another one begins to grow. It is more than
 * one, so that they become fewer.
 */
const NUMBERED_AT_ONCE = 4;

const $ = sql.placeholder;
const t = ledgerTransfers;

/** The number of the next final transfer. */
export const nextNumber = sql`(select coalesce(max(number), 0) + 1 from ledger_transfers)`;

/** The growing row of these movements. There is at most one. Only the index of growing rows may lead to it. */
const same = and(
  eq(t.paymentId, unpeeked('paymentId')),
  isGrowing,
  eq(withoutIndex(t.kind), $('kind')),
  eq(withoutIndex(t.debitAccountId), $('debit')),
  eq(withoutIndex(t.creditAccountId), $('credit')),
);
const grow = prepared((tx: Tx) =>
  tx
    .update(t)
    .set({ amount: sql`${t.amount} + ${$('amount')}` })
    .where(
      and(
        same,
        gte(withoutIndex(t.createdAt), $('start')),
        lt(withoutIndex(t.createdAt), $('end')),
        lte(t.amount, sql`${MAX_MOVED} - ${$('amount')}`),
      ),
    )
    .returning({ id: t.id })
    .prepare(),
);

// Each of these finds its row and numbers it in one statement, so that jobs that run side by side never number a row
// twice (decisions.md#D-111).
const numberFormer = prepared((tx: Tx) => tx.update(t).set({ number: nextNumber }).where(same).prepare());
export const numberStale = prepared((tx: Tx) => {
  const oldest = tx
    .select({ id: t.id })
    .from(t)
    .where(and(isGrowing, lt(t.createdAt, $('start'))))
    .orderBy(asc(t.createdAt), asc(t.id))
    .limit(1);
  return tx.update(t).set({ number: nextNumber }).where(eq(t.id, oldest)).returning({ id: t.id }).prepare();
});
const begin = prepared((tx: Tx) =>
  tx
    .insert(t)
    .values({ ...placeholdersOf(t), number: null })
    .prepare(),
);

/** Records a further movement of a payment, within the write that changes the balances. @returns the id of its row. */
export async function recordFurther(tx: Tx, moved: FurtherMovement): Promise<string> {
  const { kind, debit, credit, amount, paymentId, at } = moved;
  const start = quarterOf(at);
  const [grown] = await grow(tx).execute({
    ...{ kind, debit, credit, amount, paymentId },
    ...{ start: BigInt(start), end: BigInt(start + QUARTER_MS) },
  });
  if (grown !== undefined) return grown.id;
  await numberFormer(tx).execute({ kind, debit, credit, paymentId });
  for (let left = NUMBERED_AT_ONCE; left > 0; left -= 1) {
    const [numbered] = await numberStale(tx).execute({ start });
    if (numbered === undefined) break;
  }
  const id = newId();
  const row = {
    id,
    kind,
    state: 'posted',
    debitAccountId: debit,
    creditAccountId: credit,
    amount,
    paymentId,
    note: null,
    createdAt: at,
  } as const;
  await begin(tx).execute(row satisfies Omit<typeof t.$inferSelect, 'number'>);
  return id;
}
