import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import type { GivenBack } from './claim-rule.ts';
import { provenOf } from './payers.ts';
import { refundSums } from './refund-rows.ts';
import { claims, claimTries, countsInFull, refunds } from './tables.ts';

/** A claim as the database has it. */
export type StoredClaim = typeof claims.$inferSelect;
/** A wallet that was named for a claim, as the database has it. */
export type StoredTry = typeof claimTries.$inferSelect;

/** A part of the claims of an incoming payment. */
interface ClaimsPart {
  /** The claim before which they were made. */
  before?: Place | undefined;
  /** How many at most. */
  most: number;
}

/** Reads claims of an incoming payment, the newest first. */
export async function claimsOf(reader: Reader, incomingPaymentId: string, { before, most }: ClaimsPart): Promise<StoredClaim[]> {
  return await reader
    .select()
    .from(claims)
    .where(and(eq(claims.incomingPaymentId, incomingPaymentId), before && olderThan(claims, before)))
    .orderBy(desc(claims.createdAt), desc(claims.id))
    .limit(most);
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
  /** The claims by which something may leave, or may have left, that no refund counts. */
  claims: StoredClaim[];
  proven: bigint;
}

/** Reads everything that was or may be given back of a payment. In a write nothing comes between. */
export async function givenBackOf(reader: Reader, { id, received }: { id: string; received: bigint }): Promise<GivenRows> {
  const counted = await reader
    .select()
    .from(claims)
    .where(and(eq(claims.incomingPaymentId, id), countsInFull));
  return {
    received,
    refunds: await refundSums(reader, eq(refunds.incomingPaymentId, id)),
    claims: counted,
    proven: await provenOf(reader, id),
  };
}
