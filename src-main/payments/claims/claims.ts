import { and, eq, inArray, lte } from 'drizzle-orm';
import { CLAIM_DAYS, MOST_REFUSALS, MOST_WALLETS } from '../../../src-shared/claims/claim-findings.ts';
import type { EventType } from '../../../src-shared/event-types.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { DAY_MS } from '../../platform/retention/rule.ts';
import { shopToday } from '../../shop/shop.ts';
import { findIncomingPayment, type IncomingPayment } from '../incoming/incoming-payments.ts';
import { findClaim, givenBackOf, type StoredClaim, type StoredTry, triesOf, tryToDecide, walletsOf } from '../refunds/claim-rows.ts';
import { claimableOf, isOpenAt } from '../refunds/claim-rule.ts';
import { allowanceOf, type NotYours, type OverLimit, overLimit, type Refunder } from '../refunds/refund-limits.ts';
import { type ClaimedRefund, reserveClaimed } from '../refunds/refunds.ts';
import { type ClaimState, claims, claimTries, isUnderWay, isUnended, refunds, type TryState } from '../refunds/tables.ts';
import { type ClaimLinks, linkHashOf } from './claim-links.ts';

/** A claim link that the operator wants to make. */
interface NewClaim {
  /** The id of the intention. The same id again answers with the claim that it made. */
  id: string;
  incomingPaymentId: string;
  /** The most that leaves the account, fees included, in its smallest units; above 0. */
  amount: bigint;
  /** The reason, which the customer reads. */
  reason?: string | undefined;
  /** The person who asks. Their limit of refunds counts. */
  by: Refunder;
  /** Does what must be true together with the claim. An error that it throws undoes the claim. */
  inSameWrite?: ((tx: Tx, payment: IncomingPayment) => Promise<void>) | undefined;
}

/**
 * Why there is no claim link, unless it is beyond a limit. Nothing is stored then.
 * - `not_found`: there is no such incoming payment.
 * - `claim_open`: the payment has a claim link that has not ended.
 * - `too_much`: more than came from payers who are not known, less what was given back or may be.
 * - `id_taken`: the id is that of another claim, or of a refund.
 */
export type ClaimProblem = NotYours | 'not_found' | 'claim_open' | 'too_much' | 'id_taken';

/**
 * The reason why the operator cannot decide about a wallet. `not_waiting`: it waits no more. The others are those of a
 * refund.
 */
type DecisionProblem = 'not_waiting' | 'too_much' | 'insufficient_balance';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  links: ClaimLinks;
  /** Wakes the worker of refunds. The caller does so once the refund is durable. */
  onRefund: () => void;
}

/**
 * The claim links that the operator makes for payers who are not known (decisions.md#D-268). The amount of a claim
 * counts as under way from the write that makes it.
 */
export class Claims {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async make(wanted: NewClaim): Promise<Result<void, ClaimProblem | OverLimit>> {
    const { database, clock, links } = this.#parts;
    const at = clock.now();
    const made = await database.write((tx) => makeIn(tx, wanted, linkHashOf(links.secretOf(wanted.id)), at));
    failPoint('claim-step');
    return made;
  }

  /** Ends a claim. The operator can make a new one. */
  async cancel(id: string): Promise<Result<void, 'not_waiting'>> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx) => {
      const claim = await findClaim(tx, id);
      if (claim === undefined || !isOpenAt(claim, at)) return refuse('not_waiting');
      await endIn(tx, claim, 'cancelled', at);
      return ok(undefined);
    });
  }

  /**
   * Refunds a claim once, to the wallet about which the operator decides.
   * @param inSameWrite what must be true together with it. An error that it throws undoes the refund.
   */
  async refund(
    id: string,
    tryId: string,
    inSameWrite?: (tx: Tx, claim: StoredClaim, wallet: StoredTry) => Promise<void>,
  ): Promise<Result<void, DecisionProblem>> {
    const { database, clock, onRefund } = this.#parts;
    const at = clock.now();
    const done = await database.write(async (tx): Promise<Result<void, DecisionProblem>> => {
      const found = await toDecide(tx, { id, tryId }, at);
      if (found === undefined) return refuse('not_waiting');
      const { claim, wallet } = found;
      const refunded = await refundIn(tx, claim, wallet, { payer: wallet.payer, claimed: 'operator', boundTo: null }, at);
      if (refunded.ok) await inSameWrite?.(tx, claim, wallet);
      return refunded;
    });
    failPoint('claim-step');
    if (done.ok) onRefund();
    return done;
  }

  /** Refuses the wallet about which the operator decides. The customer may name another, unless that was the last. */
  async refuse(id: string, tryId: string): Promise<Result<void, 'not_waiting'>> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx) => {
      const found = await toDecide(tx, { id, tryId }, at);
      if (found === undefined) return refuse('not_waiting');
      const { claim } = found;
      const refusals = claim.refusals + 1;
      const isLast = refusals >= MOST_REFUSALS || walletsOf(await triesOf(tx, [id])).size >= MOST_WALLETS;
      await tx.update(claimTries).set({ state: 'refused', sealed: null, updatedAt: at }).where(eq(claimTries.id, tryId));
      const state = isLast ? 'refused' : 'open';
      await tx.update(claims).set({ state, refusals, updatedAt: at }).where(eq(claims.id, id));
      await tell(tx, claim, 'incoming_payment.claim_refused', at);
      return ok(undefined);
    });
  }
}

