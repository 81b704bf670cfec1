import { hash } from 'node:crypto';
import { and, asc, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId } from '../../platform/ids.ts';
import { ClaimedWork, type ClaimedWorkParts } from '../../platform/replicas/claimed-work.ts';
import { isAbandoned } from '../../platform/replicas/holders.ts';
import { ok, type Result } from '../../platform/result.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment } from '../incoming/incoming-payments.ts';
import type { OperatorPayments, OperatorQuoteProblem } from '../outgoing/operator-payments.ts';
import type { OutgoingPayment } from '../outgoing/outgoing-payment-rows.ts';
import type { OutgoingPayments } from '../outgoing/outgoing-payments.ts';
import { findQuote, type Quote } from '../quotes/quotes.ts';
import { outgoingPayments as payments } from '../tables.ts';
import { isOf } from './refund-price.ts';
import { REFUND_FAILED } from './refund-rows.ts';
import { isPending, refunds } from './tables.ts';

type StoredRefund = typeof refunds.$inferSelect;

const POLL_MS = 1_000;
const AT_ONCE = 8;
/** How long a claim keeps others away, in milliseconds: longer than other wallets may take to answer. */
const LEASE_MS = 60_000;
/** The worker tries a refund this often while the payer's wallet, or the way there, gives no answer. */
const MOST_TRIES = 6;

/** Reasons that may be gone in a moment. Every other one ends a refund that has no outgoing payment yet. */
const PASSING: ReadonlySet<string> = new Set(['receiver_unreachable', 'receiver_busy', 'route_unreachable', 'quote_expired', 'rate_stale']);

/** How long the node waits after tries without an answer: 1 s, 2 s, 4 s and so on. */
const backOff = (tries: number): number => 1_000 * 2 ** (tries - 1);

/** Another process has gone on with the refund, or it has ended. This process stores nothing of its step. */
class ClaimLost extends Error {}

/** What a step has led to. */
type Step = { done: true } | { done: false; problem: string };

interface Parts extends ClaimedWorkParts {
  walletAddresses: WalletAddresses;
  operatorPayments: Pick<OperatorPayments, 'quote'>;
  outgoingPayments: Pick<OutgoingPayments, 'createFromQuote'>;
}

/** The condition that nobody has claimed the refund since this process did. */
const isClaim = ({ id, tries }: StoredRefund) => and(eq(refunds.id, id), eq(refunds.tries, tries), isPending);

/** Whether a price takes no more than was reserved, and brings exactly what was promised. */
function isWithin(quote: Quote, { amount, receive, receiveAssetCode, receiveAssetScale }: StoredRefund): boolean {
  if (quote.debitAmount > amount) return false;
  if (receive === null || receiveAssetCode === null || receiveAssetScale === null) return true;
  return isOf(quote, { assetCode: receiveAssetCode, assetScale: receiveAssetScale }, receive);
}

/**
 * The condition that a step is due. It also finds a step that waits too long, because a clock that was ahead set its
 * time.
 */
const isDue = (now: number) => and(isPending, or(lte(refunds.dueAt, now), gt(refunds.dueAt, now + LEASE_MS)));

const isLeftBehind = (on: Pick<Reader, 'select'>) => and(isPending, isNotNull(refunds.holder), isAbandoned(on, refunds.holder));

const oneUnderWay = (read: Reader) => read.select({ id: refunds.id }).from(refunds).where(isPending).limit(1);

const oneAbandoned = (read: Reader) => read.select({ id: refunds.id }).from(refunds).where(isLeftBehind(read)).limit(1);

/** Makes the refunds of processes due that are gone. A process that only stood still can store nothing more. */
async function freeAbandoned(tx: Tx, now: number): Promise<void> {
  await tx
    .update(refunds)
    .set({ dueAt: now, tries: sql`${refunds.tries} + 1`, holder: null })
    .where(isLeftBehind(tx));
}

/**
 * Brings refunds that are reserved to their outgoing payments. It also takes those that an earlier run of the node has
 * left. The outgoing payment is made in the same write that ends the wait of its refund. So a refund has at most one.
 * After a crash at any moment it has none, and the worker tries again, or it has one.
 */
