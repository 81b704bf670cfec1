import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { MOST_COUNTED } from '../../../../src-shared/operator-contract/most-counted.ts';
import type { Claim } from '../../../../src-shared/operator-contract/payments/claims.ts';
import type { ClaimProblem } from '../../../payments/claims/claims.ts';
import { claimsOf, findClaim, findTry, givenBackOf, type StoredClaim } from '../../../payments/refunds/claim-rows.ts';
import { claimableOf } from '../../../payments/refunds/claim-rule.ts';
import type { OverLimit } from '../../../payments/refunds/refund-limits.ts';
import { claims, isUnended } from '../../../payments/refunds/tables.ts';
import { incomingPayments } from '../../../payments/tables.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { countSome } from '../../../platform/database/list-order.ts';
import type { OperatorContext } from '../../context.ts';
import { callerOf } from '../../people/calling-person.ts';
import { mayRefund, ofOwnAccounts, readsPayments } from '../../people/narrowed.ts';
import { shownClaims } from '../../queries/payments/claim-facts.ts';
import { assetOf } from '../../queries/payments/payment-rows.ts';
import { shownPayer } from '../../queries/payments/refund-facts.ts';
import { type Received, receivedInReach } from '../../queries/payments/requests-in-reach.ts';
import { doOrWait } from '../../second-person/do-or-wait.ts';
import type { NewAct } from '../../second-person/waiting-acts.ts';
import { operations } from '../guarded-operations.ts';
import { leftOf, OVER, refuseRefundAlone } from './refunds-handlers.ts';

const os = operations.claims;

const PROBLEMS = {
  not_found: 'NOT_FOUND',
  claim_open: 'CLAIM_OPEN',
  too_much: 'REFUND_TOO_MUCH',
  id_taken: 'REQUEST_ID_TAKEN',
  no_limit_set: 'NO_REFUND_LIMIT',
  not_todays_sale: 'NOT_TODAYS_SALE',
} as const;
const DECISIONS = { not_waiting: 'NOT_WAITING', too_much: 'REFUND_TOO_MUCH', insufficient_balance: 'INSUFFICIENT_BALANCE' } as const;

/** The code under which somebody reads the reason why there is no claim link. */
export const claimCode = (problem: ClaimProblem | OverLimit) => (typeof problem === 'string' ? PROBLEMS[problem] : OVER[problem.over]);
/** The code under which somebody reads why nothing was decided. */
export const decisionCode = (problem: keyof typeof DECISIONS) => DECISIONS[problem];

/** Finds a claim of which the caller may hear. */
async function claimFor(context: OperatorContext, id: string): Promise<StoredClaim | undefined> {
  const claim = await findClaim(context.database.read, id);
  return claim && (await receivedInReach(context, claim.incomingPaymentId)) ? claim : undefined;
}

/** Whether the caller hears of claims. A key that neither reads payments nor refunds knows those of requests only. */
const hearsOfClaims = (context: OperatorContext, { payment }: Received): boolean =>
  payment.client === null || readsPayments(context) || mayRefund(context);

async function shownById(context: OperatorContext, id: string): Promise<Claim> {
  const claim = await findClaim(context.database.read, id);
  const [shown] = claim === undefined ? [] : await shownClaims(context, [claim]);
  if (shown === undefined) throw new Error('a claim is gone right after it was used');
  return shown;
}