async function makeIn(
  tx: Tx,
  { id, incomingPaymentId, amount, reason, by, inSameWrite }: NewClaim,
  linkHash: string,
  at: number,
): Promise<Result<void, ClaimProblem | OverLimit>> {
  const same = await findClaim(tx, id);
  if (same !== undefined)
    return same.incomingPaymentId === incomingPaymentId && same.amount === amount ? ok(undefined) : refuse('id_taken');
  const [refund] = await tx.select({ id: refunds.id }).from(refunds).where(eq(refunds.id, id));
  if (refund !== undefined) return refuse('id_taken');
  const payment = await findIncomingPayment(tx, incomingPaymentId);
  if (payment === undefined) return refuse('not_found');
  const allowance = await allowanceOf(tx, by, payment, at);
  if (allowance.kind === 'none') return refuse(allowance.why);
  const given = await givenBackOf(tx, payment);
  if (given.claims.some((claim) => isOpenAt(claim, at))) return refuse('claim_open');
  if (amount > claimableOf(given, given.proven, at)) return refuse('too_much');
  const over = overLimit(allowance, amount);
  if (over !== undefined) return refuse(over);
  await inSameWrite?.(tx, payment);
  await expireIn(tx, at, incomingPaymentId);
  const claim: StoredClaim = {
    ...{ id, incomingPaymentId, amount, reason: reason || null, byId: by.id, byRole: by.role },
    ...{ shopDay: (await shopToday(tx, at)).day, linkHash, state: 'open', refusals: 0 },
    ...{ expiresAt: at + CLAIM_DAYS * DAY_MS, createdAt: at, updatedAt: at },
  };
  await tx.insert(claims).values(claim);
  await tell(tx, claim, 'incoming_payment.claim_made', at);
  return ok(undefined);
}

/** Finds the claim and its wallet, while the operator can decide about it. */
async function toDecide(
  tx: Tx,
  { id, tryId }: { id: string; tryId: string },
  at: number,
): Promise<{ claim: StoredClaim; wallet: StoredTry } | undefined> {
  const claim = await findClaim(tx, id);
  const wallet = await tryToDecide(tx, id);
  if (claim?.state !== 'deciding' || !isOpenAt(claim, at) || wallet?.id !== tryId) return undefined;
  return { claim, wallet };
}

/**
 * Ends a claim by its refund. Part of a write, in which the caller has seen that the claim has not ended.
 * @throws BooksDamaged when the books of the account are damaged.
 */
export async function refundIn(
  tx: Tx,
  claim: StoredClaim,
  wallet: StoredTry,
  refund: ClaimedRefund,
  at: number,
): Promise<Result<void, 'too_much' | 'insufficient_balance'>> {
  const reserved = await reserveClaimed(tx, claim, refund, at);
  if (!reserved.ok) return reserved;
  await endIn(tx, claim, 'refunded', at);
  await tx.update(claimTries).set({ state: 'refunded' }).where(eq(claimTries.id, wallet.id));
  return reserved;
}

const ENDINGS = {
  refunded: 'incoming_payment.claim_refunded',
  cancelled: 'incoming_payment.claim_cancelled',
  expired: 'incoming_payment.claim_expired',
} as const satisfies Partial<Record<ClaimState, EventType>>;

/** Ends a claim, and whatever is under way with wallets for it. Part of a write. */
async function endIn(tx: Tx, claim: StoredClaim, state: keyof typeof ENDINGS, at: number): Promise<void> {
  const ended = await tx
    .update(claims)
    .set({ state, updatedAt: at })
    .where(and(eq(claims.id, claim.id), isUnended))
    .returning({ id: claims.id });
  if (ended.length === 0) throw new Error('a claim was ended twice');
  const over: TryState[] = ['asking', 'approving', 'returned', 'listing', 'deciding'];
  await tx
    .update(claimTries)
    .set({ state: 'ended', sealed: null, dueAt: null, holder: null, updatedAt: at })
    .where(and(eq(claimTries.claimId, claim.id), inArray(claimTries.state, over)));
  await tell(tx, claim, ENDINGS[state], at);
}

/** Ends the claims whose time is over, all or those of one payment. Part of a write. */
export async function expireIn(tx: Tx, at: number, incomingPaymentId?: string): Promise<void> {
  const ofPayment = incomingPaymentId === undefined ? undefined : eq(claims.incomingPaymentId, incomingPaymentId);
  const over = and(isUnended, lte(claims.expiresAt, at), ofPayment);
  for (const claim of await tx.select().from(claims).where(over)) await endIn(tx, claim, 'expired', at);
}

/**
 * Lets the operator decide about a wallet. Part of a write, in which the caller has seen that the claim is open and
 * still asks this wallet.
 */
export async function letDecide(
  tx: Tx,
  claim: StoredClaim,
  wallet: Pick<StoredTry, 'id'>,
  found: Partial<Pick<StoredTry, 'finding' | 'said' | 'payer'>>,
  at: number,
): Promise<void> {
  await tx.update(claims).set({ state: 'deciding', updatedAt: at }).where(eq(claims.id, claim.id));
  await tx
    .update(claimTries)
    .set({ state: 'ended', sealed: null, dueAt: null, holder: null, updatedAt: at })
    .where(and(eq(claimTries.claimId, claim.id), isUnderWay));
  await tx
    .update(claimTries)
    .set({ ...found, state: 'deciding', sealed: null, dueAt: null, holder: null, updatedAt: at })
    .where(eq(claimTries.id, wallet.id));
  await tell(tx, claim, 'incoming_payment.claim_waits', at);
}

/** Tells of an event of a claim as part of the payment's own story. */
async function tell(tx: Tx, claim: StoredClaim, type: EventType, at: number): Promise<void> {
  const payment = await findIncomingPayment(tx, claim.incomingPaymentId);
  if (payment === undefined) throw new Error('a claim without its payment');
  const body = { amount: claim.amount.toString(), claim: claim.id };
  await appendEvent(tx, { type, subject: payment.id, walletAddressId: payment.walletAddressId, body, at });
}
