import { and, count, eq, inArray, sql } from 'drizzle-orm';
import type { Amount, Asset } from '../../src-shared/amounts.ts';
import type { Limits } from '../access/access-rights.ts';
import { type LimitRefusal, reserve } from '../access/spending-limits.ts';
import { accountId, transfer } from '../ledger/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { appendEvent } from '../platform/events.ts';
import { newId } from '../platform/ids.ts';
import { ok, Refused, type Result, refuse, settle } from '../platform/result.ts';
import { findIncomingPayment, type IncomingPayment, type ListRequest, remainingOf, statusOf } from './incoming-payments.ts';
import { type Page, pageQuery, toPage } from './pages.ts';
import { findQuote, insertQuote, type Quote, type QuoteProblem, type Quotes } from './quotes.ts';
import { type JsonObject, outgoingPayments, quotes } from './tables.ts';
import type { WalletAddress } from './wallet-addresses.ts';

export type OutgoingPayment = typeof outgoingPayments.$inferSelect;

/** The right by which a client pays. */
export interface SpendingRight {
  client: string;
  grantId: string;
  limits: Limits | undefined;
}

interface Common {
  walletAddress: WalletAddress;
  /** Null when the operator pays. */
  right: SpendingRight | null;
  metadata?: JsonObject | undefined;
  /** SHA-256 (base64url) of key thumbprint and signature: the same signed request again answers with the payment it created. */
  requestHash?: string | undefined;
}

export interface FromQuote extends Common {
  quoteId: string;
}

export interface FromIncomingPayment extends Common {
  /** URL of the incoming payment. */
  incomingPayment: string;
  debitAmount: Amount;
}

/**
 * Why there is no payment. Checked in this order: the quote, the limits of the grant, the receiver, the funds; nothing is
 * stored. `quote_used` carries the payment that used it.
 */
export type OutgoingPaymentProblem =
  | { code: 'unknown_quote' | 'quote_of_other_wallet_address' | 'quote_expired' | 'insufficient_balance' }
  | { code: 'quote_used'; outgoingPaymentId: string }
  | { code: QuoteProblem }
  | { code: LimitRefusal };

type Outcome = Result<OutgoingPayment, OutgoingPaymentProblem>;

/** How long an outgoing payment may take, not past the receiver's expiry (decisions, "rate and time"). */
const LIFETIME_MS = 10 * 60_000;

const $ = sql.placeholder;
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(outgoingPayments)
    .where(eq(outgoingPayments.id, $('id')))
    .prepare(),
);
const byRequest = prepared((reader: Reader) =>
  reader
    .select()
    .from(outgoingPayments)
    .where(eq(outgoingPayments.requestHash, $('requestHash')))
    .prepare(),
);
const insert = prepared((tx: Tx) =>
  tx
    .insert(outgoingPayments)
    .values({
      id: $('id'),
      walletAddressId: $('walletAddressId'),
      quoteId: $('quoteId'),
      client: $('client'),
      grantId: $('grantId'),
      spendingWindow: $('spendingWindow'),
      grantSpentDebit: $('grantSpentDebit'),
      grantSpentReceive: $('grantSpentReceive'),
      receiver: $('receiver'),
      receiverId: $('receiverId'),
      debitAmount: $('debitAmount'),
      receiveAmount: $('receiveAmount'),
      receiveAssetCode: $('receiveAssetCode'),
      receiveAssetScale: $('receiveAssetScale'),
      sent: 0n,
      delivered: 0n,
      packets: 0,
      state: 'funded',
      failure: null,
      metadata: $('metadata'),
      requestHash: $('requestHash'),
      attempt: 0,
      fruitless: 0,
      dueAt: $('createdAt'),
      deadline: $('deadline'),
      createdAt: $('createdAt'),
      updatedAt: $('createdAt'),
    })
    .prepare(),
);
const useQuote = prepared((tx: Tx) =>
  tx
    .update(quotes)
    .set({ outgoingPaymentId: sql`${$('paymentId')}` })
    .where(eq(quotes.id, $('id')))
    .prepare(),
);

