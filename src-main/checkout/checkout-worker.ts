import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { type Amount, sameAsset } from '../../src-shared/amounts.ts';
import type { AttemptFailure } from '../../src-shared/attempt-failures.ts';
import { findIncomingPayment, roomOf, statusOf } from '../payments/incoming/incoming-payments.ts';
import { incomingPayments } from '../payments/tables.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { isId } from '../platform/ids.ts';
import { siteOf } from '../platform/outbound-http/targets.ts';
import { ClaimedWork, type ClaimedWorkParts } from '../platform/replicas/claimed-work.ts';
import { isAbandoned } from '../platform/replicas/holders.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { type Attempt, type AttemptSecrets, failAttempts, openSecrets, sealSecrets } from './attempt-rows.ts';
import type { CheckoutParts } from './checkouts.ts';
import { provePayer } from './payer-proof.ts';
import { type CheckoutState, checkouts, isUnderWay } from './tables.ts';

/** What a step has led to: the next state, or when to try again (`again`, in milliseconds). */
type Step =
  | { state: 'failed'; reason: AttemptFailure }
  | { state: 'paid'; paid?: Amount }
  | { state: 'returned' | 'paying'; secrets: AttemptSecrets; outgoingPayment?: string; again: number };

const POLL_MS = 1_000;
const FOLLOW_EVERY_MS = 2_000;
const AT_ONCE = 8;
/** The worker chooses among this many attempts. Strangers cannot have more under way; see `Checkouts`. */
const LOOKED_AT = 5_000;
/** How long a claim holds: longer than a step takes, which asks another wallet a few times, up to 5 s each. */
const CLAIM_MS = 60_000;
/** A step that is due for longer than this waited because the node did not run, in milliseconds. */
const OVERDUE_MS = 60_000;
/** The node uses no price that ends sooner than this, because the price might end on the way. */
const PRICE_MARGIN_MS = 5_000;

/** How long the node waits after tries that a wallet did not answer: 1 s, 2 s, 4 s and so on, at most half a minute. */
const backOff = (tries: number): number => Math.min(1_000 * 2 ** tries, 30_000);

/** The reason of an attempt that has lapsed, by the state in which it was. */
const REASON_WHEN_LAPSED = sql<AttemptFailure>`case ${checkouts.state}
  when 'paying' then 'not_arrived' when 'returned' then 'wallet_unreachable' else 'too_late' end`;

/** What the incoming payment of an attempt has received. */
const receivedNow = sql<bigint>`(select ${incomingPayments.received} from ${incomingPayments} where ${incomingPayments.id} = ${checkouts.incomingPaymentId})`;

type Parts = CheckoutParts & ClaimedWorkParts;

/** An attempt of which this process takes the next step. */
interface ClaimedAttempt extends Attempt {
  /** Whether the same step was begun before, and nobody has stored what it led to. */
  wasInterrupted: boolean;
}

/** The condition that the process that claimed the attempt is gone. */
const isLeftBehind = (on: Pick<Reader, 'select'>) => and(isUnderWay, isNotNull(checkouts.claimedUntil), isAbandoned(on, checkouts.holder));

const oneUnderWay = (read: Reader) => read.select({ id: checkouts.id }).from(checkouts).where(isUnderWay).limit(1);

const oneAbandoned = (read: Reader) => read.select({ id: checkouts.id }).from(checkouts).where(isLeftBehind(read)).limit(1);

/**
 * Frees the attempts of processes that are gone. A process that only stood still can store nothing under its claim any
 * more.
 */
async function freeAbandoned(tx: Tx, now: number): Promise<void> {
  await tx
    .update(checkouts)
    .set({ claimedUntil: now, claims: sql`${checkouts.claims} + 1`, holder: null })
    .where(isLeftBehind(tx));
}

/** The condition that a step of the attempt is due at that moment, and no process takes it. */
const isDueAt = (now: number) =>
  and(isUnderWay, lte(checkouts.dueAt, now), or(isNull(checkouts.claimedUntil), lte(checkouts.claimedUntil, now)));

/**
 * Takes attempts from the visitor's return to their end. It also takes those that an earlier run of the node has left.
 */
