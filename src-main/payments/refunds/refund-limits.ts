import { and, eq, gte, or } from 'drizzle-orm';
import type { LimitedRole, Role } from '../../../src-shared/people/roles.ts';
import type { Doer } from '../../journal/doer.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { shopToday } from '../../shop/shop.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import type { IncomingPayment } from '../incoming/incoming-payments.ts';
import { keptRequest } from '../incoming/kept-requests.ts';
import { incomingPayments } from '../tables.ts';
import { mostLeftByClaim } from './claim-rule.ts';
import { refundSums } from './refund-rows.ts';
import { mostLeftBy } from './refund-rule.ts';
import { claims, countsInFull, refundLimits, refunds } from './tables.ts';

/** Who refunds. */
export type Refunder = Pick<Doer, 'id' | 'role'>;

/** A limit in a currency. Amounts are in its smallest units and above 0. */
type RefundLimit = typeof refundLimits.$inferSelect;

/**
 * Why somebody may refund nothing of a payment, whatever the amount.
 * - `no_limit_set`: a cashier, for whom the owner has set no limit in this currency.
 * - `not_todays_sale`: a cashier, and the payment is no sale that was made at the till today.
 */
export type NotYours = 'no_limit_set' | 'not_todays_sale';

/** The amounts that somebody may refund of a payment, in smallest units of its account. */
export type Allowance =
  | { kind: 'unlimited' }
  | { kind: 'none'; why: NotYours }
  | { kind: 'limited'; limit: RefundLimit; leftOfPayment: bigint; leftToday: bigint };

/** An amount that is beyond a limit: which, how much it is, and how much of it is left. */
export interface OverLimit {
  over: 'payment' | 'day';
  limit: bigint;
  left: bigint;
}

/**
 * Calculates what somebody may refund of a payment now (decisions.md#D-237). The rows of the refunds say the most that
 * can have left. It adds up the refunds of the payment that this person, or anybody in the same role, asked for. It
 * also adds up those that this person asked for on this day of the shop or a later one. Nothing comes between in the
 * write that reserves a refund.
 */
export async function allowanceOf(reader: Reader, by: Refunder, payment: IncomingPayment, at: number): Promise<Allowance> {
  if (by.role === 'owner') return { kind: 'unlimited' };
  const limit = await limitFor(reader, by.role, payment.walletAddressId);
  if (limit === undefined) return by.role === 'manager' ? { kind: 'unlimited' } : { kind: 'none', why: 'no_limit_set' };
  const today = await shopToday(reader, at);
  if (by.role !== 'manager' && !(await isSaleSince(reader, payment, today.since))) return { kind: 'none', why: 'not_todays_sale' };
  const ofPayment = await mostLeft(reader, at, (made) =>
    and(eq(made.incomingPaymentId, payment.id), or(eq(made.byId, by.id), eq(made.byRole, by.role))),
  );
  // A later day is one that a clock told which was ahead, or that began under other settings of the shop.
  const ofToday = await mostLeft(reader, at, (made) => and(eq(made.byId, by.id), gte(made.shopDay, today.day)), limit);
  const left = (most: bigint, used: bigint) => (used < most ? most - used : 0n);
  return { kind: 'limited', limit, leftOfPayment: left(limit.perPayment, ofPayment), leftToday: left(limit.perDay, ofToday) };
}

/** Which limit an amount is beyond. It is undefined when it is within all of them. */
export function overLimit(allowance: Allowance, amount: bigint): OverLimit | undefined {
  if (allowance.kind !== 'limited') return undefined;
  const { limit, leftOfPayment, leftToday } = allowance;
  if (amount > leftOfPayment) return { over: 'payment', limit: limit.perPayment, left: leftOfPayment };
  return amount > leftToday ? { over: 'day', limit: limit.perDay, left: leftToday } : undefined;
}

async function limitFor(reader: Reader, role: Role, walletAddressId: string): Promise<RefundLimit | undefined> {
  if (!isLimited(role)) return undefined;
  const [found] = await reader
    .select({ limit: refundLimits })
    .from(refundLimits)
    .innerJoin(
      walletAddresses,
      and(eq(walletAddresses.assetCode, refundLimits.assetCode), eq(walletAddresses.assetScale, refundLimits.assetScale)),
    )
    .where(and(eq(walletAddresses.id, walletAddressId), eq(refundLimits.role, role)));
  return found?.limit;
}

const isLimited = (role: Role): role is LimitedRole => role === 'cashier' || role === 'manager';

async function isSaleSince(reader: Reader, { id, client, createdAt }: IncomingPayment, since: number): Promise<boolean> {
  if (client !== null || createdAt < since) return false;
  return (await keptRequest(reader, id))?.madeAt === 'till';
}

/** The refunds and claim links that are meant. */
type Matches = (made: typeof refunds | typeof claims) => ReturnType<typeof and>;

/**
 * The most that can have left, or may leave, by the refunds and claim links that match, in a currency if one is named.
 */
async function mostLeft(
  reader: Reader,
  at: number,
  matches: Matches,
  asset?: Pick<RefundLimit, 'assetCode' | 'assetScale'>,
): Promise<bigint> {
  const inAsset = asset && and(eq(walletAddresses.assetCode, asset.assetCode), eq(walletAddresses.assetScale, asset.assetScale));
  const links = await reader
    .select({ state: claims.state, amount: claims.amount, expiresAt: claims.expiresAt })
    .from(claims)
    .innerJoin(incomingPayments, eq(incomingPayments.id, claims.incomingPaymentId))
    .innerJoin(walletAddresses, eq(walletAddresses.id, incomingPayments.walletAddressId))
    .where(and(countsInFull, matches(claims), inAsset));
  const byLinks = links.reduce((sum, claim) => sum + mostLeftByClaim(claim, at), 0n);
  return (await refundSums(reader, and(matches(refunds), inAsset))).reduce((sum, refund) => sum + mostLeftBy(refund), byLinks);
}

/** All limits that the owner has set. */
export const listLimits = async (reader: Reader): Promise<RefundLimit[]> =>
  await reader.select().from(refundLimits).orderBy(refundLimits.assetCode, refundLimits.assetScale, refundLimits.role);

type Key = Pick<RefundLimit, 'role' | 'assetCode' | 'assetScale'>;

/** Sets a limit. @param amounts null takes the limit away: then a cashier refunds nothing, and a manager anything. */
export async function setLimit(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  key: Key,
  amounts: Pick<RefundLimit, 'perPayment' | 'perDay'> | null,
): Promise<void> {
  const at = clock.now();
  const { role, assetCode, assetScale } = key;
  await database.write(async (tx: Tx) => {
    const same = and(eq(refundLimits.role, role), eq(refundLimits.assetCode, assetCode), eq(refundLimits.assetScale, assetScale));
    await tx.delete(refundLimits).where(same);
    if (amounts !== null) await tx.insert(refundLimits).values({ role, assetCode, assetScale, ...amounts });
    const body = {
      ...{ role, assetCode, assetScale: String(assetScale), isOn: String(amounts !== null) },
      ...(amounts !== null && { amount: amounts.perPayment.toString(), perDay: amounts.perDay.toString() }),
    };
    await appendEvent(tx, { type: 'refund_limit.set', subject: 'node', body, at });
  });
}
