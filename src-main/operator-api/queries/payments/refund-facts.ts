import type { Asset } from '../../../../src-shared/amounts.ts';
import type { Payer, Refund as ShownRefund } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { givenBackOf } from '../../../payments/refunds/claim-rows.ts';
import { leftOf } from '../../../payments/refunds/claim-rule.ts';
import { firstPayers, firstPayersHere, type ProvenPayer, payersOf } from '../../../payments/refunds/payers.ts';
import { paidElsewise } from '../../../payments/refunds/refund-price.ts';
import { findRefund, type Refund, refundedSoFar, refundsOf, refundsTo } from '../../../payments/refunds/refund-rows.ts';
import { leftBy, paidLeftOf, refundableOf, refundStateOf } from '../../../payments/refunds/refund-rule.ts';
import { isId } from '../../../platform/ids.ts';
import type { OperatorContext } from '../../context.ts';

type Parts = Pick<OperatorContext, 'walletAddresses' | 'clock' | 'database'>;

/** How many payers and refunds a page shows that was not asked for them alone. */
const MOST_SHOWN = 20;
/** How many of them are read at once. */
const PART = 100;

/** A received payment, whose amounts are in smallest units of its account. */
interface Received {
  id: string;
  received: bigint;
  asset: Asset;
}

/** The first payers of a payment, its newest refunds, and what refunds have taken so far. */
interface RefundFacts {
  payers: Payer[];
  morePayers: boolean;
  refunds: ShownRefund[];
  moreRefunds: boolean;
  refunded: bigint;
}

/** Reads who paid a payment, and what has been given back of it, as far as a page shows it at first. */
export async function refundFactsOf(parts: Parts, payment: Received): Promise<RefundFacts> {
  const [payers, refunds] = [await payersPart(parts, payment, {}, MOST_SHOWN), await refundsPart(parts, payment, undefined, MOST_SHOWN)];
  return {
    ...{ payers: payers.items, morePayers: payers.nextCursor !== null },
    ...{ refunds: refunds.items, moreRefunds: refunds.nextCursor !== null },
    refunded: (await refundedSoFar(parts.database.readAside, [payment.id])).get(payment.id) ?? 0n,
  };
}

/** The wallet addresses of the first payers of each of these payments. */
export async function payerUrls(parts: Parts, ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const { readAside } = parts.database;
  const [here, elsewhere] = [await firstPayersHere(readAside, ids, MOST_SHOWN), await firstPayers(readAside, ids, MOST_SHOWN)];
  const urls = new Map<string, string[]>();
  for (const id of new Set([...here.keys(), ...elsewhere.keys()])) {
    const names = [...(here.get(id) ?? []), ...(elsewhere.get(id) ?? [])].slice(0, MOST_SHOWN);
    const shown = [];
    for (const name of names) shown.push((await shownPayer(parts, name)).walletAddress);
    urls.set(id, shown);
  }
  return urls;
}

/**
 * Reads a part of the payers of a payment.
 * @param wanted the cursor of the part before, and a part of the wallet addresses
 */
export async function payersPart(
  parts: Parts,
  { id, received, asset }: Received,
  { cursor, text }: { cursor?: string | undefined; text?: string | undefined },
  most = PART,
): Promise<{ items: Payer[]; nextCursor: string | null }> {
  const { readAside } = parts.database;
  const found = await payersOf(readAside, id, { after: cursor, named: text?.toLowerCase() || undefined, most: most + 1 });
  const shown = found.slice(0, most);
  if (shown.length === 0) return { items: [], nextCursor: null };
  const left = leftOf(await givenBackOf(readAside, { id, received }), parts.clock.now());
  const names = shown.map(({ payer }) => payer);
  const refunds = Map.groupBy(await refundsTo(readAside, id, names), ({ payer }) => payer);
  const items: Payer[] = [];
  for (const one of shown) {
    const theirs = refunds.get(one.payer) ?? [];
    const value = refundableOf(one.amount, theirs);
    const refundable = { value: value < left ? value : left, ...asset };
    const amounts = { amount: { value: one.amount, ...asset }, refundable, paid: shownPaid(one, theirs, asset) };
    items.push({ ...(await shownPayer(parts, one.payer)), ...amounts });
  }
  return { items, nextCursor: found.length > most ? (names.at(-1) ?? null) : null };
}

/** Reads a part of the refunds of a payment, the newest first. @param cursor the last refund of the part before */
export async function refundsPart(
  parts: Parts,
  { id, asset }: Pick<Received, 'id' | 'asset'>,
  cursor: string | undefined,
  most = PART,
): Promise<{ items: ShownRefund[]; nextCursor: string | null }> {
  const { readAside } = parts.database;
  const before = cursor === undefined ? undefined : await findRefund(readAside, cursor);
  const found = await refundsOf(readAside, id, { before, most: most + 1 });
  const items: ShownRefund[] = [];
  for (const refund of found.slice(0, most))
    items.push({ ...shownRefund(refund, asset), payer: (await shownPayer(parts, refund.payer)).walletAddress });
  return { items, nextCursor: found.length > most ? (items.at(-1)?.id ?? null) : null };
}

/** A payer's wallet address, and their account where it is one of this node. */
export async function shownPayer({ walletAddresses }: Pick<Parts, 'walletAddresses'>, payer: string) {
  const account = isId(payer) ? await walletAddresses.byId(payer) : undefined;
  return { walletAddress: account === undefined ? payer : walletAddresses.urlOf(account), accountId: account?.id ?? null };
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
