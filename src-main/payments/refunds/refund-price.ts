import { type Amount, type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment } from '../incoming/incoming-payments.ts';
import type { OperatorPayments, OperatorQuoteProblem } from '../outgoing/operator-payments.ts';
import type { Quote } from '../quotes/quotes.ts';
import { givenBackOf } from './claim-rows.ts';
import { leftOf } from './claim-rule.ts';
import { type ProvenPayer, payerNamed, payersOf } from './payers.ts';
import { refundsTo } from './refund-rows.ts';
import { paidLeftOf, refundableOf } from './refund-rule.ts';

/** What is to go back of what a payer paid. */
interface WantedPrice {
  incomingPaymentId: string;
  /** The id of the payer's account on this node, or the URL of a wallet address. Without it there is one payer. */
  payer?: string | undefined;
  /** What is to arrive, in smallest units of the currency in which they paid; above 0. */
  receive: bigint;
  /** The payer reads it. */
  reason?: string | undefined;
}

/**
 * Why a refund of what they paid has no price.
 * - `not_found`, `payer_unknown`: as for every refund.
 * - `paid_unknown`: nobody knows what their wallet took, or it took the currency of the account.
 * - `more_than_paid`: more than they paid, less what was given back or may be.
 * - `unpriced`: their wallet cannot be paid that now, and why.
 */
export type PriceProblem =
  | 'not_found'
  | 'payer_unknown'
  | 'paid_unknown'
  | 'more_than_paid'
  | { unpriced: Exclude<OperatorQuoteProblem['code'], 'amount_needed'> };

/** What a refund of what they paid costs the shop now. */
export interface RefundPrice {
  /** What leaves the account, fees included, and what arrives. */
  quote: Quote;
  /** The most that may leave it for this payer, in the same currency. */
  most: bigint;
  /** The account's currency. */
  asset: Asset;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byId' | 'urlOf'>;
  operatorPayments: Pick<OperatorPayments, 'quote'>;
}

/** The one proven payer who is meant. It is undefined when nobody is, or several are. */
export async function meantPayer(reader: Reader, incomingPaymentId: string, payer?: string): Promise<ProvenPayer | undefined> {
  if (payer !== undefined) return await payerNamed(reader, incomingPaymentId, payer);
  const [only, ...others] = await payersOf(reader, incomingPaymentId, { most: 2 });
  return others.length === 0 ? only : undefined;
}

/** What a payer paid in a currency other than the account's, as far as it is known. */
export const paidElsewise = ({ paid }: Pick<ProvenPayer, 'paid'>, account: Asset): Amount | undefined =>
  paid === null || sameAsset(paid, account) ? undefined : paid;

/**
 * Asks the payer's wallet for an incoming payment of exactly that amount, and prices it. It reserves nothing, and the
 * write that does looks at everything again.
 */
export async function priceRefund(parts: Parts, wanted: WantedPrice): Promise<Result<RefundPrice, PriceProblem>> {
  const { database, clock, walletAddresses, operatorPayments } = parts;
  const { incomingPaymentId, receive, reason: note } = wanted;
  const { read } = database;
  const payment = await findIncomingPayment(read, incomingPaymentId);
  const from = payment && (await walletAddresses.byId(payment.walletAddressId));
  if (payment === undefined || from === undefined) return refuse('not_found');
  const meant = await meantPayer(read, incomingPaymentId, wanted.payer);
  if (meant === undefined) return refuse('payer_unknown');
  const paid = paidElsewise(meant, from);
  if (paid === undefined) return refuse('paid_unknown');
  const theirs = await refundsTo(read, incomingPaymentId, [meant.payer]);
  if (receive > paidLeftOf({ paid: paid.value, amount: meant.amount }, theirs)) return refuse('more_than_paid');
  const own = await walletAddresses.byId(meant.payer);
  const payee = own === undefined ? meant.payer : walletAddresses.urlOf(own);
  const quoted = await operatorPayments.quote({ requestId: newId(), from, payee, deliver: receive, note });
  if (!quoted.ok) {
    const { code } = quoted.error;
    if (code === 'amount_needed') throw new Error('a price without an amount, although one was given');
    return refuse({ unpriced: code });
  }
  if (!isOf(quoted.value, paid, receive)) return refuse('paid_unknown');
  const left = leftOf(await givenBackOf(read, payment), clock.now());
  const refundable = refundableOf(meant.amount, theirs);
  return ok({ quote: quoted.value, most: refundable < left ? refundable : left, asset: from });
}

/** Whether a quote brings exactly this amount. A wallet may have another currency by now. */
export const isOf = (quote: Quote, { assetCode, assetScale }: Asset, receive: bigint): boolean =>
  quote.receiveAmount === receive && quote.receiveAssetCode === assetCode && quote.receiveAssetScale === assetScale;