export class CheckoutWorker extends ClaimedWork {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const trouble = 'attempts to pay from other wallets could not be carried on';
    super(parts, { oneUnderWay, oneAbandoned, freeAbandoned, everyMs: POLL_MS, trouble });
    this.#parts = parts;
  }

  override async runOnce(): Promise<boolean> {
    const now = this.#parts.clock.now();
    await this.#moveOrEnd(now);
    const due = await this.#fairlyDue(now);
    const claimed = due.length === 0 ? [] : await this.#claim(due, now);
    const taken = await Promise.all(claimed.map((attempt) => this.#take(attempt)));
    return due.length === AT_ONCE || taken.includes('next is due');
  }

  /**
   * Chooses the attempts whose steps come next. Each wallet's server has one in turn: somebody whose own wallet never
   * answers may approve any number of attempts there, and delays only those.
   */
  async #fairlyDue(now: number): Promise<Attempt[]> {
    const { read } = this.#parts.database;
    const due = await read
      .select({ id: checkouts.id, walletAddress: checkouts.walletAddress })
      .from(checkouts)
      .where(isDueAt(now))
      .orderBy(asc(checkouts.dueAt))
      .limit(LOOKED_AT);
    const chosen = inTurns(due, ({ walletAddress }) => siteOf(walletAddress), AT_ONCE).map(({ id }) => id);
    // Between the two reads another process may have claimed one, or even ended it.
    const still = and(inArray(checkouts.id, chosen), isDueAt(now));
    return chosen.length === 0 ? [] : await read.select().from(checkouts).where(still);
  }

  /** Claims attempts, so that no other process takes the same step. @returns those that this process got. */
  async #claim(due: readonly Attempt[], now: number): Promise<ClaimedAttempt[]> {
    return await this.#parts.database.write(async (tx) => {
      const claimed: ClaimedAttempt[] = [];
      for (const attempt of due) {
        const { id, state, claims, updatedAt } = attempt;
        const isAsSeen = and(
          eq(checkouts.id, id),
          eq(checkouts.state, state),
          eq(checkouts.claims, claims),
          eq(checkouts.updatedAt, updatedAt),
        );
        const [row] = await tx
          .update(checkouts)
          .set({ claims: claims + 1, claimedUntil: now + CLAIM_MS, holder: this.holder })
          .where(isAsSeen)
          .returning({ claims: checkouts.claims });
        if (row !== undefined) claimed.push({ ...attempt, ...row, wasInterrupted: attempt.claimedUntil !== null });
      }
      return claimed;
    });
  }

  /**
   * Ends the attempts that have lapsed. First it moves times that a clock stored which was ahead. An attempt also gets
   * back the time in which the node did not run.
   */
  async #moveOrEnd(now: number): Promise<void> {
    const lapsed = and(isUnderWay, lte(checkouts.lapsesAt, now));
    const ahead = and(isUnderWay, gt(checkouts.updatedAt, now));
    const overdue = and(isUnderWay, lt(checkouts.dueAt, now - OVERDUE_MS));
    const { database } = this.#parts;
    const [any] = await database.read
      .select({ id: checkouts.id })
      .from(checkouts)
      .where(or(lapsed, ahead, overdue))
      .limit(1);
    if (any === undefined) return;
    const by = sql`(${checkouts.updatedAt} - ${now})`;
    await database.write(async (tx) => {
      await tx
        .update(checkouts)
        .set({
          dueAt: sql`${checkouts.dueAt} - ${by}`,
          lapsesAt: sql`${checkouts.lapsesAt} - ${by}`,
          claimedUntil: sql`${checkouts.claimedUntil} - ${by}`,
          updatedAt: now,
        })
        .where(ahead);
      await tx
        .update(checkouts)
        .set({ dueAt: now, lapsesAt: sql`${checkouts.lapsesAt} + (${now} - ${checkouts.dueAt})` })
        .where(overdue);
      await failAttempts(tx, lapsed, REASON_WHEN_LAPSED, now);
    });
  }

  async #take(attempt: ClaimedAttempt): Promise<'next is due' | 'done'> {
    const secrets = openSecrets(this.#parts.seal, attempt);
    const step: Step =
      secrets === undefined ? { state: 'failed', reason: 'wallet_unreachable' } : await STEPS[attempt.state](this.#parts, attempt, secrets);
    await this.#store(attempt, step);
    return 'again' in step && step.again === 0 ? 'next is due' : 'done';
  }

  async #store(attempt: ClaimedAttempt, step: Step): Promise<void> {
    const now = this.#parts.clock.now();
    const own = and(eq(checkouts.id, attempt.id), eq(checkouts.state, attempt.state), eq(checkouts.claims, attempt.claims));
    if (step.state === 'failed') {
      await this.#parts.database.write((tx) => failAttempts(tx, own, step.reason, now));
      return;
    }
    const change =
      step.state === 'paid'
        ? { state: step.state, sealed: null, dueAt: null }
        : {
            state: step.state,
            sealed: sealSecrets(this.#parts.seal, attempt.id, step.secrets),
            outgoingPayment: step.outgoingPayment ?? attempt.outgoingPayment,
            tries: step.state === attempt.state ? attempt.tries + 1 : 0,
            dueAt: now + step.again,
            // From here on the wallet may pay.
            ...(step.state === 'paying' && attempt.state === 'returned' && { receivedBefore: receivedNow }),
          };
    await this.#parts.database.write(async (tx) => {
      const [stored] = await tx
        .update(checkouts)
        .set({ ...change, claimedUntil: null, updatedAt: now })
        .where(own)
        .returning();
      if (stored?.state === 'paid' && step.state === 'paid') await provePayer(tx, stored, step.paid, now);
    });
  }
}

