import { and, eq } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import { isFailure } from '../../../src-shared/payment-failures.ts';
import type { Moved } from '../../ilp/conversion.ts';
import type { SendOutcome, SendTask } from '../../ilp/stream-sender.ts';
import { appendEvent } from '../../journal/events.ts';
import { peers, sentPackets } from '../../peers/tables.ts';
import type { Core } from '../../platform/core.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import type { IncomingPaymentReader, RemoteIncomingPayment } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { outgoingPayments } from '../tables.ts';
import { type AttemptOutcome, failureOf, reasonOf, retryDelayMs } from './attempt-outcomes.ts';
import { deadlineOf } from './deadlines.ts';
import { giveUp, isStill } from './endings.ts';
import { type HeldOutcome, type HeldPackets, LOOKING_MS } from './held-packets.ts';
import { findOutgoingPayment, isFinal, type OutgoingPayment, receiveAsset, touchedByOutgoing } from './outgoing-payment-rows.ts';
import type { SendingPlan, SendingPlans } from './sending-plan.ts';

/** What an attempt needs of the ILP wing. */
interface PaymentNetwork {
  credentials(incomingPaymentId: string, asset: Asset): Promise<{ ilpAddress: string; sharedSecret: Buffer }>;
  send(task: SendTask): Promise<SendOutcome>;
}

/** What an attempt is made of. */
export interface AttemptParts extends Pick<Core, 'database' | 'clock' | 'log'> {
  network: PaymentNetwork;
  walletAddresses: Pick<WalletAddresses, 'byId'>;
  /** Reads incoming payments at other wallets. */
  remote: IncomingPaymentReader;
  held: Pick<HeldPackets, 'askAbout'>;
  plans: Pick<SendingPlans, 'plan' | 'asksAgain' | 'peerTo'>;
}

/** How long one attempt may start new packets, in milliseconds. */
export const ATTEMPT_MS = 30_000;

/** How many times one attempt sends what is still missing. */
const ROUNDS = 5;

/** The receiver to which the node sends, and what it knows of the receiver before it sends anything. */
interface Destination {
  readonly ilpAddress: string;
  readonly sharedSecret: Buffer;
  readonly receivedFromOthers?: bigint | undefined;
}

/**
 * One attempt to bring a payment further. It finds out, in this order: what became of packets without an answer,
 * whether there is still time, and where to send. Then it sends what is left and decides what follows. Only the ledger
 * says how much was sent; the attempt never believes the stream's own totals.
 */
export class PaymentAttempt {
  readonly #parts: AttemptParts;
  readonly #signal: AbortSignal;

