import { type Amount, sameAsset } from '../../../src-shared/amounts.ts';
import type { RequestMarks } from '../../access/clients/repetitions.ts';
import { type LimitRefusal, reserve } from '../../access/grants/spending-limits.ts';
import type { Limits } from '../../access/rights/access-rights.ts';
import { exchangeAccount } from '../../exchange/exchange-accounts.ts';
import { appendEvent } from '../../journal/events.ts';
import { accountId, holdTransfer, transfer } from '../../ledger/ledger.ts';
import { prepared, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { together } from '../../platform/database/together.ts';
import { ok, Refused, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, type IncomingPayment, roomOf, statusOf } from '../incoming/incoming-payments.ts';
import type { Quote, QuoteProblem } from '../quotes/quotes.ts';
import type { ReceiverProblem, RemoteReceiver } from '../quotes/receivers.ts';
import { searchTextOf } from '../search-text.ts';
import { type JsonObject, outgoingPayments } from '../tables.ts';
import { LIFETIME_MS } from './deadlines.ts';
import { type Claim, type OutgoingPayment, receiveAsset } from './outgoing-payment-rows.ts';

/** The right by which a client pays. */
interface SpendingRight {
  client: string;
  grantId: string;
  limits: Limits | undefined;
}

/** What an outgoing payment needs in both ways of creating it (decisions.md#D-16). */
export interface NewOutgoingPayment {
  walletAddress: WalletAddress;
  /** The client's right. It is null when the operator pays. */
  right: SpendingRight | null;
  metadata?: JsonObject | undefined;
  /** The marks of the client's request. A copy of the request gets the payment that exists (decisions.md#D-45). */
  marks?: RequestMarks | undefined;
  /** SHA-256 (base64url) of the id of the operator's request, for the same purpose. */
  requestHash?: string | undefined;
  /** Does what must be true together with the payment. An error that it throws undoes the payment. */
  inSameWrite?: ((tx: Tx, payment: OutgoingPayment) => Promise<void>) | undefined;
  /** The words of what that reads before it decides; see `touches` of the database. */
  touches?: readonly string[] | undefined;
}

/** An outgoing payment that is made from a quote. */
export interface FromQuote extends NewOutgoingPayment {
  quoteId: string;
}

/** An outgoing payment that is made directly to an incoming payment, without a quote before it. */
export interface FromIncomingPayment extends NewOutgoingPayment {
  /** URL of the incoming payment to be paid. */
  incomingPayment: string;
  debitAmount: Amount;
}

/**
 * Why there is no payment. The quote is checked first, then the limits of the grant, then the receiver, and the funds
 * last (decisions.md#D-21). Nothing is stored then. `quote_used` carries the payment that used the quote.
 */
export type OutgoingPaymentProblem =
  | { code: 'unknown_quote' | 'quote_of_other_wallet_address' | 'quote_expired' | 'insufficient_balance' }
  | { code: 'quote_used'; outgoingPaymentId: string }
  | QuoteProblem
  | { code: LimitRefusal };

/**
 * A receiver at another wallet as the node read it just before the write, or why the node could not read it. It is
 * undefined for a receiver on this node.
 */
export type RemoteCheck = Result<RemoteReceiver, ReceiverProblem> | undefined;

const insert = prepared((tx: Tx) => tx.insert(outgoingPayments).values(placeholdersOf(outgoingPayments)).prepare());
/** Checks that this payer may use the quote at the moment `now`. */
export function usableQuote(quote: Quote | undefined, wanted: NewOutgoingPayment, now: number): Result<Quote, OutgoingPaymentProblem> {
  if (quote === undefined || quote.client !== (wanted.right?.client ?? null)) return refuse({ code: 'unknown_quote' });
  if (quote.walletAddressId !== wanted.walletAddress.id) return refuse({ code: 'quote_of_other_wallet_address' });
  if (quote.outgoingPaymentId !== null) return refuse({ code: 'quote_used', outgoingPaymentId: quote.outgoingPaymentId });
  if (now >= quote.expiresAt) return refuse({ code: 'quote_expired' });
  return ok(quote);
}

/**
 * Counts the payment against its grant, sets its money aside and stores it, in the caller's write (decisions.md#D-21).
 * The same write stores that this payment uses the quote.
 * @param claim who sends it at once. Without a claim the next worker that has room takes it.
 * @throws Refused with an OutgoingPaymentProblem.
 * @throws BooksDamaged when the books of the payer, or of a receiver on this node, are damaged.
 */
export async function fund(
  tx: Tx,
  wanted: NewOutgoingPayment,
  { quote, remote }: { quote: Quote; remote: RemoteCheck },
  { id, now, claim }: { id: string; now: number; claim: Claim | undefined },
): Promise<OutgoingPayment> {
  const { walletAddress, right } = wanted;
  const [reserved, receiver] = await together([
    right === null ? undefined : reserveBudget(tx, right, walletAddress, quote, now),
    quote.receiverId === null ? openRemote(quote, remote, now) : openOwn(tx, quote.receiverId, quote, now),
  ]);
  const payment: OutgoingPayment = {
    id,
    walletAddressId: walletAddress.id,
    quoteId: quote.id,
    client: right?.client ?? null,
    grantId: right?.grantId ?? null,
    spendingWindow: reserved?.windowStart ?? null,
    grantSpentDebit: reserved?.grantSpentDebit.value ?? null,
    grantSpentReceive: reserved?.grantSpentReceive.value ?? null,
    receiver: quote.receiver,
    receiverId: quote.receiverId,
    boundTo: null,
    debitAmount: quote.debitAmount,
    receiveAmount: quote.receiveAmount,
    receiveAssetCode: quote.receiveAssetCode,
    receiveAssetScale: quote.receiveAssetScale,
    sent: 0n,
    delivered: 0n,
    held: 0n,
    packets: 0,
    failure: null,
    metadata: wanted.metadata ?? null,
    search: searchTextOf(wanted.metadata ?? null),
    requestHash: wanted.requestHash ?? null,
    ...beginningOf(claim, now),
    fruitless: 0,
    deadline: Math.min(now + LIFETIME_MS, receiver.expiresAt ?? Number.MAX_SAFE_INTEGER),
    createdAt: now,
    updatedAt: now,
  };
  await setAside(tx, payment, { walletAddress, own: 'walletAddressId' in receiver ? receiver : undefined });
  await insert(tx).execute(payment);
  await wanted.inSameWrite?.(tx, payment);
  await appendEvent(tx, {
    type: 'outgoing_payment.created',
    subject: id,
    walletAddressId: walletAddress.id,
    body: { amount: quote.debitAmount.toString(), ...(right && { client: right.client, grant: right.grantId }) },
    at: now,
  });
  return payment;
}

/** What a payment has of a worker when it is made. */
const beginningOf = (claim: Claim | undefined, now: number) =>
  claim === undefined
    ? ({ state: 'funded', attempt: 0, holder: null, dueAt: now } as const)
    : ({ state: 'sending', attempt: 1, holder: claim.holder, dueAt: claim.until } as const);

/**
 * Sets aside what the payment may cost.
 *
 * Most payments go from one account of this node to another in one currency, and one packet takes everything. Such a
 * payment is one transfer from account to account, held under the payment's own id until that packet comes
 * (decisions.md#D-91). The money of all other payments waits in escrow, from where packets take their parts. Between
 * currencies, what the exchange account will pay is set aside as well.
 * @param own the receiver, when it is on this node.
 */
async function setAside(
  tx: Tx,
  payment: OutgoingPayment,
  { walletAddress, own }: { walletAddress: WalletAddress; own: IncomingPayment | undefined },
): Promise<void> {
  const { id, debitAmount: amount, createdAt: at } = payment;
  const isExchanged = !sameAsset(walletAddress, receiveAsset(payment));
  const debit = accountId('customer', walletAddress.id);
  const moved =
    own === undefined || isExchanged || own.walletAddressId === walletAddress.id
      ? await transfer(tx, { kind: 'reservation', debit, credit: accountId('escrow', walletAddress.id), amount, paymentId: id, at })
      : await holdTransfer(tx, {
          id,
          kind: 'payment',
          debit,
          credit: accountId('customer', own.walletAddressId),
          amount,
          paymentId: id,
          at,
        });
  if (!moved.ok) throw new Refused({ code: 'insufficient_balance' });
  if (isExchanged && own !== undefined) await promise(tx, payment, own);
}

/**
 * Sets aside what the exchange account will pay the receiver. So a payment that was accepted does not fail because
 * another payment, or the operator, took that money in the meantime. The money is held under the payment's own id. Each
 * packet draws its part, and the end of the payment gives back the rest.
 */
async function promise(
  tx: Tx,
  { id, receiveAmount, createdAt: at, ...payment }: OutgoingPayment,
  receiver: IncomingPayment,
): Promise<void> {
  const [debit, credit] = [exchangeAccount(receiveAsset(payment)), accountId('customer', receiver.walletAddressId)];
  const held = await holdTransfer(tx, { id, kind: 'payment', debit, credit, amount: receiveAmount, paymentId: id, at });
  if (!held.ok) throw new Refused({ code: 'no_liquidity' });
}

async function reserveBudget(tx: Tx, right: SpendingRight, walletAddress: WalletAddress, quote: Quote, now: number) {
  const { assetCode, assetScale } = walletAddress;
  const reserved = await reserve(tx, {
    grantId: right.grantId,
    limits: right.limits,
    receiver: quote.receiver,
    debit: { value: quote.debitAmount, assetCode, assetScale },
    receive: { value: quote.receiveAmount, ...receiveAsset(quote) },
    now,
  });
  if (!reserved.ok) throw new Refused({ code: reserved.error });
  return reserved.value;
}

async function openOwn(tx: Tx, id: string, quote: Quote, now: number): Promise<IncomingPayment> {
  const receiver = await findIncomingPayment(tx, id);
  if (receiver === undefined) throw new Refused({ code: 'unknown_receiver' });
  if (statusOf(receiver, now) !== 'open') throw new Refused({ code: 'receiver_closed' });
  if (quote.receiveAmount > roomOf(receiver)) throw new Refused({ code: 'invalid_amount' });
  return receiver;
}

/**
 * Checks a receiver at another wallet in the same way as one of this node. Only that wallet can lock it: money that
 * arrives too late is rejected there and comes back.
 */
async function openRemote(quote: Quote, remote: RemoteCheck, now: number): Promise<RemoteReceiver> {
  if (remote === undefined) throw new Refused({ code: 'unknown_receiver' });
  if (!remote.ok) throw new Refused({ code: remote.error });
  const { asset, remaining, expiresAt } = remote.value;
  if (expiresAt !== undefined && now >= expiresAt) throw new Refused({ code: 'receiver_closed' });
  // A wallet that has changed the asset of what it asked for has made the price meaningless.
  if (!sameAsset(asset, receiveAsset(quote))) throw new Refused({ code: 'invalid_amount' });
  if (remaining !== undefined && quote.receiveAmount > remaining) throw new Refused({ code: 'invalid_amount' });
  return remote.value;
}