/** Reads one, through the reader or inside a write. */
export async function findOutgoingPayment(reader: Reader, id: string): Promise<OutgoingPayment | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

/** How many payments were made with each of these grants; grants without any are left out. */
export async function countPaymentsByGrant(reader: Reader, grantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .select({ grantId: outgoingPayments.grantId, payments: count() })
    .from(outgoingPayments)
    .where(inArray(outgoingPayments.grantId, [...grantIds]))
    .groupBy(outgoingPayments.grantId);
  return new Map(rows.map((row) => [row.grantId ?? '', Number(row.payments)]));
}

/** States after which nothing about a payment changes any more. */
export const isFinal = (payment: Pick<OutgoingPayment, 'state'>): boolean => payment.state === 'completed' || payment.state === 'failed';

export const receiveAsset = (payment: Pick<OutgoingPayment, 'receiveAssetCode' | 'receiveAssetScale'>): Asset => ({
  assetCode: payment.receiveAssetCode,
  assetScale: payment.receiveAssetScale,
});

/** The outgoing payments of this node's wallet addresses (specification, "Outgoing payment"). */
export class OutgoingPayments {
  readonly #database: Database;
  readonly #quotes: Quotes;
  readonly #clock: Clock;
  readonly #onCreated: () => void;

  /** @param onCreated wakes the worker; called after the payment is durable. */
  constructor(parts: { database: Database; quotes: Quotes; clock: Clock; onCreated: () => void }) {
    this.#database = parts.database;
    this.#quotes = parts.quotes;
    this.#clock = parts.clock;
    this.#onCreated = parts.onCreated;
  }

  async find(id: string): Promise<OutgoingPayment | undefined> {
    return await findOutgoingPayment(this.#database.read, id);
  }

  async createFromQuote(wanted: FromQuote): Promise<Outcome> {
    return await this.#create(wanted, (tx) => findQuote(tx, wanted.quoteId));
  }

  async createFromIncomingPayment(wanted: FromIncomingPayment): Promise<Outcome> {
    const { walletAddress, right, incomingPayment: receiver, debitAmount } = wanted;
    const price = await this.#quotes.price({ walletAddress, client: right?.client ?? null, receiver, debitAmount });
    if (!price.ok) {
      // The same request may have paid the receiver before, which is then closed to a second one.
      const earlier = wanted.requestHash === undefined ? undefined : await this.#findByRequest(this.#database.read, wanted.requestHash);
      return earlier === undefined ? refuse({ code: price.error }) : ok(earlier);
    }
    return await this.#create(wanted, async (tx) => {
      await insertQuote(tx, price.value);
      return price.value;
    });
  }

  async list(request: ListRequest): Promise<Result<Page<OutgoingPayment>, 'unknown_cursor'>> {
    const { walletAddressId, client, cursor, size } = request;
    const place = cursor === undefined ? undefined : await this.find(cursor);
    const visible = place?.walletAddressId === walletAddressId && (client === undefined || place.client === client);
    if (cursor !== undefined && !visible) return refuse('unknown_cursor');
    const { where, orderBy } = pageQuery(outgoingPayments, request, place);
    const owner = client === undefined ? undefined : eq(outgoingPayments.client, client);
    const rows = await this.#database.read
      .select()
      .from(outgoingPayments)
      .where(and(eq(outgoingPayments.walletAddressId, walletAddressId), owner, where))
      .orderBy(...orderBy)
      .limit(size + 1);
    return ok(toPage(rows, request));
  }

  async #findByRequest(reader: Reader, requestHash: string): Promise<OutgoingPayment | undefined> {
    const [row] = await byRequest(reader).execute({ requestHash });
    return row;
  }

  async #create(wanted: Common, quoteIn: (tx: Tx) => Promise<Quote | undefined>): Promise<Outcome> {
    const id = newId();
    const now = this.#clock.now();
    let repeated = false;
    const outcome = await settle(
      this.#database.write(async (tx): Promise<Outcome> => {
        const earlier = wanted.requestHash === undefined ? undefined : await this.#findByRequest(tx, wanted.requestHash);
        repeated = earlier !== undefined;
        if (earlier !== undefined) return ok(earlier);
        const quote = usable(await quoteIn(tx), wanted, now);
        if (!quote.ok) return quote;
        return ok(await fund(tx, wanted, quote.value, id, now));
      }),
    );
    if (outcome.ok && !repeated) this.#onCreated();
    return outcome;
  }
}

