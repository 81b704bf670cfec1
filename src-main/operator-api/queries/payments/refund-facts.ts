import type { Asset } from '../../../../src-shared/amounts.ts';
import type { Payer, Refund as ShownRefund } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { claimsOf } from '../../../payments/refunds/claim-rows.ts';
import { leftOf } from '../../../payments/refunds/claim-rule.ts';
import { type ProvenPayer, provenPayers } from '../../../payments/refunds/payers.ts';
import { paidElsewise } from '../../../payments/refunds/refund-price.ts';
import { type Refund, refundsOf } from '../../../payments/refunds/refund-rows.ts';
import { leftBy, paidLeftOf, refundableOf, refundStateOf } from '../../../payments/refunds/refund-rule.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { isId } from '../../../platform/ids.ts';
import type { OperatorContext } from '../../context.ts';

type Parts = Pick<OperatorContext, 'walletAddresses' | 'clock'>;

/** Who paid a payment, and what has been given back of it. */
export interface RefundFacts {
  payers: Payer[];
  refunds: ShownRefund[];
  /** What refunds have brought back to their payers so far, in smallest units of the account. */
  refunded: bigint;
}

export const NO_REFUNDS: RefundFacts = { payers: [], refunds: [], refunded: 0n };

/** Reads the payers and refunds of incoming payments, by the ids of the payments. */
export async function refundFactsOf(
  { walletAddresses, clock }: Parts,
  reader: Reader,
  payments: readonly { id: string; received: bigint; asset: Asset }[],
): Promise<ReadonlyMap<string, RefundFacts>> {
  const ids = payments.map(({ id }) => id);
  const paid = Map.groupBy(await provenPayers(reader, ids), ({ incomingPaymentId }) => incomingPaymentId);
  const refunds = Map.groupBy(await refundsOf(reader, ids), ({ incomingPaymentId }) => incomingPaymentId);
  if (paid.size === 0 && refunds.size === 0) return new Map();
  const claims = Map.groupBy(await claimsOf(reader, ids), ({ incomingPaymentId }) => incomingPaymentId);
  const now = clock.now();
  const shownPayer = async (payer: string) => {
    const account = isId(payer) ? await walletAddresses.byId(payer) : undefined;
    return { walletAddress: account === undefined ? payer : walletAddresses.urlOf(account), accountId: account?.id ?? null };
  };
  const facts = new Map<string, RefundFacts>();
  for (const { id, received, asset } of payments) {
    const all = refunds.get(id) ?? [];
    const most = leftOf({ received, refunds: all, claims: claims.get(id) ?? [] }, now);
    const payers: Payer[] = [];
    for (const one of paid.get(id) ?? []) {
      const theirs = all.filter((refund) => refund.payer === one.payer);
      const value = refundableOf(one.amount, theirs);
      const refundable = { value: value < most ? value : most, ...asset };
      payers.push({
        ...(await shownPayer(one.payer)),
        ...{ amount: { value: one.amount, ...asset }, refundable, paid: shownPaid(one, theirs, asset) },
      });
    }
    const shown: ShownRefund[] = [];
    for (const refund of all) shown.push({ ...shownRefund(refund, asset), payer: (await shownPayer(refund.payer)).walletAddress });
    facts.set(id, { payers, refunds: shown, refunded: all.reduce((sum, refund) => sum + leftBy(refund), 0n) });
  }
  return facts;
}

/** What a payer paid in another currency than the account's, and how much of it can still go back. */
function shownPaid(payer: ProvenPayer, refunds: readonly Refund[], asset: Asset): Payer['paid'] {
  const amount = paidElsewise(payer, asset);
  if (amount === undefined) return null;
  return { amount, left: { ...amount, value: paidLeftOf({ paid: amount.value, amount: payer.amount }, refunds) } };
}

const shownRefund = (refund: Refund, asset: Asset) => ({
  id: refund.id,
  amount: { value: refund.amount, ...asset },
  receive: receiveOf(refund),
  left: { value: leftBy(refund), ...asset },
  reason: refund.reason,
  state: refundStateOf(refund),
  claimed: refund.claimed,
  failure: refund.state === 'failed' ? refund.failure : refund.state === 'doubted' ? 'restored' : refund.paymentFailure,
  outgoingPaymentId: refund.outgoingPaymentId,
  createdAt: new Date(refund.createdAt),
});

/** What arrives of a refund of what they paid. */
function receiveOf({ receive: value, receiveAssetCode, receiveAssetScale }: Refund): ShownRefund['receive'] {
  if (value === null || receiveAssetCode === null || receiveAssetScale === null) return null;
  return { value, assetCode: receiveAssetCode, assetScale: receiveAssetScale };
}
