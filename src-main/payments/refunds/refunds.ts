import { eq } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import { refuseDamaged } from '../../ledger/audit/damages.ts';
import { accountId, spendableIn } from '../../ledger/ledger.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { shopToday } from '../../shop/shop.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment } from '../incoming/incoming-payments.ts';
import type { OperatorPayments } from '../outgoing/operator-payments.ts';
import { findClaim, givenBackOf, type StoredClaim } from './claim-rows.ts';
import { leftOf } from './claim-rule.ts';
import type { ProvenPayer } from './payers.ts';
import { allowanceOf, type NotYours, type OverLimit, overLimit, type Refunder } from './refund-limits.ts';
import { meantPayer, type PriceProblem, priceRefund, type RefundPrice } from './refund-price.ts';
import { type Refund, refundsTo } from './refund-rows.ts';
import { paidLeftOf, refundableOf } from './refund-rule.ts';
import { type ClaimedBy, refunds } from './tables.ts';

/** A refund that the operator asks for. */
interface NewRefund {
  /** The id of the intention. The same id again answers with the refund that it made. */
  id: string;
  incomingPaymentId: string;
  /** The URL of the payer's wallet address. Without it, the refund is for the one proven payer. */
  payer?: string | undefined;
  /** The most that leaves the account, fees included, in its smallest units; above 0. */
  amount: bigint;
  /**
   * The amount that is to arrive, in smallest units of the currency in which the payer paid; above 0. Without it,
   * `amount` leaves the account, and the price decides what arrives.
   */
  receive?: bigint | undefined;
  /** The reason, which the payer reads. */
  reason?: string | undefined;
  /** The person who asks. Their limit counts. */
  by: Refunder;
  /** Does what must be true together with the refund. An error that it throws undoes the refund. */
  inSameWrite?: ((tx: Tx, payment: IncomingPayment) => Promise<void>) | undefined;
}

/**
 * Why there is no refund, unless it is beyond a limit. Nothing is stored then.
 * - `not_found`: there is no such incoming payment.
 * - `payer_unknown`: it is not proven who paid, or not by that wallet address, or several did and none is named.
 * - `too_much`: more than came from that payer, less the most that other refunds can have given back.
 * - `insufficient_balance`: the account has less than that to spend.
 * - `id_taken`: the id is that of another refund.
 * - `no_limit_set`, `not_todays_sale`: see {@link NotYours}.
 * - `price_changed`: what is to arrive costs more by now than the amount.
 * - `costs`: what is to arrive costs more than can still be refunded, which is `most`.
 */
export type RefundProblem =
  | NotYours
  | PriceProblem
  | 'too_much'
  | 'insufficient_balance'
  | 'id_taken'
  | 'price_changed'
  | { costs: bigint; most: bigint };

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: WalletAddresses;
  operatorPayments: Pick<OperatorPayments, 'quote'>;
  /** Wakes the worker. It is called once the refund is durable. */
  onCreated: () => void;
}

/**
 * The refunds of received payments. Open Payments has none, so a refund is an outgoing payment to a new incoming
 * payment at the payer's wallet.
 */
