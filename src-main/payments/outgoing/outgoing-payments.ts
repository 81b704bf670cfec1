import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { ok, Refused, type Result, refuse, settle } from '../../platform/result.ts';
import { type ListRequest, type Page, preparedPages, toPage } from '../pages.ts';
import { findQuote, insertQuote, type Quote, type Quotes } from '../quotes/quotes.ts';
import type { Receivers } from '../quotes/receivers.ts';
import { outgoingPayments } from '../tables.ts';
import {
  type FromIncomingPayment,
  type FromQuote,
  fund,
  type OutgoingPaymentProblem,
  type PaymentRequest,
  type RemoteCheck,
  usableQuote,
} from './funding.ts';
import { findOutgoingPayment, type OutgoingPayment } from './outgoing-payment-rows.ts';

type Outcome = Result<OutgoingPayment, OutgoingPaymentProblem>;

const $ = sql.placeholder;
const byRequest = prepared((reader: Reader) =>
  reader
    .select()
    .from(outgoingPayments)
    .where(eq(outgoingPayments.requestHash, $('requestHash')))
    .prepare(),
);
const listed = preparedPages(outgoingPayments, (reader, { where, orderBy, limit }) =>
  reader
    .select()
    .from(outgoingPayments)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .prepare(),
);

/** The outgoing payments of this node's wallet addresses (specification, "Outgoing payment"). */
export class OutgoingPayments {
  readonly #database: Database;
  readonly #quotes: Quotes;
  readonly #receivers: Receivers;
  readonly #clock: Clock;
  readonly #onCreated: () => void;

  /** @param onCreated wakes the worker; called after the payment is durable. */
  constructor(parts: { database: Database; quotes: Quotes; receivers: Receivers; clock: Clock; onCreated: () => void }) {
    this.#database = parts.database;
    this.#quotes = parts.quotes;
    this.#receivers = parts.receivers;
    this.#clock = parts.clock;
    this.#onCreated = parts.onCreated;
  }

  async find(id: string): Promise<OutgoingPayment | undefined> {
    return await findOutgoingPayment(this.#database.read, id);
  }

  async createFromQuote(wanted: FromQuote): Promise<Outcome> {
    const remote = await this.#checkRemote(wanted);
    return await this.#create(wanted, (tx) => findQuote(tx, wanted.quoteId), remote);
  }

  async createFromIncomingPayment(wanted: FromIncomingPayment): Promise<Outcome> {
    const { walletAddress, right, incomingPayment: receiver, debitAmount } = wanted;
    const price = await this.#quotes.price({ walletAddress, client: right?.client ?? null, receiver, debitAmount });
    if (!price.ok) {
      // The same request may have paid the receiver before, which is then closed to a second one.
      const earlier = wanted.requestHash === undefined ? undefined : await this.#findByRequest(this.#database.read, wanted.requestHash);
      return earlier === undefined ? price : ok(earlier);
    }
    const { quote, receiver: found } = price.value;
    const insertPriced = async (tx: Tx): Promise<Quote> => {
      await insertQuote(tx, quote);
      return quote;
    };
    return await this.#create(wanted, insertPriced, found.kind === 'remote' ? ok(found) : undefined);
  }

  async list(request: ListRequest): Promise<Result<Page<OutgoingPayment>, 'unknown_cursor'>> {
    const { walletAddressId, client, cursor } = request;
    const place = cursor === undefined ? undefined : await this.find(cursor);
    const visible = place?.walletAddressId === walletAddressId && (client === undefined || place.client === client);
    if (cursor !== undefined && !visible) return refuse('unknown_cursor');
    return ok(toPage(await listed(this.#database.read, request, place), request));
  }

  /** Asks another wallet before the write, which awaits nothing else; not for a quote that cannot be used, nor for what was paid before. */
  async #checkRemote(wanted: FromQuote): Promise<RemoteCheck> {
    const quote = usableQuote(await findQuote(this.#database.read, wanted.quoteId), wanted, this.#clock.now());
    if (!quote.ok || quote.value.receiverId !== null) return undefined;
    const found = await this.#receivers.resolve(quote.value.receiver, {
      client: wanted.right?.client ?? null,
      walletAddressId: wanted.walletAddress.id,
    });
    if (!found.ok) return found;
    return found.value.kind === 'remote' ? ok(found.value) : undefined;
  }

  async #findByRequest(reader: Reader, requestHash: string): Promise<OutgoingPayment | undefined> {
    const [row] = await byRequest(reader).execute({ requestHash });
    return row;
  }

  async #create(wanted: PaymentRequest, quoteIn: (tx: Tx) => Promise<Quote | undefined>, remote: RemoteCheck): Promise<Outcome> {
    const id = newId();
    const now = this.#clock.now();
    let repeated = false;
    const outcome = await settle(
      this.#database.write(async (tx): Promise<Outcome> => {
        const earlier = wanted.requestHash === undefined ? undefined : await this.#findByRequest(tx, wanted.requestHash);
        repeated = earlier !== undefined;
        if (earlier !== undefined) return ok(earlier);
        const quote = usableQuote(await quoteIn(tx), wanted, now);
        if (!quote.ok) throw new Refused(quote.error);
        return ok(await fund(tx, wanted, { quote: quote.value, remote }, { id, now }));
      }),
    );
    if (outcome.ok && !repeated) this.#onCreated();
    return outcome;
  }
}