export class RefundWorker extends ClaimedWork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const trouble = 'refunds could not be carried on; the worker looks again in a second';
    super(parts, { oneUnderWay, oneAbandoned, freeAbandoned, everyMs: POLL_MS, trouble });
    this.#parts = parts;
  }

  override async runOnce(): Promise<boolean> {
    const { database, clock } = this.#parts;
    const due = await database.read.select().from(refunds).where(isDue(clock.now())).orderBy(asc(refunds.dueAt)).limit(AT_ONCE);
    const steps = await Promise.allSettled(due.map((refund) => this.#carryOn(refund)));
    for (const step of steps) if (step.status === 'rejected') throw step.reason;
    return due.length === AT_ONCE;
  }

  async #carryOn(seen: StoredRefund): Promise<void> {
    const refund = await this.#claim(seen);
    if (refund === undefined) return;
    failPoint('refund-step');
    try {
      const step = await this.#fund(refund);
      failPoint('refund-step');
      if (!step.done) await this.#putOff(refund, step.problem);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
    }
  }

  async #claim(seen: StoredRefund): Promise<StoredRefund | undefined> {
    const now = this.#parts.clock.now();
    const [claimed] = await this.#parts.database.write((tx) =>
      tx
        .update(refunds)
        .set({ tries: seen.tries + 1, dueAt: now + LEASE_MS, holder: this.holder })
        .where(isClaim(seen))
        .returning(),
    );
    return claimed;
  }

  /** Asks the payer's wallet for an incoming payment, prices it and pays it, as the operator's own payments do. */
  async #fund(refund: StoredRefund): Promise<Step> {
    const { outgoingPayments } = this.#parts;
    const from = await this.#accountOf(refund);
    const note = refund.reason ?? undefined;
    const quote = await this.#quoteFor(refund, from);
    if (!quote.ok) return { done: false, problem: quote.error.code };
    if (!isWithin(quote.value, refund)) return { done: false, problem: 'price_changed' };
    failPoint('refund-step');
    const paid = await outgoingPayments.createFromQuote({
      walletAddress: from,
      right: null,
      quoteId: quote.value.id,
      metadata: note === undefined ? undefined : { description: note },
      requestHash: hash('sha256', `refund ${refund.id}`, 'base64url'),
      inSameWrite: (tx, payment) => this.#link(tx, refund, payment),
    });
    return paid.ok ? { done: true } : { done: false, problem: paid.error.code };
  }

  /** The price of a refund: the one that it was reserved for, while that holds, or else a new one. */
  async #quoteFor(refund: StoredRefund, from: WalletAddress): Promise<Result<Quote, OperatorQuoteProblem>> {
    const { database, clock, walletAddresses, operatorPayments } = this.#parts;
    const { quoteId, receive, amount, reason } = refund;
    const priced = quoteId === null ? undefined : await findQuote(database.read, quoteId);
    if (priced !== undefined && priced.outgoingPaymentId === null && clock.now() < priced.expiresAt) return ok(priced);
    const own = await walletAddresses.byId(refund.payer);
    const payee = own === undefined ? refund.payer : walletAddresses.urlOf(own);
    const wanted = receive === null ? { send: amount } : { deliver: receive };
    return await operatorPayments.quote({ ...wanted, requestId: newId(), from, payee, note: reason ?? undefined });
  }

  /**
   * Gives the refund its payment. @throws ClaimLost when the refund has ended, or is another process's, so that no
   * payment is made.
   */
  async #link(tx: Tx, refund: StoredRefund, payment: OutgoingPayment): Promise<void> {
    if (payment.debitAmount > refund.amount) throw new Error('a refund would cost more than was reserved for it');
    const [linked] = await tx
      .update(refunds)
      .set({ state: 'funded', outgoingPaymentId: payment.id, holder: null, updatedAt: payment.createdAt })
      .where(isClaim(refund))
      .returning({ id: refunds.id });
    if (linked === undefined) throw new ClaimLost('the refund is not waiting any more');
    if (refund.boundTo === null) return;
    await tx.update(payments).set({ boundTo: refund.boundTo }).where(eq(payments.id, payment.id));
  }

  /** Tries again later, or ends the refund. It has no outgoing payment, so nothing can have left. */
  async #putOff(refund: StoredRefund, problem: string): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    if (PASSING.has(problem) && refund.tries < MOST_TRIES) {
      const dueAt = at + backOff(refund.tries);
      await database.write((tx) => tx.update(refunds).set({ dueAt, holder: null }).where(isClaim(refund)));
      return;
    }
    const { id: walletAddressId } = await this.#accountOf(refund);
    await database.write(async (tx) => {
      const [failed] = await tx
        .update(refunds)
        .set({ state: 'failed', failure: problem, holder: null, updatedAt: at })
        .where(isClaim(refund))
        .returning({ id: refunds.id });
      if (failed === undefined) return;
      await appendEvent(tx, {
        type: REFUND_FAILED,
        subject: refund.incomingPaymentId,
        walletAddressId,
        body: { amount: refund.amount.toString(), refund: refund.id, reason: problem },
        at,
      });
    });
  }

  async #accountOf({ incomingPaymentId }: StoredRefund): Promise<WalletAddress> {
    const payment = await findIncomingPayment(this.#parts.database.read, incomingPaymentId);
    const account = payment && (await this.#parts.walletAddresses.byId(payment.walletAddressId));
    if (account === undefined) throw new Error('a refund without the account of its payment');
    return account;
  }
}