  /**
   * @param signal ends the attempt once it is aborted: no new packet leaves, and the attempt concludes nothing from
   * that.
   */
  constructor(parts: AttemptParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /**
   * Makes the attempt.
   * @param claimed the payment as it was claimed: its attempt is the fencing token.
   */
  async run(claimed: OutgoingPayment): Promise<void> {
    // This attempt may have waited for the one before it until the node stopped.
    if (this.#signal.aborted) return;
    const payment = claimed.held > 0n ? await this.#askAboutHeld(claimed) : claimed;
    if (payment === undefined || this.#signal.aborted) return;
    const { database, clock, log } = this.#parts;
    const now = clock.now();
    // Only settling was left to do, and it did not complete the payment.
    if (payment.state === 'settling') return void (await giveUp(database, payment, failureSoFar(payment), now));
    if (now >= deadlineOf(payment, now)) return void (await giveUp(database, payment, 'out_of_time', now));
    log.debug({ payment: payment.id, attempt: payment.attempt, left: (payment.debitAmount - payment.sent).toString() }, 'sending');
    const outcome = await this.#send(payment);
    if (outcome !== undefined) await this.#conclude(payment, outcome);
  }

  /**
   * Asks about the packets that have no answer. @returns the payment once none of its packets is open. It is undefined
   * when there is nothing to do with it now.
   */
  async #askAboutHeld(claimed: OutgoingPayment): Promise<OutgoingPayment | undefined> {
    const outcome = await this.#parts.held.askAbout(claimed, this.#signal);
    if (outcome.state === 'unknown' || this.#signal.aborted) return undefined;
    const payment = await this.#current(claimed);
    if (outcome.state !== 'waiting' || payment === undefined) return payment;
    await this.#awaitAnswers(payment, outcome);
    return undefined;
  }

  async #awaitAnswers(payment: OutgoingPayment, { until }: Extract<HeldOutcome, { state: 'waiting' }>): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    const lost: AttemptOutcome = { ended: 'interrupted', refusal: 'answer_lost' };
    // While there is a time to wait for, nothing was tried that could have failed.
    const failure = until === undefined || now >= deadlineOf(payment, now) ? failureOf(lost, payment, now) : undefined;
    if (failure !== undefined && payment.state !== 'settling') await giveUp(database, payment, failure, now);
    else await this.#retryLater(payment, lost, until);
  }

  async #current({ id, attempt }: OutgoingPayment): Promise<OutgoingPayment | undefined> {
    const payment = await findOutgoingPayment(this.#parts.database.read, id);
    return payment === undefined || isFinal(payment) || payment.attempt !== attempt ? undefined : payment;
  }

  /** @returns how the attempt ended. It is undefined when the payment ended with it. */
  async #send(payment: OutgoingPayment): Promise<AttemptOutcome | undefined> {
    const { walletAddresses } = this.#parts;
    const payer = await walletAddresses.byId(payment.walletAddressId);
    if (payer === undefined) throw new Error('an outgoing payment without its wallet address');
    const sourceAsset = { assetCode: payer.assetCode, assetScale: payer.assetScale };
    if (payment.receiverId === null) return await this.#sendElsewhere(payment, sourceAsset);
    const destination = await this.#parts.network.credentials(payment.receiverId, receiveAsset(payment));
    const outcome = await this.#sendPlanned(payment, sourceAsset, destination, { amount: payment.debitAmount - payment.sent });
    // The write that moves the last of the money on this node completes the payment.
    return outcome.ended === 'sent' ? undefined : outcome;
  }

  async #sendElsewhere(claimed: OutgoingPayment, sourceAsset: Asset): Promise<AttemptOutcome | undefined> {
    const destination = this.#recent(claimed, sourceAsset) ?? (await this.#find(claimed));
    if ('ended' in destination) return destination;
    if (!this.#mayGoTo(claimed, sourceAsset, destination)) return { ended: 'refused', refusal: 'receiver_changed' };
    let payment: OutgoingPayment | undefined = claimed;
    let outcome: AttemptOutcome = { ended: 'interrupted' };
    // Where others exchange on the way, and round, a plan that should suffice can be a unit short.
    for (let round = 0; round < ROUNDS && payment !== undefined; round++) {
      const plan: SendingPlan | AttemptOutcome = await this.#parts.plans.plan(payment, sourceAsset, destination);
      if ('ended' in plan) return plan;
      outcome = await this.#explain(payment, await this.#sendPlanned(payment, sourceAsset, destination, plan));
      if (outcome.ended !== 'sent') return outcome;
      payment = await this.#current(claimed);
    }
    return payment && outcome;
  }

  /**
   * Whether the payment may go to this address. A refund that a wallet has confirmed goes back by the peer that brought
   * the money, and no other way. That wallet names an address anew each time, so the node looks at it before anything
   * leaves (decisions.md#D-271).
   */
  #mayGoTo(payment: OutgoingPayment, asset: Asset, { ilpAddress }: Destination): boolean {
    const { boundTo } = payment;
    const peer = this.#parts.plans.peerTo(ilpAddress, { asset, receiveAsset: receiveAsset(payment) });
    // Without a way nothing leaves, and the plan says what follows.
    return boundTo === null || peer === undefined || boundTo === peer;
  }

