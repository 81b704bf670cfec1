import { eq, sql } from 'drizzle-orm';
import { type Amount, MAX_MOVED, sameAsset } from '../../../src-shared/amounts.ts';
import { type IncomingFacts, takesMoney } from '../../../src-shared/incoming-status.ts';
import { type RequestMarks, rememberMade, touchedByMarks } from '../../access/clients/repetitions.ts';
import { appendEvent } from '../../journal/events.ts';
import { refuseDamaged } from '../../ledger/audit/damages.ts';
import { accountId } from '../../ledger/ledger.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import type { Place } from '../../platform/database/places.ts';
import { idAt, timeOfId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { DAY_MS, LEAST_KEPT_DAYS } from '../../platform/retention/rule.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { billOf, type KeptBill } from '../bills/bills.ts';
import { type Page, preparedPages, toPage, type WantedList } from '../list-pages.ts';
import { searchTextOf } from '../search-text.ts';
import { incomingPayments, type JsonObject } from '../tables.ts';
import { changeKept, type KeptRequest, keep, keptRequest, type NewKeptRequest } from './kept-requests.ts';

/** An incoming payment as the database has it. */
export type IncomingPayment = typeof incomingPayments.$inferSelect;

/** The facts of a new incoming payment. */
interface NewIncomingPayment {
  /**
   * The id of the intention: `create` with the same id answers with the payment that has it. Without an id the payment
   * gets a new one.
   */
  id?: string | undefined;
  /** The marks of the client's request. A copy of the request gets the payment that exists (decisions.md#D-45). */
  marks?: RequestMarks | undefined;
  walletAddress: WalletAddress;
  /** Id of the client that asks. It is null for the operator. */
  client: string | null;
  incomingAmount?: Amount | undefined;
  /** The end, in milliseconds since the Unix epoch. It must be in the future. */
  expiresAt?: number | undefined;
  /** The app's own data, which payers see. */
  metadata?: JsonObject | undefined;
  /** The operator's notes on a request of their own. They are stored in the same write. */
  kept?: NewKeptRequest | undefined;
}

/** The status of an incoming payment at a moment. Only an `open` one takes money. */
type IncomingPaymentStatus = 'open' | 'completed' | 'expired';

/** Tells the status at the moment `now`, in milliseconds since the Unix epoch. */
export function statusOf({ completed, expiresAt }: Pick<IncomingPayment, 'completed' | 'expiresAt'>, now: number): IncomingPaymentStatus {
  if (completed) return 'completed';
  return takesMoney({ completed, endsAt: expiresAt }, now) ? 'open' : 'expired';
}

/** The facts that decide how people see the payment. */
export const incomingFacts = ({ completed, received, incomingAmount, expiresAt, client }: IncomingPayment): IncomingFacts => ({
  completed,
  received,
  asked: incomingAmount,
  endsAt: expiresAt,
  isOwn: client === null,
});

/** The amount that the payment still takes, in smallest units of its asset. It is undefined when it has no maximum. */
const remainingOf = (payment: Pick<IncomingPayment, 'incomingAmount' | 'received'>): bigint | undefined =>
  payment.incomingAmount === null ? undefined : payment.incomingAmount - payment.received;

/** The most that one more payment may bring, in smallest units: what is still asked for, within what can be counted. */
export function roomOf(payment: Pick<IncomingPayment, 'incomingAmount' | 'received'>): bigint {
  const countable = MAX_MOVED - payment.received;
  const remaining = remainingOf(payment) ?? countable;
  return remaining < countable ? remaining : countable;
}

const $ = sql.placeholder;
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(incomingPayments)
    .where(eq(incomingPayments.id, $('id')))
    .prepare(),
);
const listed = preparedPages(incomingPayments, (reader, { where, orderBy, limit }) =>
  reader
    .select()
    .from(incomingPayments)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .prepare(),
);
const insert = prepared((tx: Tx) => tx.insert(incomingPayments).values(placeholdersOf(incomingPayments)).prepare());
const addReceived = prepared((tx: Tx) =>
  tx
    .update(incomingPayments)
    .set({ received: sql`${incomingPayments.received} + ${$('amount')}`, completed: sql`${$('completed')}`, updatedAt: sql`${$('at')}` })
    .where(eq(incomingPayments.id, $('id')))
    .prepare(),
);

/** The word of a write that looks at what an incoming payment has got, or changes that; see `Database.write`. */
export const touchedByIncoming = (id: string): string => `incoming:${id}`;

/** Reads one payment, through the reader or inside a write. */
export async function findIncomingPayment(reader: Reader, id: string): Promise<IncomingPayment | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row;
}

/**
 * Books `amount` smallest units as received, in the write that moves the money. The caller has checked in the same
 * write that the payment is open and takes that much.
 */
export async function receive(tx: Tx, payment: IncomingPayment, amount: bigint, at: number): Promise<void> {
  const received = payment.received + amount;
  const completed = payment.incomingAmount !== null && received >= payment.incomingAmount;
  await addReceived(tx).execute({ id: payment.id, amount, completed: completed ? 1n : 0n, at: BigInt(at) });
  await appendEvent(tx, {
    type: completed ? 'incoming_payment.completed' : 'incoming_payment.received',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { amount: amount.toString(), received: received.toString() },
    at,
  });
}

/**
 * The place of a payment in the list, by an id that a client has as its cursor. The payment may be gone since. The id
 * says when it was made.
 */
function placeOfRemoved(id: string | undefined, now: number): Place | undefined {
  const createdAt = id === undefined ? undefined : timeOfId(id);
  const isOld = createdAt !== undefined && createdAt < now - LEAST_KEPT_DAYS * DAY_MS;
  return id === undefined || !isOld ? undefined : { id, createdAt };
}

