import { eq, sql } from 'drizzle-orm';
import type { Amount } from '../../../src-shared/amounts.ts';
import { madeBefore, type RequestMarks, rememberMade, touchedByMarks } from '../../access/clients/repetitions.ts';
import { termsStillHold, type UsedTerms } from '../../exchange/rates.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import { together } from '../../platform/database/together.ts';
import { newId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { quotes } from '../tables.ts';
import type { PriceProblem, Pricing } from './pricing.ts';
import { type Receiver, type ReceiverProblem, type Receivers, receiverExpiry } from './receivers.ts';

/** A quote as the database has it. */
export type Quote = typeof quotes.$inferSelect;

/** The facts of a new quote. */
interface NewQuote {
  /** The marks of the client's request. A copy of the request gets the quote that exists (decisions.md#D-45). */
  marks?: RequestMarks | undefined;
  walletAddress: WalletAddress;
  client: string | null;
  /** URL of the incoming payment to be paid. */
  receiver: string;
  /**
   * The caller gives at most one of the two amounts. Without either, the payment brings what the receiver still asks
   * for.
   */
  debitAmount?: Amount | undefined;
  receiveAmount?: Amount | undefined;
}

/** Why there is no quote: there is no price, or the receiver cannot be paid. */
export type QuoteProblem = PriceProblem | { code: ReceiverProblem };

/**
 * The longest that looking up the receiver and pricing may take together, in milliseconds. Official clients give up
 * after 5 seconds (protocol-notes.md#PN-09).
 */
const ANSWER_MS = 4_500;

/** How often a payment is priced again when the rate changes before the price is stored. */
const PRICINGS = 3;

/** The rate or the fee of a price changed before the price could be stored. The node prices the payment again. */
class PriceMoved extends Error {}

/** A quote that is not stored yet. */
interface PricedQuote {
  quote: Quote;
  /** The receiver as it was just read. */
  receiver: Receiver;
  /** The terms of this node by which the price was calculated, if it needed some. */
  used: UsedTerms | undefined;
}

const $ = sql.placeholder;
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(quotes)
    .where(eq(quotes.id, $('id')))
    .prepare(),
);

/** Reads one quote, through the reader or inside a write. */
export async function findQuote(reader: Reader, id: string): Promise<Quote | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

/** The quote that a copy of the request has made. */
async function quoteMadeBefore(reader: Reader, marks: RequestMarks | undefined): Promise<Quote | undefined> {
  const made = await madeBefore(reader, marks);
  return made === undefined ? undefined : await findQuote(reader, made);
}

const insert = prepared((tx: Tx) => tx.insert(quotes).values(placeholdersOf(quotes)).prepare());
const setUsed = prepared((tx: Tx) =>
  tx
    .update(quotes)
    .set({ outgoingPaymentId: sql`${sql.placeholder('paymentId')}` })
    .where(eq(quotes.id, sql.placeholder('id')))
    .prepare(),
);

/**
 * Stores a quote, inside a write.
 * @throws PriceMoved when the rate or the fee of its price has changed; see {@link Quotes.priced}.
 */
export async function insertQuote(tx: Tx, { quote, used }: PricedQuote, now: number): Promise<void> {
  if (used !== undefined && !(await termsStillHold(tx, used, now))) throw new PriceMoved('the rate or the fee has changed');
  await insert(tx).execute(quote);
}

/**
 * Lets a payment use a quote, inside a write. A caller that then refuses the payment undoes this.
 * @returns the quote as it was before. It is undefined when there is none.
 */
export async function useQuote(tx: Tx, id: string, paymentId: string): Promise<Quote | undefined> {
  const [before] = await together([findQuote(tx, id), setUsed(tx).execute({ id, paymentId })]);
  return before;
}

/** The word of a write that makes or uses a quote; see `Database.write`. */
export const touchedByQuote = (id: string): string => `quote:${id}`;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  receivers: Receivers;
  pricing: Pricing;
  /** How long a quote can be used, in milliseconds, unless its receiver expires before (decisions.md#D-24). */
  lifetimeMs: number;
}

/** Makes quotes: what will be taken from the payer for what arrives (protocol-notes.md#PN-28). */
export class Quotes {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async find(id: string): Promise<Quote | undefined> {
    return await findQuote(this.#parts.database.read, id);
  }

  async create(wanted: NewQuote): Promise<Result<Quote, QuoteProblem>> {
    const { database } = this.#parts;
    const repeated = await quoteMadeBefore(database.read, wanted.marks);
    if (repeated !== undefined) {
      await database.write((tx) => rememberMade(tx, wanted.marks, repeated.id), touchedByMarks(wanted.marks));
      return ok(repeated);
    }
    return await this.priced(wanted, (priced) =>
      database.write(
        async (tx) => {
          const made = await rememberMade(tx, wanted.marks, priced.quote.id);
          const earlier = made === undefined ? undefined : await findQuote(tx, made);
          if (earlier !== undefined) return earlier;
          await insertQuote(tx, priced, this.#parts.clock.now());
          return priced.quote;
        },
        [touchedByQuote(priced.quote.id), ...touchedByMarks(wanted.marks)],
      ),
    );
  }

  /**
   * Finds the receiver, prices the payment, and hands the price to `use`, which stores it with {@link insertQuote}. It
   * prices the payment again when the rate has changed in between.
   */
  async priced<T>(wanted: NewQuote, use: (priced: PricedQuote) => Promise<T>): Promise<Result<T, QuoteProblem>> {
    for (let left = PRICINGS; ; left -= 1) {
      const priced = await this.#price(wanted);
      if (!priced.ok) return priced;
      try {
        return ok(await use(priced.value));
      } catch (error) {
        if (!(error instanceof PriceMoved)) throw error;
        if (left === 0) return refuse({ code: 'rate_stale' });
      }
    }
  }

  async #price(wanted: NewQuote): Promise<Result<PricedQuote, QuoteProblem>> {
    const { walletAddress, debitAmount, receiveAmount } = wanted;
    const deadlineMs = this.#parts.clock.now() + ANSWER_MS;
    const found = await this.#parts.receivers.find(wanted.receiver, { client: wanted.client, walletAddressId: walletAddress.id });
    if (!found.ok) return refuse({ code: found.error });
    const receiver = found.value;
    const priced = await this.#parts.pricing.price({ payer: walletAddress, receiver, debitAmount, receiveAmount, deadlineMs });
    if (!priced.ok) return priced;
    const { price, used } = priced.value;
    const createdAt = this.#parts.clock.now();
    const quote: Quote = {
      id: newId(),
      walletAddressId: walletAddress.id,
      client: wanted.client,
      receiver: wanted.receiver,
      receiverId: receiver.kind === 'own' ? receiver.incomingPayment.id : null,
      ...price,
      receiveAssetCode: receiver.asset.assetCode,
      receiveAssetScale: receiver.asset.assetScale,
      createdAt,
      expiresAt: Math.min(createdAt + this.#parts.lifetimeMs, receiverExpiry(receiver) ?? Number.MAX_SAFE_INTEGER),
      outgoingPaymentId: null,
    };
    return ok({ quote, receiver, used });
  }
}
