import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../src-shared/amounts.ts';
import type { SendOutcome, SendRequest } from '../ilp/stream-sender.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, prepared, type Tx } from '../platform/database/database.ts';
import { appendEvent } from '../platform/events.ts';
import type { Logger } from '../platform/logger.ts';
import { giveUp } from './endings.ts';
import type { Failure } from './failures.ts';
import { findOutgoingPayment, isFinal, type OutgoingPayment, receiveAsset } from './outgoing-payment-rows.ts';
import { isUnfinished, outgoingPayments } from './tables.ts';
import type { WalletAddresses } from './wallet-addresses.ts';

/** What the worker needs of the ILP wing. */
export interface PaymentNetwork {
  credentials(incomingPaymentId: string, asset: Asset): Promise<{ ilpAddress: string; sharedSecret: Buffer }>;
  send(request: SendRequest): Promise<SendOutcome>;
}

/** How many payments are sent at the same time. */
const CONCURRENCY = 64;
/** How long one attempt may take, and for how long a claim keeps others away. */
const ATTEMPT_MS = 30_000;
const LEASE_MS = 2 * ATTEMPT_MS;
/** Attempts in a row that may deliver nothing. */
const MAX_FRUITLESS = 6;
/** Wake-ups are hints: this is how often the worker looks without one. */
const POLL_MS = 1_000;

const $ = sql.placeholder;

const claim = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({ state: 'sending', attempt: sql`${outgoingPayments.attempt} + 1`, dueAt: sql`${$('leaseUntil')}` })
    .where(
      inArray(
        outgoingPayments.id,
        tx
          .select({ id: outgoingPayments.id })
          .from(outgoingPayments)
          .where(and(isUnfinished, lte(outgoingPayments.dueAt, $('now'))))
          .orderBy(asc(outgoingPayments.dueAt), asc(outgoingPayments.id))
          .limit($('limit')),
      ),
    )
    .returning()
    .prepare(),
);

/**
 * Carries outgoing payments to their end: claims those that are due, sends what is left of each, and retries or fails it.
 * How much was sent is known from the ledger only; the stream's own totals are never believed.
 */
export class PaymentWorker {
  readonly #database: Database;
  readonly #network: PaymentNetwork;
  readonly #walletAddresses: Pick<WalletAddresses, 'byId'>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #again = false;
  #poll: NodeJS.Timeout | undefined;