/** Takes items from their groups in turns, in each group the first ones first. */
function inTurns<T>(items: readonly T[], groupOf: (item: T) => string, most: number): T[] {
  const groups = [...Map.groupBy(items, groupOf).values()];
  const chosen: T[] = [];
  for (let turn = 0; chosen.length < Math.min(most, items.length); turn += 1)
    chosen.push(...groups.flatMap((group) => group.slice(turn, turn + 1)).slice(0, most - chosen.length));
  return chosen;
}

type TakeStep = (parts: CheckoutParts, attempt: ClaimedAttempt, secrets: AttemptSecrets) => Promise<Step>;

const nothingDue: TakeStep = async () => {
  throw new Error('nothing is due in this state');
};

const STEPS: Record<CheckoutState, TakeStep> = {
  asking: nothingDue,
  approving: nothingDue,
  paid: nothingDue,
  failed: nothingDue,
  returned: fetchToken,
  paying: async (parts, attempt, secrets) =>
    attempt.outgoingPayment === null ? await pay(parts, attempt, secrets) : await follow(parts, attempt, secrets, attempt.outgoingPayment),
};

/** Fetches the token that pays, with the reference that the visitor's browser brought back. */
async function fetchToken(parts: CheckoutParts, attempt: Attempt, secrets: AttemptSecrets): Promise<Step> {
  const continuation = { ...secrets, walletAddressId: await accountOf(parts, attempt) };
  if (!(await isOpen(parts, attempt))) {
    await parts.paymentGrants.cancel(continuation);
    return { state: 'failed', reason: 'closed' };
  }
  const continued = await parts.paymentGrants.continue(continuation);
  if (!continued.ok) {
    if (continued.error === 'unreachable') return { state: 'returned', secrets, again: backOff(attempt.tries) };
    return { state: 'failed', reason: 'wallet_refused' };
  }
  const { value } = continued;
  if (value.state === 'granted') return { state: 'paying', secrets: { ...secrets, token: value.token }, again: 0 };
  const { continueUri, continueToken, waitSeconds } = value;
  return { state: 'returned', secrets: { ...secrets, continueUri, continueToken }, again: waitSeconds * 1_000 };
}

/**
 * Tells the visitor's wallet to pay. A quote pays one time, so nothing is paid twice when an answer was lost, or the
 * node was killed, and it asks again. For the same reason a new quote is stored before the wallet is told to pay it.
 */
