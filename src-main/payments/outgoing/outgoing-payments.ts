import { eq, sql } from 'drizzle-orm';
import { madeBefore, rememberMade, touchedByMarks } from '../../access/clients/repetitions.ts';
import { touchedByBudget } from '../../access/grants/spending-limits.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { catchRefusal, ok, Refused, type Result, refuse } from '../../platform/result.ts';
import { touchedByIncoming } from '../incoming/incoming-payments.ts';
import { type Page, preparedPages, toPage, type WantedList } from '../list-pages.ts';
import { findQuote, insertQuote, type Quote, type Quotes, touchedByQuote, useQuote } from '../quotes/quotes.ts';
import type { Receivers } from '../quotes/receivers.ts';
import { outgoingPayments } from '../tables.ts';
import {
  type FromIncomingPayment,
  type FromQuote,
  fund,
  type NewOutgoingPayment,
  type OutgoingPaymentProblem,
  type RemoteCheck,
  usableQuote,
} from './funding.ts';
import { findOutgoingPayment, type OutgoingPayment } from './outgoing-payment-rows.ts';
import type { KeptPlace, PaymentWorker } from './payment-worker.ts';

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

/** What a payment costs. */
interface Priced {
  /** The quote before the write. It stays a quote for the same payment. */
  known: Quote | undefined;
  /**
   * Reads the quote, or makes it, in the write, as it is before the payment uses it. Then it is stored as used by that
   * payment. A caller that refuses undoes this.
   */
  useQuote: (tx: Tx, paymentId: string) => Promise<Quote | undefined>;
  remote: RemoteCheck;
}

/**
 * The words of what the write of a new payment reads before it decides. Without a quote nobody knows them: such a write
 * runs alone.
 */
function touchedBy({ marks, requestHash, right, touches = [] }: NewOutgoingPayment, quote: Quote | undefined): string[] | undefined {
  if (quote === undefined) return undefined;
  const words = [touchedByQuote(quote.id), ...touchedByMarks(marks), ...touches];
  if (quote.receiverId !== null) words.push(touchedByIncoming(quote.receiverId));
  if (requestHash !== undefined) words.push(`request:${requestHash}`);
  if (right !== null) words.push(touchedByBudget(right.grantId));
  return words;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  quotes: Quotes;
  receivers: Receivers;
  worker: Pick<PaymentWorker, 'keepPlace' | 'wake'>;
}

/** The outgoing payments of this node's wallet addresses (protocol-notes.md#PN-28). */
export class OutgoingPayments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async find(id: string): Promise<OutgoingPayment | undefined> {
    return await findOutgoingPayment(this.#parts.database.read, id);
  }

  async createFromQuote(wanted: FromQuote): Promise<Outcome> {
    const known = await findQuote(this.#parts.database.read, wanted.quoteId);
    const remote = await this.#checkRemote(known, wanted);
    return await this.#create(wanted, { known, useQuote: (tx, paymentId) => useQuote(tx, wanted.quoteId, paymentId), remote });
  }

  async createFromIncomingPayment(wanted: FromIncomingPayment): Promise<Outcome> {
    const { walletAddress, right, incomingPayment: receiver, debitAmount } = wanted;
    const { quotes, database, clock } = this.#parts;
    const created = await quotes.priced({ walletAddress, client: right?.client ?? null, receiver, debitAmount }, (priced) => {
      const useNewQuote = async (tx: Tx, paymentId: string): Promise<Quote> => {
        await insertQuote(tx, { ...priced, quote: { ...priced.quote, outgoingPaymentId: paymentId } }, clock.now());
        return priced.quote;
      };
      const remote = priced.receiver.kind === 'remote' ? ok(priced.receiver) : undefined;
      return this.#create(wanted, { known: priced.quote, useQuote: useNewQuote, remote });
    });
    if (created.ok) return created.value;
    // The same request may have paid the receiver before. The receiver may then be closed to a second payment.
    const { read } = database;
    const earlier = await this.#earlier(read, await madeBefore(read, wanted.marks), wanted);
    if (earlier === undefined) return created;
    await database.write((tx) => rememberMade(tx, wanted.marks, earlier.id), touchedByMarks(wanted.marks));
    return ok(earlier);
  }

  async list(wanted: WantedList): Promise<Result<Page<OutgoingPayment>, 'unknown_cursor'>> {
    const { walletAddressId, client, cursor } = wanted;
    const place = cursor === undefined ? undefined : await this.find(cursor);
    const visible = place?.walletAddressId === walletAddressId && (client === undefined || place.client === client);
    if (cursor !== undefined && !visible) return refuse('unknown_cursor');
    return ok(toPage(await listed(this.#parts.database.read, wanted, place), wanted));
  }

  /**
   * Asks the receiver's wallet before the write, because a write awaits nothing else. It does not ask for a quote that
   * nobody can use, or that somebody has paid before.
   */
  async #checkRemote(known: Quote | undefined, wanted: FromQuote): Promise<RemoteCheck> {
    const quote = usableQuote(known, wanted, this.#parts.clock.now());
    if (!quote.ok || quote.value.receiverId !== null) return undefined;
    const found = await this.#parts.receivers.find(quote.value.receiver, {
      client: wanted.right?.client ?? null,
      walletAddressId: wanted.walletAddress.id,
    });
    if (!found.ok) return found;
    return found.value.kind === 'remote' ? ok(found.value) : undefined;
  }

  /**
   * Finds the payment that a copy of the request has made.
   * @param made its id, when a signature has told it.
   */
  async #earlier(reader: Reader, made: string | undefined, { requestHash }: NewOutgoingPayment): Promise<OutgoingPayment | undefined> {
    if (made !== undefined) return await findOutgoingPayment(reader, made);
    const [row] = requestHash === undefined ? [] : await byRequest(reader).execute({ requestHash });
    return row;
  }

  /**
   * Stores the payment, and lets the worker send it once it is durable. While the worker has room, the payment is
   * claimed in the write that makes it, which saves a write of its own (decisions.md#D-123). What others do in the same
   * write may change the payment, so such a payment is claimed afterwards.
   */
  async #create(wanted: NewOutgoingPayment, priced: Priced): Promise<Outcome> {
    const { worker } = this.#parts;
    const place = wanted.inSameWrite === undefined ? worker.keepPlace() : undefined;
    try {
      const { outcome, isNew } = await this.#store(wanted, priced, place);
      if (outcome.ok && isNew) {
        if (place === undefined) worker.wake();
        else place.begin(outcome.value);
      }
      return outcome;
    } finally {
      place?.giveBack();
    }
  }

  async #store(
    wanted: NewOutgoingPayment,
    { known, useQuote, remote }: Priced,
    place: KeptPlace | undefined,
  ): Promise<{ outcome: Outcome; isNew: boolean }> {
    const made = { id: newId(), now: this.#parts.clock.now(), claim: place?.claim };
    let isNew = false;
    const outcome = await catchRefusal(
      this.#parts.database.write(
        async (tx): Promise<Outcome> => {
          const earlier = await this.#earlier(tx, await rememberMade(tx, wanted.marks, made.id), wanted);
          isNew = earlier === undefined;
          if (earlier !== undefined) return ok(earlier);
          const quote = usableQuote(await useQuote(tx, made.id), wanted, made.now);
          if (!quote.ok) throw new Refused(quote.error);
          return ok(await fund(tx, wanted, { quote: quote.value, remote }, made));
        },
        touchedBy(wanted, known),
      ),
    );
    return { outcome, isNew };
  }
}
