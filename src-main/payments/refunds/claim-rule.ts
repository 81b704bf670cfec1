import type { ClaimFinding } from '../../../src-shared/claims/claim-findings.ts';
import { mostLeftBy, type RefundFacts } from './refund-rule.ts';
import type { ClaimedBy, ClaimState } from './tables.ts';

/** What decides how much of a claim may still leave the account. The amount is in smallest units of the account. */
export interface ClaimFacts {
  state: ClaimState;
  amount: bigint;
  expiresAt: number;
}

/** Whether the customer or the operator can still go on with a claim. */
export const isOpenAt = ({ state, expiresAt }: Pick<ClaimFacts, 'state' | 'expiresAt'>, at: number): boolean =>
  (state === 'open' || state === 'deciding') && at < expiresAt;

/** The most that may leave, or may have left, by a claim itself. What it has become a refund of counts there. */
export const mostLeftByClaim = (claim: ClaimFacts, at: number): bigint =>
  claim.state === 'doubted' || isOpenAt(claim, at) ? claim.amount : 0n;

/** Everything that was, or may be, given back of a payment. */
export interface GivenBack {
  /** What the payment has received, in smallest units of the account. */
  received: bigint;
  refunds: readonly (RefundFacts & { claimed: ClaimedBy | null })[];
  claims: readonly ClaimFacts[];
}

/** What is left of all that was received, less the most that can leave by refunds and claims together, 0 or more. */
export function leftOf({ received, refunds, claims }: GivenBack, at: number): bigint {
  let left = received;
  for (const refund of refunds) left -= mostLeftBy(refund);
  for (const claim of claims) left -= mostLeftByClaim(claim, at);
  return left > 0n ? left : 0n;
}

/**
 * How much can be given back by one more claim link: what came from nobody who is proven, less what other claims have
 * given back or may give back.
 * @param proven what is proven to have come from known payers
 */
export function claimableOf(given: GivenBack, proven: bigint, at: number): bigint {
  const left = leftOf(given, at);
  const unproven = leftOf(
    { ...given, received: given.received - proven, refunds: given.refunds.filter(({ claimed }) => claimed !== null) },
    at,
  );
  return unproven < left ? unproven : left;
}

/** What a wallet has said, and what this node knows itself. Amounts are in smallest units of the account. */
interface Told {
  /** What is to be given back, above 0. */
  amount: bigint;
  /** What the wallet says it has paid; 0 when it says that it has not. */
  said: bigint;
  /**
   * How much the payment received from where the refund would go, by the ledger. It is undefined when this node finds
   * no way there.
   */
  came: bigint | undefined;
}

/** A wallet may say that one percent less would arrive than did (decisions.md#D-52). */
const PERCENT = 100n;

/**
 * Decides whether a wallet is believed. Whoever holds the link can run a wallet that says yes, so its word alone gives
 * nothing back: the money must go back the way it came, and the wallet must not say more than came that way.
 */
export function judge({ amount, said, came }: Told): ClaimFinding {
  if (said <= 0n) return 'not_paid';
  if (came === undefined) return 'no_way';
  if (came === 0n) return 'other_way';
  if (said > came) return 'says_more';
  return said * PERCENT < amount * (PERCENT - 1n) || amount > came ? 'says_less' : 'confirmed';
}