export class Refunds {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reserves a refund. The worker carries it out. The same write looks at all other refunds and claim links of the
   * payment, and no other write runs beside it, so that all of them together never give back more than was received
   * (decisions.md#D-232).
   * @throws BooksDamaged when the books of the account are damaged.
   */
  async create(wanted: NewRefund): Promise<Result<void, RefundProblem | OverLimit>> {
    const { database, clock, walletAddresses, onCreated } = this.#parts;
    const own = wanted.payer === undefined ? undefined : await walletAddresses.byUrl(wanted.payer);
    const payer = own?.id ?? wanted.payer;
    const priced = await this.#priced({ ...wanted, payer });
    if (!priced.ok) return priced;
    const at = clock.now();
    // The job names nothing, so it runs alone: no other refund of the payment is counted beside it.
    const made = await database.write((tx) => reserveIn(tx, { ...wanted, payer, price: priced.value }, at));
    failPoint('refund-step');
    if (made.ok) onCreated();
    return made;
  }

  /** Says what it costs now to let exactly that amount arrive. It reserves nothing. */
  async price({
    payer,
    ...wanted
  }: Pick<NewRefund, 'incomingPaymentId' | 'payer'> & { receive: bigint }): Promise<Result<RefundPrice, PriceProblem>> {
    return await priceRefund(this.#parts, { ...wanted, payer: await this.#named(payer) });
  }

  /** The one proven payer who is meant. @param url their wallet address; undefined when there is one payer */
  async payer(incomingPaymentId: string, url: string | undefined): Promise<ProvenPayer | undefined> {
    return await meantPayer(this.#parts.database.readAside, incomingPaymentId, await this.#named(url));
  }

  /** How payers are named in the books: an account of this node by its id. */
  async #named(url: string | undefined): Promise<string | undefined> {
    const own = url === undefined ? undefined : await this.#parts.walletAddresses.byUrl(url);
    return own?.id ?? url;
  }

  /** The price of a refund in the payer's own currency. A refund that exists already needs none. */
  async #priced({ receive, ...wanted }: NewRefund): Promise<Result<RefundPrice | undefined, PriceProblem>> {
    if (receive === undefined) return ok(undefined);
    const [same] = await this.#parts.database.read.select({ id: refunds.id }).from(refunds).where(eq(refunds.id, wanted.id));
    return same === undefined ? await priceRefund(this.#parts, { ...wanted, receive }) : ok(undefined);
  }
}

async function reserveIn(
  tx: Tx,
  { id, incomingPaymentId, reason, by, inSameWrite, price, ...wanted }: NewRefund & { price: RefundPrice | undefined },
  at: number,
): Promise<Result<void, RefundProblem | OverLimit>> {
  const [same] = await tx.select().from(refunds).where(eq(refunds.id, id));
  if (same !== undefined) return isSameRefund(same, { incomingPaymentId, ...wanted }) ? ok(undefined) : refuse('id_taken');
  // The refund of a claim link has the id of the claim.
  if ((await findClaim(tx, id)) !== undefined) return refuse('id_taken');
  const payment = await findIncomingPayment(tx, incomingPaymentId);
  if (payment === undefined) return refuse('not_found');
  const allowance = await allowanceOf(tx, by, payment, at);
  if (allowance.kind === 'none') return refuse(allowance.why);
  const paid = await meantPayer(tx, incomingPaymentId, wanted.payer);
  if (paid === undefined) return refuse('payer_unknown');
  const theirs = await refundsTo(tx, incomingPaymentId, [paid.payer]);
  const counted = countIn(leftOf(await givenBackOf(tx, payment), at), { paid, theirs }, { ...wanted, price });
  if (!counted.ok) return counted;
  const { amount } = counted.value;
  const over = overLimit(allowance, amount);
  if (over !== undefined) return refuse(over);
  const { day: shopDay } = await shopToday(tx, at);
  const reserved = { ...counted.value, id, payer: paid.payer, reason: reason || null, byId: by.id, byRole: by.role, shopDay };
  return await insertIn(tx, payment, { ...reserved, claimed: null, boundTo: null }, at, async () => await inSameWrite?.(tx, payment));
}

/** A request again names the same payment, payer and amounts. What it costs is then known, and at most what it says. */
function isSameRefund(same: typeof refunds.$inferSelect, wanted: Pick<NewRefund, 'incomingPaymentId' | 'payer' | 'amount' | 'receive'>) {
  const { incomingPaymentId, payer = same.payer, amount, receive = null } = wanted;
  const isAmount = receive === null ? same.amount === amount : same.amount <= amount;
  return same.incomingPaymentId === incomingPaymentId && same.payer === payer && same.receive === receive && isAmount;
}

type Counted = Pick<typeof refunds.$inferSelect, 'amount' | 'receive' | 'receiveAssetCode' | 'receiveAssetScale' | 'quoteId'>;
const AS_RECEIVED = { receive: null, receiveAssetCode: null, receiveAssetScale: null, quoteId: null };

/**
 * The amount that leaves the account for a refund, unless it is more than may leave.
 * @param ofPayment what may still be given back of the payment
 * @param payer who gets it, and all earlier refunds of the payment to them
 */
function countIn(
  ofPayment: bigint,
  { paid: { amount: proven, paid }, theirs }: { paid: ProvenPayer; theirs: readonly Refund[] },
  { amount, receive, price }: Pick<NewRefund, 'amount' | 'receive'> & { price: RefundPrice | undefined },
): Result<Counted, RefundProblem> {
  const ofPayer = refundableOf(proven, theirs);
  const most = ofPayer < ofPayment ? ofPayer : ofPayment;
  if (receive === undefined || price === undefined) return amount > most ? refuse('too_much') : ok({ amount, ...AS_RECEIVED });
  if (paid === null || receive > paidLeftOf({ paid: paid.value, amount: proven }, theirs)) return refuse('more_than_paid');
  const { id: quoteId, debitAmount, receiveAssetCode, receiveAssetScale } = price.quote;
  if (debitAmount > most) return refuse({ costs: debitAmount, most });
  return debitAmount > amount
    ? refuse('price_changed')
    : ok({ amount: debitAmount, receive, receiveAssetCode, receiveAssetScale, quoteId });
}

/** The payer to whom a claim is refunded, and who says so. */
export interface ClaimedRefund {
  /** The id of an account of this node, or the URL of a wallet address elsewhere. */
  payer: string;
  claimed: ClaimedBy;
  /** The ILP address of the peer that has to carry it; null where any may. */
  boundTo: string | null;
}

/**
 * Reserves the refund that ends a claim link, within the limits of the person who made the link. It has the id of the
 * claim, so that there is at most one. Part of the write that ends the claim.
 * @throws BooksDamaged when the books of the account are damaged.
 */
export async function reserveClaimed(
  tx: Tx,
  claim: StoredClaim,
  { payer, claimed, boundTo }: ClaimedRefund,
  at: number,
): Promise<Result<void, 'too_much' | 'insufficient_balance'>> {
  const payment = await findIncomingPayment(tx, claim.incomingPaymentId);
  if (payment === undefined) throw new Error('a claim without its payment');
  const given = await givenBackOf(tx, payment);
  const others = given.claims.filter(({ id }) => id !== claim.id);
  if (claim.amount > leftOf({ ...given, claims: others }, at)) return refuse('too_much');
  const { id, amount, reason, byId, byRole, shopDay } = claim;
  return await insertIn(tx, payment, { ...AS_RECEIVED, id, payer, amount, reason, byId, byRole, shopDay, claimed, boundTo }, at);
}

type Reserved = Pick<
  typeof refunds.$inferSelect,
  keyof Counted | 'id' | 'payer' | 'reason' | 'byId' | 'byRole' | 'shopDay' | 'claimed' | 'boundTo'
>;

/** Stores a refund that all rules allow, if its account has as much to spend. */
async function insertIn(
  tx: Tx,
  payment: IncomingPayment,
  reserved: Reserved,
  at: number,
  before?: () => Promise<void>,
): Promise<Result<void, 'insufficient_balance'>> {
  const account = accountId('customer', payment.walletAddressId);
  await refuseDamaged(tx, [account]);
  if (reserved.amount > ((await spendableIn(tx, account)) ?? 0n)) return refuse('insufficient_balance');
  await before?.();
  const state = { state: 'pending', failure: null, outgoingPaymentId: null, tries: 0, dueAt: at, holder: null } as const;
  await tx.insert(refunds).values({ ...reserved, incomingPaymentId: payment.id, ...state, createdAt: at, updatedAt: at });
  await appendEvent(tx, {
    type: 'incoming_payment.refunding',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { amount: reserved.amount.toString(), refund: reserved.id },
    at,
  });
  return ok(undefined);
}