/** The incoming payments of this node's wallet addresses (protocol-notes.md#PN-28). */
export class IncomingPayments {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /**
   * Creates an incoming payment. `id_taken`: a payment that another client made, or that is for another wallet address,
   * has that id.
   * @throws BooksDamaged when the books of the wallet address are damaged.
   */
  async create(wanted: NewIncomingPayment): Promise<Result<IncomingPayment, 'invalid_amount' | 'invalid_expiry' | 'id_taken'>> {
    const { walletAddress, client, incomingAmount, expiresAt = null, metadata = null, kept } = wanted;
    const createdAt = this.#parts.clock.now();
    const same = wanted.id === undefined ? undefined : await this.find(wanted.id);
    if (same !== undefined) return repeated(same, wanted);
    if (incomingAmount && (incomingAmount.value <= 0n || !sameAsset(incomingAmount, walletAddress))) return refuse('invalid_amount');
    if (expiresAt !== null && expiresAt <= createdAt) return refuse('invalid_expiry');
    const payment: IncomingPayment = {
      id: wanted.id ?? idAt(createdAt),
      walletAddressId: walletAddress.id,
      client,
      incomingAmount: incomingAmount?.value ?? null,
      received: 0n,
      completed: false,
      expiresAt,
      metadata,
      note: null,
      search: searchTextOf(metadata, kept),
      createdAt,
      updatedAt: createdAt,
    };
    return await this.#parts.database.write(
      async (tx): Promise<Result<IncomingPayment, 'id_taken'>> => {
        const made = await rememberMade(tx, wanted.marks, payment.id);
        const earlier = made === undefined ? undefined : await findIncomingPayment(tx, made);
        if (earlier !== undefined) return ok(earlier);
        const other = wanted.id === undefined ? undefined : await findIncomingPayment(tx, wanted.id);
        if (other !== undefined) return repeated(other, wanted);
        await refuseDamaged(tx, [accountId('customer', walletAddress.id)]);
        await insert(tx).execute(payment);
        if (kept !== undefined) await keep(tx, payment, kept);
        await appendEvent(tx, {
          type: 'incoming_payment.created',
          subject: payment.id,
          walletAddressId: walletAddress.id,
          body: client === null ? {} : { client },
          at: createdAt,
        });
        return ok(payment);
      },
      [touchedByIncoming(payment.id), ...touchedByMarks(wanted.marks)],
    );
  }

  async find(id: string): Promise<IncomingPayment | undefined> {
    return await findIncomingPayment(this.#parts.database.read, id);
  }

  /**
   * The operator's words for the payer of a request of their own: why it was cancelled, by when to pay (milliseconds
   * since the Unix epoch), where the payer goes on, and the lines of its bill.
   */
  async toldPayer(id: string): Promise<Pick<KeptRequest, 'cancelReason' | 'dueAt' | 'returnUrl'> & { bill: KeptBill | undefined }> {
    const { cancelReason = null, dueAt = null, returnUrl = null } = (await keptRequest(this.#parts.database.read, id)) ?? {};
    return { cancelReason, dueAt, returnUrl, bill: await billOf(this.#parts.database.read, id) };
  }

  statusOf(payment: IncomingPayment): IncomingPaymentStatus {
    return statusOf(payment, this.#parts.clock.now());
  }

  async list(wanted: WantedList): Promise<Result<Page<IncomingPayment>, 'unknown_cursor'>> {
    const { walletAddressId, client, cursor } = wanted;
    const row = cursor === undefined ? undefined : await this.find(cursor);
    const visible = row?.walletAddressId === walletAddressId && (client === undefined || row.client === client);
    if (row !== undefined && !visible) return refuse('unknown_cursor');
    const place = row ?? placeOfRemoved(cursor, this.#parts.clock.now());
    if (cursor !== undefined && place === undefined) return refuse('unknown_cursor');
    return ok(toPage(await listed(this.#parts.database.read, wanted, place), wanted));
  }

  /**
   * Ends an incoming payment before its full amount has come. Completing a completed one changes nothing
   * (decisions.md#D-17).
   * @param client the client that asks. It is null for the operator, who may complete every payment. For a client, the
   * payments of others do not exist.
   * @param reason why the operator ends a request of their own. The payer reads it. Repeating the call keeps the first.
   */
  async complete(id: string, client: string | null, reason?: string): Promise<Result<IncomingPayment, 'not_found' | 'expired'>> {
    const now = this.#parts.clock.now();
    return await this.#parts.database.write(
      async (tx): Promise<Result<IncomingPayment, 'not_found' | 'expired'>> => {
        const payment = await findIncomingPayment(tx, id);
        if (payment === undefined || (client !== null && payment.client !== client)) return refuse('not_found');
        const status = statusOf(payment, now);
        if (status === 'completed') return ok(payment);
        if (status === 'expired') return refuse('expired');
        const [completed] = await tx
          .update(incomingPayments)
          .set({ completed: true, updatedAt: now })
          .where(eq(incomingPayments.id, id))
          .returning();
        if (reason !== undefined && payment.client === null) await changeKept(tx, payment, { cancelReason: reason });
        await appendEvent(tx, {
          type: 'incoming_payment.completed',
          subject: id,
          walletAddressId: payment.walletAddressId,
          body: { received: payment.received.toString(), by: client ?? 'operator' },
          at: now,
        });
        return ok(completed ?? payment);
      },
      [touchedByIncoming(id)],
    );
  }
}

/** Answers a repeated request: with the payment of this id, if the same client made it for the same wallet address. */
const repeated = (payment: IncomingPayment, wanted: NewIncomingPayment): Result<IncomingPayment, 'id_taken'> =>
  payment.client === wanted.client && payment.walletAddressId === wanted.walletAddress.id ? ok(payment) : refuse('id_taken');
