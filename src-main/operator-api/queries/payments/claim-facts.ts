import type { Asset } from '../../../../src-shared/amounts.ts';
import type { Claim, ClaimWallet } from '../../../../src-shared/operator-contract/payments/claims.ts';
import { till } from '../../../../src-shared/people/roles.ts';
import { findIncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { type StoredClaim, type StoredTry, triesOf } from '../../../payments/refunds/claim-rows.ts';
import { isOpenAt } from '../../../payments/refunds/claim-rule.ts';
import { refundsNamed } from '../../../payments/refunds/refund-rows.ts';
import { refundStateOf } from '../../../payments/refunds/refund-rule.ts';
import type { OperatorContext } from '../../context.ts';
import { assetOf } from './payment-rows.ts';
import { shownPayer } from './refund-facts.ts';

/** Claims as the console shows them, in the same order. */
export async function shownClaims(context: OperatorContext, claims: readonly StoredClaim[]): Promise<Claim[]> {
  const { database, walletAddresses } = context;
  const tries = Map.groupBy(
    await triesOf(
      database.read,
      claims.map(({ id }) => id),
    ),
    ({ claimId }) => claimId,
  );
  const refunds = await refundsNamed(
    database.read,
    claims.flatMap(({ id, state }) => (state === 'refunded' ? [id] : [])),
  );
  const shown: Claim[] = [];
  for (const claim of claims) {
    const payment = await findIncomingPayment(database.read, claim.incomingPaymentId);
    const account = payment && (await walletAddresses.byId(payment.walletAddressId));
    if (account === undefined) throw new Error('a claim without its account');
    const asset = assetOf(account);
    const wallet = (tries.get(claim.id) ?? []).findLast(({ state }) => state !== 'asking' && state !== 'ended');
    const refund = refunds.find(({ id }) => id === claim.id);
    shown.push({
      ...shownClaim(context, claim, asset),
      wallet: wallet === undefined ? null : await shownWallet(context, wallet, asset),
      refund: refund === undefined ? null : { state: refundStateOf(refund), claimed: refund.claimed },
    });
  }
  return shown;
}

function shownClaim(
  { claimLinks, urls, role, clock }: OperatorContext,
  claim: StoredClaim,
  asset: Asset,
): Omit<Claim, 'wallet' | 'refund'> {
  const { id, incomingPaymentId: paymentId, amount, reason, state, createdAt, expiresAt } = claim;
  const isOpen = isOpenAt(claim, clock.now());
  const isOver = !isOpen && (state === 'open' || state === 'deciding');
  const mayShare = role !== undefined && till.includes(role);
  return {
    ...{ id, paymentId, amount: { value: amount, ...asset }, reason, state: isOver ? 'expired' : state },
    link: isOpen && mayShare ? urls.claim(claimLinks.secretOf(id)) : null,
    ...{ createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) },
  };
}

async function shownWallet(context: OperatorContext, wallet: StoredTry, asset: Asset): Promise<ClaimWallet> {
  const { id, payer, finding, said } = wallet;
  return {
    ...{ id, payer: (await shownPayer(context, payer)).walletAddress, finding },
    said: said === null ? null : { value: said, ...asset },
  };
}
