import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import type { GivenBack } from './claim-rule.ts';
import { provenPayers } from './payers.ts';
import { type Refund, refundsOf } from './refund-rows.ts';
import { claims, claimTries } from './tables.ts';

/** A claim as the database has it. */
export type StoredClaim = typeof claims.$inferSelect;
/** A wallet that was named for a claim, as the database has it. */
export type StoredTry = typeof claimTries.$inferSelect;

/** All claims of incoming payments, the first ones first. */
export async function claimsOf(reader: Reader, incomingPaymentIds: readonly string[]): Promise<StoredClaim[]> {
  if (incomingPaymentIds.length === 0) return [];
  return await reader
    .select()
    .from(claims)
    .where(inArray(claims.incomingPaymentId, [...incomingPaymentIds]))
    .orderBy(asc(claims.createdAt), asc(claims.id));
}

export async function findClaim(reader: Reader, id: string): Promise<StoredClaim | undefined> {
  const [row] = await reader.select().from(claims).where(eq(claims.id, id));
  return row;
}

/** All wallets that were named for claims, the first ones first. */
export async function triesOf(reader: Reader, claimIds: readonly string[]): Promise<StoredTry[]> {
  if (claimIds.length === 0) return [];
  return await reader
    .select()
    .from(claimTries)
    .where(inArray(claimTries.claimId, [...claimIds]))
    .orderBy(asc(claimTries.createdAt), asc(claimTries.id));
}

export async function findTry(reader: Reader, id: string): Promise<StoredTry | undefined> {
  const [row] = await reader.select().from(claimTries).where(eq(claimTries.id, id));
  return row;
}

/** The wallet of a claim about which the operator decides. */
export async function tryToDecide(reader: Reader, claimId: string): Promise<StoredTry | undefined> {
  const [row] = await reader
    .select()
    .from(claimTries)
    .where(and(eq(claimTries.claimId, claimId), eq(claimTries.state, 'deciding')));
  return row;
}

/** How many different wallets were asked for a claim, or are to be decided about. What was never found is none. */
export const walletsOf = (tries: readonly StoredTry[]): Set<string> =>
  new Set(tries.filter(({ state, finding }) => state !== 'asking' && !(state === 'ended' && finding === null)).map(({ payer }) => payer));

/** Everything that was or may be given back of a payment, and what is proven to have come from known payers. */
interface GivenRows extends GivenBack {
  refunds: Refund[];
  claims: StoredClaim[];
  proven: bigint;
}

/** Reads everything that was or may be given back of a payment. In a write nothing comes between. */
export async function givenBackOf(reader: Reader, payment: { id: string; received: bigint }): Promise<GivenRows> {
  const ids = [payment.id];
  const proven = (await provenPayers(reader, ids)).reduce((sum, { amount }) => sum + amount, 0n);
  return { received: payment.received, refunds: await refundsOf(reader, ids), claims: await claimsOf(reader, ids), proven };
}