function usable(quote: Quote | undefined, wanted: Common, now: number): Result<Quote, OutgoingPaymentProblem> {
  if (quote === undefined || quote.client !== (wanted.right?.client ?? null)) return refuse({ code: 'unknown_quote' });
  if (quote.walletAddressId !== wanted.walletAddress.id) return refuse({ code: 'quote_of_other_wallet_address' });
  if (quote.outgoingPaymentId !== null) return refuse({ code: 'quote_used', outgoingPaymentId: quote.outgoingPaymentId });
  if (now >= quote.expiresAt) return refuse({ code: 'quote_expired' });
  return ok(quote);
}

/**
 * Counts the payment against its grant, sets its money aside and stores it.
 * @throws Refused with an OutgoingPaymentProblem.
 */
async function fund(tx: Tx, wanted: Common, quote: Quote, id: string, now: number): Promise<OutgoingPayment> {
  const { walletAddress, right } = wanted;
  const reserved = right === null ? undefined : await reserveBudget(tx, right, walletAddress, quote, now);
  const receiver = await openReceiver(tx, quote, now);
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
    debitAmount: quote.debitAmount,
    receiveAmount: quote.receiveAmount,
    receiveAssetCode: quote.receiveAssetCode,
    receiveAssetScale: quote.receiveAssetScale,
    sent: 0n,
    delivered: 0n,
    packets: 0,
    state: 'funded',
    failure: null,
    metadata: wanted.metadata ?? null,
    requestHash: wanted.requestHash ?? null,
    attempt: 0,
    fruitless: 0,
    dueAt: now,
    deadline: Math.min(now + LIFETIME_MS, receiver.expiresAt ?? Number.MAX_SAFE_INTEGER),
    createdAt: now,
    updatedAt: now,
  };
  const [debit, credit] = [accountId('customer', walletAddress.id), accountId('escrow', walletAddress.id)];
  const moved = await transfer(tx, { kind: 'reservation', debit, credit, amount: quote.debitAmount, paymentId: id, at: now });
  if (!moved.ok) throw new Refused({ code: 'insufficient_balance' });
  await insert(tx).execute(payment);
  await useQuote(tx).execute({ id: quote.id, paymentId: id });
  await appendEvent(tx, {
    type: 'outgoing_payment.created',
    subject: id,
    walletAddressId: walletAddress.id,
    body: { amount: quote.debitAmount.toString(), ...(right && { client: right.client, grant: right.grantId }) },
    at: now,
  });
  return payment;
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

async function openReceiver(tx: Tx, quote: Quote, now: number): Promise<IncomingPayment> {
  const receiver = quote.receiverId === null ? undefined : await findIncomingPayment(tx, quote.receiverId);
  if (receiver === undefined) throw new Refused({ code: 'unknown_receiver' });
  if (statusOf(receiver, now) !== 'open') throw new Refused({ code: 'receiver_closed' });
  const remaining = remainingOf(receiver);
  if (remaining !== undefined && quote.receiveAmount > remaining) throw new Refused({ code: 'invalid_amount' });
  return receiver;
}

/** States in which a payment still holds money in escrow. */
export const UNFINISHED = ['funded', 'sending', 'retrying'] as const;