async function pay(parts: CheckoutParts, attempt: ClaimedAttempt, stored: AttemptSecrets): Promise<Step> {
  const secrets = { ...stored, mayHavePaid: stored.mayHavePaid === true || attempt.wasInterrupted };
  const walletAddressId = await accountOf(parts, attempt);
  if (!secrets.mayHavePaid && !(await isOpen(parts, attempt))) return { state: 'failed', reason: 'closed' };
  const again = backOff(attempt.tries);
  // When the wallet may have paid a quote, the node may ask it to pay that same quote only.
  if (!secrets.mayHavePaid && endsSoon(secrets, parts.clock.now())) {
    const renewed = await newPrice(parts, attempt, secrets, walletAddressId);
    if (renewed.ok) return { state: 'paying', secrets: renewed.value, again: 0 };
    return renewed.error === 'wallet_unreachable' ? { state: 'paying', secrets, again } : { state: 'failed', reason: renewed.error };
  }
  const { wallet, quoteId, token = '' } = secrets;
  const made = await parts.payments.createOutgoingPayment({ walletAddress: wallet, walletAddressId, token, quoteId });
  if (made.ok) return { state: 'paying', secrets, outgoingPayment: made.value.id, again: FOLLOW_EVERY_MS };
  if (made.error === 'unreachable') return { state: 'paying', secrets: { ...secrets, mayHavePaid: true }, again };
  // A wallet that paid the first time refuses the second time. What has arrived here tells whether it paid.
  if (!secrets.mayHavePaid) return { state: 'failed', reason: 'wallet_refused' };
  return (await isOpen(parts, attempt)) ? { state: 'paying', secrets, again } : { state: 'paid' };
}

const endsSoon = ({ quoteExpiresAt }: AttemptSecrets, now: number): boolean =>
  quoteExpiresAt !== null && now >= quoteExpiresAt - PRICE_MARGIN_MS;

/** Gets a new quote. It never takes more than the visitor has approved. */
async function newPrice(
  { payments, urls, walletAddresses }: CheckoutParts,
  attempt: Attempt,
  secrets: AttemptSecrets,
  walletAddressId: string,
): Promise<Result<AttemptSecrets, AttemptFailure>> {
  const { wallet, debit } = secrets;
  const account = await walletAddresses.byId(walletAddressId);
  if (account === undefined) throw new Error('an incoming payment without its wallet address');
  const quote = await payments.createQuote({
    walletAddress: wallet,
    walletAddressId,
    receiver: urls.incomingPayment(attempt.incomingPaymentId),
    receiveAmount: { value: attempt.amount, assetCode: account.assetCode, assetScale: account.assetScale },
  });
  if (!quote.ok) return refuse(quote.error === 'refused' ? 'wallet_refused' : 'wallet_unreachable');
  if (quote.value.debitAmount.value > BigInt(debit)) return refuse('price_changed');
  return ok({ ...secrets, quoteId: quote.value.id, quoteExpiresAt: quote.value.expiresAt ?? null });
}

/** Reads from the visitor's wallet how far the payment has come. */
async function follow(parts: CheckoutParts, attempt: Attempt, secrets: AttemptSecrets, url: string): Promise<Step> {
  const walletAddressId = await accountOf(parts, attempt);
  const again = { state: 'paying' as const, secrets, again: Math.max(FOLLOW_EVERY_MS, backOff(Math.floor(attempt.tries / 4))) };
  const read = await parts.payments.getOutgoingPayment({ url, walletAddressId, token: secrets.token ?? '' });
  if (!read.ok) return again;
  const { failed, sentAmount, debitAmount } = read.value;
  if (failed) return { state: 'failed', reason: 'payment_failed' };
  if (sentAmount.value < debitAmount.value) return again;
  return isAsApproved(debitAmount, secrets) ? { state: 'paid', paid: debitAmount } : { state: 'paid' };
}

/**
 * Whether a payment is as the visitor has approved it: in their wallet's currency, and not more. The node believes no
 * other answer.
 */
const isAsApproved = (taken: Amount, { wallet, debit }: AttemptSecrets): boolean =>
  sameAsset(taken, wallet) && taken.value <= BigInt(debit);

async function accountOf({ database }: CheckoutParts, { incomingPaymentId }: Attempt): Promise<string> {
  const payment = await findIncomingPayment(database.read, incomingPaymentId);
  if (payment === undefined) throw new Error('an attempt without its incoming payment');
  return payment.walletAddressId;
}

/** Whether the incoming payment still takes the amount of the attempt. */
async function isOpen({ database, clock }: CheckoutParts, { incomingPaymentId, amount }: Attempt): Promise<boolean> {
  const payment = isId(incomingPaymentId) ? await findIncomingPayment(database.read, incomingPaymentId) : undefined;
  return payment !== undefined && statusOf(payment, clock.now()) === 'open' && amount <= roomOf(payment);
}
