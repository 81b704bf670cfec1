import { eq, sql } from 'drizzle-orm';
import { type Amount, MAX_MOVED, sameAsset } from '../../src-shared/amounts.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type Receiver, type ReceiverProblem, type Receivers, receiverExpiry, receiverRemaining, receiverRoom } from './receivers.ts';
import { quotes } from './tables.ts';
import type { WalletAddress } from './wallet-addresses.ts';

export type Quote = typeof quotes.$inferSelect;

export interface NewQuote {
  walletAddress: WalletAddress;
  client: string | null;
  /** URL of the incoming payment to be paid. */
  receiver: string;
  /** At most one of the two; without either, what the receiver still asks for. */
  debitAmount?: Amount | undefined;
  receiveAmount?: Amount | undefined;
}

/**
 * Why there is no quote: `invalid_amount` (none to go by, not positive, another asset, or more than the receiver takes),
 * `amount_too_large` (above what can move), `no_rate` (the two assets cannot be exchanged), or the receiver's problem.
 */
export type QuoteProblem = 'invalid_amount' | 'amount_too_large' | 'no_rate' | ReceiverProblem;

const $ = sql.placeholder;
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(quotes)
    .where(eq(quotes.id, $('id')))
    .prepare(),
);

/** Reads one, through the reader or inside a write. */
export async function findQuote(reader: Reader, id: string): Promise<Quote | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

const insert = prepared((tx: Tx) =>
  tx
    .insert(quotes)
    .values({
      id: $('id'),
      walletAddressId: $('walletAddressId'),
      client: $('client'),
      receiver: $('receiver'),
      receiverId: $('receiverId'),
      debitAmount: $('debitAmount'),
      receiveAmount: $('receiveAmount'),
      receiveAssetCode: $('receiveAssetCode'),
      receiveAssetScale: $('receiveAssetScale'),
      createdAt: $('createdAt'),
      expiresAt: $('expiresAt'),
      outgoingPaymentId: $('outgoingPaymentId'),
    })
    .prepare(),
);

export async function insertQuote(tx: Tx, quote: Quote): Promise<void> {
  await insert(tx).execute(quote);
}

/** Prices for payments: what will be taken for what arrives (specification, "Outgoing payment"; facts §7.2). */
export class Quotes {
  readonly #database: Database;
  readonly #receivers: Receivers;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  constructor({ database, receivers, clock, lifetimeMs }: { database: Database; receivers: Receivers; clock: Clock; lifetimeMs: number }) {
    this.#database = database;
    this.#receivers = receivers;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  async find(id: string): Promise<Quote | undefined> {
    return await findQuote(this.#database.read, id);
  }

  async create(wanted: NewQuote): Promise<Result<Quote, QuoteProblem>> {
    const priced = await this.price(wanted);
    if (!priced.ok) return priced;
    const { quote } = priced.value;
    await this.#database.write((tx) => insertQuote(tx, quote));
    return ok(quote);
  }

  /** The quote for `wanted`, not stored, and the receiver as it was just found. */
  async price(wanted: NewQuote): Promise<Result<{ quote: Quote; receiver: Receiver }, QuoteProblem>> {
    const found = await this.#receivers.resolve(wanted.receiver, { client: wanted.client, walletAddressId: wanted.walletAddress.id });
    if (!found.ok) return found;
    const receiver = found.value;
    const amounts = priceOf(wanted, receiver);
    if (!amounts.ok) return amounts;
    const createdAt = this.#clock.now();
    const quote: Quote = {
      id: newId(),
      walletAddressId: wanted.walletAddress.id,
      client: wanted.client,
      receiver: wanted.receiver,
      receiverId: receiver.kind === 'own' ? receiver.incomingPayment.id : null,
      ...amounts.value,
      receiveAssetCode: receiver.asset.assetCode,
      receiveAssetScale: receiver.asset.assetScale,
      createdAt,
      expiresAt: Math.min(createdAt + this.#lifetimeMs, receiverExpiry(receiver) ?? Number.MAX_SAFE_INTEGER),
      outgoingPaymentId: null,
    };
    return ok({ quote, receiver });
  }
}

function priceOf(
  { walletAddress, debitAmount, receiveAmount }: NewQuote,
  receiver: Receiver,
): Result<{ debitAmount: bigint; receiveAmount: bigint }, QuoteProblem> {
  const { asset } = receiver;
  if (debitAmount && receiveAmount) return refuse('invalid_amount');
  if (debitAmount && !sameAsset(debitAmount, walletAddress)) return refuse('invalid_amount');
  if (receiveAmount && !sameAsset(receiveAmount, asset)) return refuse('invalid_amount');
  const amount = debitAmount?.value ?? receiveAmount?.value ?? receiverRemaining(receiver);
  if (amount === undefined || amount <= 0n) return refuse('invalid_amount');
  if (amount > MAX_MOVED) return refuse('amount_too_large');
  if (!sameAsset(walletAddress, asset)) return refuse('no_rate');
  if (amount > (receiverRoom(receiver) ?? MAX_MOVED)) return refuse('invalid_amount');
  return ok({ debitAmount: amount, receiveAmount: amount });
}
