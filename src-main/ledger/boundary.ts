import { and, asc, gt, lte, sql } from 'drizzle-orm';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { numberStale } from './growing.ts';
import { ownerOf } from './ledger.ts';
import { isGrowing, ledgerTransfers } from './tables.ts';
import { GIVEN_BACK } from './transfer-kinds.ts';

/** A movement as sums of a period need it. */
export type Movement = Pick<
  typeof ledgerTransfers.$inferSelect,
  'number' | 'kind' | 'state' | 'debitAccountId' | 'creditAccountId' | 'amount' | 'paymentId'
>;

/** How many movements one look reads. */
export const MOVEMENTS_AT_ONCE = 1_000;

const $ = sql.placeholder;
const t = ledgerTransfers;
const { number, kind, state, debitAccountId, creditAccountId, amount, paymentId } = t;
const shown = { number, kind, state, debitAccountId, creditAccountId, amount, paymentId };

const after = prepared((reader: Reader) =>
  reader
    .select(shown)
    .from(t)
    .where(and(gt(number, $('after')), lte(number, $('last'))))
    .orderBy(asc(number))
    .limit(MOVEMENTS_AT_ONCE)
    .prepare(),
);
const growing = prepared((reader: Reader) => reader.select(shown).from(t).where(isGrowing).prepare());
const newest = prepared((reader: Reader) =>
  reader
    .select({ number: sql<bigint | null>`max(${number})` })
    .from(t)
    .prepare(),
);

/** The final movements behind a number and up to another one, in their order, at most {@link MOVEMENTS_AT_ONCE}. */
export const movementsAfter = (reader: Reader, number: bigint, last: bigint): Promise<Movement[]> =>
  after(reader).execute({ after: number, last });

/** The movements that still grow. They have moved what they say, and have no number yet. */
export const growingMovements = (reader: Reader): Promise<Movement[]> => growing(reader).execute();

/** The number of the newest final movement; 0 when there is none. */
export async function newestMovement(reader: Reader): Promise<bigint> {
  const [row] = await newest(reader).execute();
  return BigInt(row?.number ?? 0n);
}

/**
 * Gives every movement that still grows its number. What the same payments move afterwards begins another row. So every
 * balance is the sum of the numbered movements at that moment, and a number parts what came before from what comes
 * after.
 */
export async function endGrowing(tx: Tx): Promise<void> {
  for (;;) {
    const [numbered] = await numberStale(tx).execute({ start: Number.MAX_SAFE_INTEGER });
    if (numbered === undefined) return;
  }
}

/** What a movement brings to wallet addresses, and takes from them. Setting aside and giving back is neither. */
export function sidesOf({ kind, debitAccountId, creditAccountId }: Movement): { to: string | undefined; from: string | undefined } {
  if (kind === 'reservation' || kind === GIVEN_BACK) return { to: undefined, from: undefined };
  return {
    to: ownerOf('customer', creditAccountId),
    from: ownerOf('customer', debitAccountId) ?? ownerOf('escrow', debitAccountId),
  };
}
