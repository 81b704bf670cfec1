import { and, asc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { OneAtATime } from '../../platform/one-at-a-time.ts';
import { waitAtMost } from '../../platform/patience.ts';
import { isAbandoned } from '../../platform/replicas/holders.ts';
import { WakeLoop } from '../../platform/wake-loop.ts';
import { isUnfinished, outgoingPayments } from '../tables.ts';
import { deadlineAt, LIFETIME_MS } from './deadlines.ts';
import { type Claim, type OutgoingPayment, touchedByOutgoing } from './outgoing-payment-rows.ts';
import { ATTEMPT_MS, type AttemptParts, PaymentAttempt } from './payment-attempt.ts';

/** How many payments are sent at the same time. */
const CONCURRENCY = 64;
/**
 * The most payments that go to other nodes without taking a place. A peer that does not answer must not hold up
 * payments on this node.
 */
const ELSEWHERE = 512;
/**
 * How long a claim keeps others away, in milliseconds. It is enough for an attempt with the last packet's life, and for
 * what precedes and follows.
 */
export const LEASE_MS = 4 * ATTEMPT_MS;
/**
 * How long a stopping node waits for packets under way, in milliseconds; all of it has five seconds to stop. Packets to
 * peers need no waiting: they are held, and the node asks about them at its next start.
 */
const STOP_MS = 3_500;
/** Wake-ups are hints: this is how often the worker looks without one. */
const POLL_MS = 1_000;

const $ = sql.placeholder;

const isDue = and(isUnfinished, lte(outgoingPayments.dueAt, $('now')));
const allDue = prepared((reader: Reader) =>
  reader
    .select({ id: outgoingPayments.id })
    .from(outgoingPayments)
    .where(isDue)
    .orderBy(asc(outgoingPayments.dueAt), asc(outgoingPayments.id))
    .limit(CONCURRENCY)
    .prepare(),
);

const claim = prepared((tx: Tx) =>
  tx
    .update(outgoingPayments)
    .set({
      state: sql`case when ${outgoingPayments.state} = 'settling' then 'settling' else 'sending' end`,
      attempt: sql`${outgoingPayments.attempt} + 1`,
      holder: sql`${$('holder')}`,
      dueAt: sql`${$('leaseUntil')}`,
      deadline: deadlineAt($('now'), $('latest')),
    })
    .where(and(eq(outgoingPayments.id, $('id')), isDue))
    .returning()
    .prepare(),
);

/**
 * The condition that a payment waits for longer than a lease, which no payment does. Somebody has put the clock back,
 * and the payment would wait until the clock shows that time again.
 */
const isTooFar = (now: number) => gt(outgoingPayments.dueAt, now + LEASE_MS);

/**
 * Makes the payments of processes due that are gone. Their attempts are over: a process that only stood still can store
 * nothing more.
 */
async function freeAbandoned(tx: Tx, now: number): Promise<void> {
  const mayHaveBegun = or(inArray(outgoingPayments.state, ['sending', 'settling']), gt(outgoingPayments.held, 0n), isTooFar(now));
  await tx
    .update(outgoingPayments)
    .set({ dueAt: now, deadline: deadlineAt(now, now + LIFETIME_MS), attempt: sql`${outgoingPayments.attempt} + 1`, holder: null })
    .where(and(isUnfinished, mayHaveBegun, isAbandoned(tx, outgoingPayments.holder)));
}

/** Makes due what waits for a time that the clock told before somebody put it back. */
async function makeDue(tx: Tx, now: number): Promise<void> {
  await tx
    .update(outgoingPayments)
    .set({ dueAt: now, deadline: deadlineAt(now, now + LIFETIME_MS) })
    .where(and(isUnfinished, isTooFar(now)));
}

/** Claims a payment that is due. @returns the payment. It is undefined when it is not due any more. */
export async function claimPayment(
  database: Pick<Database, 'write'>,
  { id, now, holder }: { id: string; now: number; holder: string },
): Promise<OutgoingPayment | undefined> {
  const until = { leaseUntil: BigInt(now + LEASE_MS), latest: BigInt(now + LIFETIME_MS) };
  const [claimed] = await database.write((tx) => claim(tx).execute({ id, now: BigInt(now), holder, ...until }), [touchedByOutgoing(id)]);
  return claimed;
}

interface Parts extends AttemptParts {
  /** The process that claims; see `OwnReplica`. Without a name no other process works on these books. */
  holder?: string;
}

/** A place that the worker keeps for a payment that is about to be made. */
export interface KeptPlace {
  /** The claim with which the payment has to be stored. */
  readonly claim: Claim;
  /** Sends the payment, which is durable and carries the claim. From here on it has a place of its own. */
  begin(payment: OutgoingPayment): void;
  /** Is called once, whether a payment was made or not. */
  giveBack(): void;
}

/** Carries outgoing payments to their end. It claims those that are due, and gives each an attempt. */
export class PaymentWorker {
  readonly #parts: AttemptParts;
  readonly #holder: string;
  readonly #attempt: PaymentAttempt;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Promise<void>, OutgoingPayment>();
  readonly #inTurn = new OneAtATime();
  readonly #loop = new WakeLoop({ look: () => this.#claimDue(), everyMs: POLL_MS });
  #latest = 0;
  /** How many places are kept for payments that are about to be made. */
  #kept = 0;
  /** Whether payments may wait for a place: before the first look nobody knows. New ones must not overtake them. */
  #mayWait = true;

  constructor({ holder = newId(), ...parts }: Parts) {
    this.#parts = parts;
    this.#holder = holder;
    this.#attempt = new PaymentAttempt(parts, this.#stopping.signal);
  }

  /**
   * Takes up the payments of processes that are gone, and then keeps looking. The node calls this once. With books in
   * the data folder everything is free then, because no other process works on them.
   */
  async start(): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.database.write((tx) => freeAbandoned(tx, now));
    this.#loop.start();
  }

  /**
   * Keeps a place for a payment that is about to be made.
   * @returns undefined while the worker has no room, does not run, or others may wait. Then the payment waits, too.
   */
  keepPlace(): KeptPlace | undefined {
    if (this.#places() <= 0) this.#mayWait = true;
    if (this.#mayWait || this.#stopping.signal.aborted) return undefined;
    this.#kept += 1;
    return {
      claim: { holder: this.#holder, until: this.#parts.clock.now() + LEASE_MS },
      begin: (payment) => this.#run(payment),
      giveBack: () => {
        this.#kept -= 1;
      },
    };
  }

  /** Frees the payments of replicas that are gone, within the write that removes these replicas. */
  readonly release = freeAbandoned;

  /** Says that a payment may be due. It costs little and may be called at any time. */
  wake(): void {
    this.#loop.wake();
  }

  /** Lets no new packet leave and waits for those under way. The next start takes up what is unfinished. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await waitAtMost(STOP_MS, Promise.all(this.#running.keys()));
  }

  /**
   * Claims the payments that are due, each in a write of its own, and starts their attempts.
   * @returns whether more payments may be due than there were places.
   */
  async #claimDue(): Promise<boolean> {
    const limit = this.#places();
    if (limit <= 0) return false;
    const now = this.#parts.clock.now();
    try {
      if (now < this.#latest) await this.#parts.database.write((tx) => makeDue(tx, now));
      this.#latest = now;
      // In a shared database, a look that finds nothing would take a turn and wake the others.
      const due = (await allDue(this.#parts.database.read).execute({ now })).slice(0, limit);
      const claims = due.map(({ id }) => this.#claim(id, now));
      for (const claim of await Promise.allSettled(claims)) if (claim.status === 'rejected') throw claim.reason;
      this.#mayWait = due.length === Math.min(limit, CONCURRENCY);
      return this.#mayWait;
    } catch (error) {
      this.#parts.log.error({ err: error }, 'payments could not be claimed; the worker looks again in a second');
      return false;
    }
  }

  async #claim(id: string, now: number): Promise<void> {
    const claimed = await claimPayment(this.#parts.database, { id, now, holder: this.#holder });
    if (claimed !== undefined) this.#run(claimed);
  }

  /** The number of further payments that the worker may take on. */
  #places(): number {
    let elsewhere = 0;
    for (const { receiverId } of this.#running.values()) if (receiverId === null) elsewhere += 1;
    return CONCURRENCY + Math.min(elsewhere, ELSEWHERE) - this.#running.size - this.#kept;
  }

  #run(payment: OutgoingPayment): void {
    // A lease ends by the clock on the wall. When that clock is put forward, the packet of the attempt before may still
    // be on its way. Nothing is concluded about that packet until that attempt has heard what became of it.
    const work = this.#inTurn
      .run(payment.id, () => this.#attempt.run(payment))
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, payment: payment.id }, 'an attempt to send a payment broke; it is retried when its lease ends'),
      )
      .finally(() => {
        const wasFull = this.#places() <= 0;
        this.#running.delete(work);
        if (wasFull) this.wake();
      });
    this.#running.set(work, payment);
  }
}
