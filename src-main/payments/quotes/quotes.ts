import { eq, sql } from 'drizzle-orm';
import type { Amount } from '../../../src-shared/amounts.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { quotes } from '../tables.ts';
import type { PriceProblem, Pricing } from './pricing.ts';
import { type Receiver, type ReceiverProblem, type Receivers, receiverExpiry } from './receivers.ts';

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

/** Why there is no quote: there is no price, or the receiver's problem. */
export type QuoteProblem = PriceProblem | { code: ReceiverProblem };

/** Within which a quote is made, receiver and price together: official clients give up after 5 seconds. */
const ANSWER_MS = 4_500;

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
  readonly #pricing: Pricing;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  constructor(parts: { database: Database; receivers: Receivers; pricing: Pricing; clock: Clock; lifetimeMs: number }) {
    this.#database = parts.database;
    this.#receivers = parts.receivers;
    this.#pricing = parts.pricing;
    this.#clock = parts.clock;
    this.#lifetimeMs = parts.lifetimeMs;
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
    const { walletAddress, debitAmount, receiveAmount } = wanted;
    const deadlineMs = this.#clock.now() + ANSWER_MS;
    const found = await this.#receivers.resolve(wanted.receiver, { client: wanted.client, walletAddressId: walletAddress.id });
    if (!found.ok) return refuse({ code: found.error });
    const receiver = found.value;
    const amounts = await this.#pricing.price({ payer: walletAddress, receiver, debitAmount, receiveAmount, deadlineMs });
    if (!amounts.ok) return amounts;
    const createdAt = this.#clock.now();
    const quote: Quote = {
      id: newId(),
      walletAddressId: walletAddress.id,
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