  constructor(parts: {
    database: Database;
    network: PaymentNetwork;
    walletAddresses: Pick<WalletAddresses, 'byId'>;
    clock: Clock;
    log: Logger;
  }) {
    this.#database = parts.database;
    this.#network = parts.network;
    this.#walletAddresses = parts.walletAddresses;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /** Takes up what an earlier run of the node left unfinished, then keeps looking. Call once, while no other worker runs. */
  async start(): Promise<void> {
    const now = this.#clock.now();
    await this.#database.write(async (tx) => {
      await tx
        .update(outgoingPayments)
        .set({ dueAt: now })
        .where(and(isUnfinished, eq(outgoingPayments.state, 'sending')));
    });
    this.#poll = setInterval(() => this.wake(), POLL_MS);
    this.wake();
  }

  /** Says that a payment may be due. Cheap, and may be called at any time. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#claiming ??= this.#claimDue().finally(() => {
      this.#claiming = undefined;
      // Between the last look and this line there are turns in which a wake-up finds somebody claiming and is heard by nobody.
      if (this.#again) this.wake();
    });
  }

  /** Lets no new packet leave and waits for those under way. What is unfinished is taken up at the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#poll);
    this.#stopping.abort();
    await this.#claiming;
    await Promise.all(this.#running);
  }

  async #claimDue(): Promise<void> {
    while (this.#again && !this.#stopping.signal.aborted) {
      this.#again = false;
      const limit = CONCURRENCY - this.#running.size;
      if (limit <= 0) return;
      const due = await this.#claim(limit);
      for (const payment of due) this.#run(payment);
      this.#again ||= due.length > 0 && due.length === limit;
    }
  }

  async #claim(limit: number): Promise<OutgoingPayment[]> {
    const now = this.#clock.now();
    try {
      return await this.#database.write(async (tx) =>
        claim(tx).execute({ now: BigInt(now), leaseUntil: BigInt(now + LEASE_MS), limit: BigInt(limit) }),
      );
    } catch (error) {
      this.#log.error({ err: error }, 'payments could not be claimed; the worker looks again in a second');
      return [];
    }
  }

  #run(payment: OutgoingPayment): void {
    const work = this.#attempt(payment)
      .catch((error: unknown) =>
        this.#log.error({ err: error, payment: payment.id }, 'an attempt to send a payment broke; it is retried when its lease ends'),
      )
      .finally(() => {
        this.#running.delete(work);
        if (this.#running.size === CONCURRENCY - 1) this.wake();
      });
    this.#running.add(work);
  }

  async #attempt(payment: OutgoingPayment): Promise<void> {
    const now = this.#clock.now();
    if (now >= payment.deadline) {
      await giveUp(this.#database, payment, 'out_of_time', now);
      return;
    }
    if (payment.receiverId === null) throw new Error('an outgoing payment without a receiver on this node');
    this.#log.debug({ payment: payment.id, attempt: payment.attempt, left: (payment.debitAmount - payment.sent).toString() }, 'sending');
    const { ilpAddress, sharedSecret } = await this.#network.credentials(payment.receiverId, receiveAsset(payment));
    const payer = await this.#walletAddresses.byId(payment.walletAddressId);
    if (payer === undefined) throw new Error('an outgoing payment without its wallet address');
    const exchanged = !sameAsset(payer, receiveAsset(payment));
    const outcome = await this.#network.send({
      sender: { outgoingPaymentId: payment.id, attempt: payment.attempt },
      destinationAddress: ilpAddress,
      sharedSecret,
      sourceAsset: { assetCode: payer.assetCode, assetScale: payer.assetScale },
      amount: payment.debitAmount - payment.sent,
      ...(exchanged && { price: { debit: payment.debitAmount, receive: payment.receiveAmount }, moved: payment }),
      deadlineMs: Math.min(now + ATTEMPT_MS, payment.deadline),
      signal: this.#stopping.signal,
    });
    await this.#conclude(payment.id, payment.attempt, outcome);
  }

  async #conclude(id: string, attempt: number, outcome: SendOutcome): Promise<void> {
    const payment = await findOutgoingPayment(this.#database.read, id);
    if (payment === undefined || isFinal(payment) || payment.attempt !== attempt || this.#stopping.signal.aborted) return;
    const failure = failureOf(outcome, payment, this.#clock.now());
    if (failure === undefined) await this.#retryLater(payment, outcome);
    else await giveUp(this.#database, payment, failure, this.#clock.now());
  }

  async #retryLater(payment: OutgoingPayment, outcome: SendOutcome): Promise<void> {
    const at = this.#clock.now();
    const dueAt = at + retryDelayMs(payment);
    const reason = ('code' in outcome && outcome.code) || outcome.ended;
    await this.#database.write(async (tx) => {
      const [retrying] = await tx
        .update(outgoingPayments)
        .set({ state: 'retrying', dueAt, fruitless: payment.fruitless + 1, updatedAt: at })
        .where(
          and(eq(outgoingPayments.id, payment.id), eq(outgoingPayments.attempt, payment.attempt), eq(outgoingPayments.state, 'sending')),
        )
        .returning({ id: outgoingPayments.id });
      if (retrying === undefined) return;
      await appendEvent(tx, {
        type: 'outgoing_payment.retrying',
        subject: payment.id,
        walletAddressId: payment.walletAddressId,
        body: { reason, dueAt: new Date(dueAt).toISOString() },
        at,
      });
    });
  }
}

/** 1, 2, 4 … 60 seconds by attempts without progress, up to a fifth earlier or later so that payments do not march in step. */
function retryDelayMs({ fruitless, id }: OutgoingPayment): number {
  const jitter = 0.8 + (0.4 * Number.parseInt(id.slice(0, 4), 16)) / 0xffff;
  return Math.round(Math.min(60_000, 1_000 * 2 ** fruitless) * jitter);
}

/** What ends the payment now, or undefined when another attempt makes sense. */
export function failureOf(outcome: SendOutcome, payment: OutgoingPayment, now: number): Failure | undefined {
  if (now >= payment.deadline) return 'out_of_time';
  if (outcome.ended === 'refused' && outcome.refusal !== 'sender_stopped') {
    if (outcome.refusal === 'over_amount') return 'over_amount';
    return outcome.code === 'F02' ? 'receiver_closed' : 'refused';
  }
  return payment.fruitless + 1 >= MAX_FRUITLESS ? 'no_progress' : undefined;
}