  async #sendPlanned(
    payment: OutgoingPayment,
    sourceAsset: Asset,
    { ilpAddress, sharedSecret, receivedFromOthers }: Destination,
    { amount, handover, underWay }: SendingPlan,
  ): Promise<SendOutcome> {
    const { network, clock } = this.#parts;
    const deadline = deadlineOf(payment, clock.now());
    const isPriced = !sameAsset(sourceAsset, receiveAsset(payment)) || payment.debitAmount !== payment.receiveAmount;
    return await network.send({
      sender: { outgoingPaymentId: payment.id, attempt: payment.attempt, receivedFromOthers },
      destinationAddress: ilpAddress,
      sharedSecret,
      sourceAsset,
      receiveAsset: receiveAsset(payment),
      amount,
      handover,
      underWay,
      ...(isPriced && { price: { debit: payment.debitAmount, receive: payment.receiveAmount }, moved: await this.#moved(payment) }),
      deadlineMs: Math.min(clock.now() + ATTEMPT_MS, deadline),
      lastExpiryMs: deadline - LOOKING_MS,
      signal: this.#signal,
    });
  }

  /**
   * The amounts that were converted for the payment so far: on this node what was delivered, elsewhere what peers got
   * in the receiver's asset. What peers got in the payer's asset counts at the payment's price, as in `Conversion`.
   */
  async #moved({ id, receiverId, sent, delivered, debitAmount, receiveAmount, ...payment }: OutgoingPayment): Promise<Moved> {
    if (receiverId !== null) return { sent, delivered };
    const { assetCode, assetScale } = receiveAsset(payment);
    const [converted] = await this.#parts.database.read
      .select({ source: exactSum(sentPackets.sourceAmount), given: exactSum(sentPackets.peerAmount) })
      .from(sentPackets)
      .innerJoin(peers, and(eq(peers.id, sentPackets.peerId), eq(peers.assetCode, assetCode), eq(peers.assetScale, assetScale)))
      .where(and(eq(sentPackets.outgoingPaymentId, id), eq(sentPackets.state, 'fulfilled')));
    // A sum of nothing is null.
    const asItWas = sent - (converted?.source ?? 0n);
    return { sent, delivered: (converted?.given ?? 0n) + (asItWas * receiveAmount) / debitAmount };
  }

  /**
   * Reads a receiver elsewhere anew at each attempt. Its address and secret may have changed, and it may take no more
   * money.
   */
  async #find(payment: OutgoingPayment): Promise<Destination | AttemptOutcome> {
    const found = await this.#read(payment);
    if (found === 'unreachable') return { ended: 'interrupted', refusal: 'receiver_unreachable' };
    if (found === 'gone' || found.method === undefined || isClosed(found, this.#parts.clock.now())) {
      return { ended: 'refused', refusal: 'receiver_closed' };
    }
    if (!sameAsset(found.asset, receiveAsset(payment))) return { ended: 'refused', refusal: 'receiver_changed' };
    return { ...found.method, ...receivedFromOthers(found, payment) };
  }

  /**
   * The receiver as the node read it for the price a moment ago. It is good enough for the first attempt, if the peer
   * recognises repetitions. With another peer the receiver's count decides over a packet whose answer is lost, so the
   * node must read that count right before the packet.
   */
  #recent(payment: OutgoingPayment, asset: Asset): Destination | undefined {
    const { attempt, receiver, walletAddressId } = payment;
    const found = attempt === 1 ? this.#parts.remote.takeRecent(receiver, walletAddressId) : undefined;
    const to = receiveAsset(payment);
    if (found?.method === undefined || isClosed(found, this.#parts.clock.now()) || !sameAsset(found.asset, to)) return undefined;
    if (!this.#parts.plans.asksAgain(found.method.ilpAddress, { asset, receiveAsset: to })) return undefined;
    return { ...found.method, ...receivedFromOthers(found, payment) };
  }

  /**
   * Asks the receiver why a packet was rejected elsewhere: a rejection does not say whether the receiver or the way
   * refused.
   */
  async #explain(payment: OutgoingPayment, outcome: SendOutcome): Promise<AttemptOutcome> {
    if (outcome.ended !== 'refused' || outcome.refusal !== undefined || this.#signal.aborted) return outcome;
    const found = await this.#read(payment);
    const closed = found === 'gone' || (found !== 'unreachable' && isClosed(found, this.#parts.clock.now()));
    return closed ? { ended: 'refused', refusal: 'receiver_closed' } : outcome;
  }

  async #read(payment: OutgoingPayment): Promise<RemoteIncomingPayment | 'unreachable' | 'gone'> {
    const { receiver, client, walletAddressId } = payment;
    const until = deadlineOf(payment, this.#parts.clock.now());
    const found = await this.#parts.remote.get(receiver, { client, walletAddressId, until });
    if (found.ok) return found.value;
    return found.error === 'unknown_receiver' ? 'gone' : 'unreachable';
  }

  async #conclude({ id, attempt }: OutgoingPayment, outcome: AttemptOutcome): Promise<void> {
    const { database, clock } = this.#parts;
    const payment = await findOutgoingPayment(database.read, id);
    if (payment === undefined || isFinal(payment) || payment.attempt !== attempt || this.#signal.aborted) return;
    const failure = failureOf(outcome, payment, clock.now());
    if (failure === undefined) await this.#retryLater(payment, outcome);
    else await giveUp(database, payment, failure, clock.now());
  }

  /**
   * Plans another attempt. A payment that settles goes on settling, and its rounds make no events.
   * @param until a known time to wait for. An attempt that waits for it does not count as fruitless.
   */
  async #retryLater(payment: OutgoingPayment, outcome: AttemptOutcome, until?: number): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    const next = at + retryDelayMs(payment);
    // The last attempt is at the deadline, not a pause after it.
    const deadline = deadlineOf(payment, at);
    const dueAt = until ?? (at < deadline ? Math.min(next, deadline) : next);
    const fruitless = until === undefined ? payment.fruitless + 1 : payment.fruitless;
    const state = payment.state === 'settling' ? 'settling' : 'retrying';
    await database.write(
      async (tx) => {
        const [retrying] = await tx
          .update(outgoingPayments)
          .set({ state, dueAt, deadline, fruitless, updatedAt: at })
          .where(isStill(payment))
          .returning({ id: outgoingPayments.id });
        if (retrying === undefined || state === 'settling') return;
        await appendEvent(tx, {
          type: 'outgoing_payment.retrying',
          subject: payment.id,
          walletAddressId: payment.walletAddressId,
          body: { reason: reasonOf(outcome), dueAt: new Date(dueAt).toISOString() },
          at,
        });
      },
      [touchedByOutgoing(payment.id)],
    );
  }
}

/**
 * The amount that the receiver had got before this payment. It is absent when the receiver tells less than it must have
 * got.
 */
function receivedFromOthers({ received }: RemoteIncomingPayment, { delivered }: OutgoingPayment): Pick<Destination, 'receivedFromOthers'> {
  return received < delivered ? {} : { receivedFromOthers: received - delivered };
}

function isClosed({ completed, expiresAt, incomingAmount, received }: RemoteIncomingPayment, now: number): boolean {
  if (completed || (expiresAt !== undefined && now >= expiresAt)) return true;
  return incomingAmount !== undefined && received >= incomingAmount;
}

const failureSoFar = ({ failure }: OutgoingPayment) => (failure !== null && isFailure(failure) ? failure : 'out_of_time');