export const claimsHandlers = os.router({
  make: os.make.handler(async ({ context, input: { requestId: id, paymentId: incomingPaymentId, ...wanted }, errors }) => {
    const by = await callerOf(context);
    const found = await receivedInReach(context, incomingPaymentId);
    if (found === undefined) throw errors.NOT_FOUND();
    const alone = (tx: Tx) => refuseRefundAlone(tx, found.payment, wanted.amount);
    const made = await doOrWait(
      context,
      errors,
      () => context.claims.make({ ...wanted, id, incomingPaymentId, by, inSameWrite: alone }),
      async () => waitingClaim(found, { ...wanted, id }),
    );
    if (made.ok) return await shownById(context, id);
    if (typeof made.error === 'string') throw errors[PROBLEMS[made.error]]();
    throw errors[OVER[made.error.over]]({ data: leftOf(made.error.limit, made.error.left, assetOf(found.account)) });
  }),
  of: os.of.handler(async ({ context, input: { paymentId, cursor }, errors }) => {
    const found = await receivedInReach(context, paymentId);
    if (found === undefined || !hearsOfClaims(context, found)) throw errors.NOT_FOUND();
    const { readAside } = context.database;
    const given = await givenBackOf(readAside, found.payment);
    const value = claimableOf(given, given.proven, context.clock.now());
    const named = cursor === undefined ? undefined : await findClaim(readAside, cursor);
    // A claim of another payment is no place in this list.
    const before = named?.incomingPaymentId === paymentId ? named : undefined;
    const rows = await claimsOf(readAside, paymentId, { before, most: PART + 1 });
    const claims = await shownClaims(context, rows.slice(0, PART));
    const nextCursor = rows.length > PART ? (claims.at(-1)?.id ?? null) : null;
    return { claimable: { value, ...assetOf(found.account) }, claims, nextCursor };
  }),
  waiting: os.waiting.handler(async ({ context }) => {
    const { readAside } = context.database;
    const within = ofOwnAccounts(context, incomingPayments.walletAddressId);
    const isOfAccounts =
      within && inArray(claims.incomingPaymentId, readAside.select({ id: incomingPayments.id }).from(incomingPayments).where(within));
    const waits = and(isUnended, eq(claims.state, 'deciding'), gt(claims.expiresAt, context.clock.now()), isOfAccounts);
    const oldest = readAside.select().from(claims).where(waits).orderBy(asc(claims.updatedAt), asc(claims.id)).limit(MOST_SHOWN);
    const [some] = await countSome(readAside, claims, waits, MOST_COUNTED);
    return { items: await shownClaims(context, await oldest), count: some?.rows ?? 0 };
  }),
  cancel: os.cancel.handler(async ({ context, input: { id }, errors }) => {
    if ((await claimFor(context, id)) === undefined) throw errors.NOT_FOUND();
    if (!(await context.claims.cancel(id)).ok) throw errors.NOT_WAITING();
    return await shownById(context, id);
  }),
  refund: os.refund.handler(async ({ context, input: { id, walletId }, errors }) => {
    const claim = await claimFor(context, id);
    const found = claim && (await receivedInReach(context, claim.incomingPaymentId));
    if (claim === undefined || found === undefined) throw errors.NOT_FOUND();
    const alone = (tx: Tx) => refuseRefundAlone(tx, found.payment, claim.amount);
    const done = await doOrWait(
      context,
      errors,
      () => context.claims.refund(id, walletId, alone),
      () => waitingDecision(context, found, claim, walletId),
    );
    if (!done.ok) throw errors[DECISIONS[done.error]]();
    return await shownById(context, id);
  }),
  refuse: os.refuse.handler(async ({ context, input: { id, walletId }, errors }) => {
    if ((await claimFor(context, id)) === undefined) throw errors.NOT_FOUND();
    if (!(await context.claims.refuse(id, walletId)).ok) throw errors.NOT_WAITING();
    return await shownById(context, id);
  }),
});

/** The most waiting claims that are shown at once. */
const MOST_SHOWN = 20;
/** How many claims of a payment are read at once. */
const PART = 20;

/** A claim link that waits for a second person. Nobody knows yet to whom the money goes. */
function waitingClaim(
  { payment, account }: Received,
  { id, amount, reason }: { id: string; amount: bigint; reason?: string | undefined },
): NewAct {
  const value = amount.toString();
  return {
    ...{ id, operation: 'claims.make', subject: payment.id },
    input: { incomingPaymentId: payment.id, amount: value, reason },
    shown: { accountName: account.publicName, amount: { value, ...assetOf(account) }, ...(reason && { note: reason }) },
  };
}

/** A decision that waits for a second person. It has the id of the wallet that it concerns. */
async function waitingDecision(
  context: OperatorContext,
  { payment, account }: Received,
  { id, amount, reason }: StoredClaim,
  walletId: string,
): Promise<NewAct> {
  const payer = (await findTry(context.database.read, walletId))?.payer ?? '';
  const value = amount.toString();
  return {
    ...{ id: walletId, operation: 'claims.refund', subject: payment.id },
    input: { claimId: id },
    shown: {
      ...{ accountName: account.publicName, amount: { value, ...assetOf(account) } },
      whom: (await shownPayer(context, payer)).walletAddress,
      ...(reason !== null && { note: reason }),
    },
  };
}
