import { type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import { afterFee } from '../../exchange/fee.ts';
import { leastFor } from '../../exchange/fraction.ts';
import type { Rates } from '../../exchange/rates.ts';
import type { Price } from '../../ilp/conversion.ts';
import type { PeerForwarder } from '../../ilp/peer-forwarder.ts';
import type { PeerRoute } from '../../ilp/peer-links.ts';
import type { Prober } from '../../ilp/prober.ts';
import { MOST_UNDER_WAY, type SendTask } from '../../ilp/stream-sender.ts';
import type { Core } from '../../platform/core.ts';
import type { AttemptOutcome } from './attempt-outcomes.ts';
import { deadlineOf } from './deadlines.ts';
import { type OutgoingPayment, receiveAsset } from './outgoing-payment-rows.ts';

/** How long the way may take to tell its rate. */
const PROBE_MS = 4_500;

interface Destination {
  readonly ilpAddress: string;
  readonly sharedSecret: Buffer;
}

/** What to send in one go. */
export interface SendingPlan {
  /** The amount, in smallest units of the payer's asset; at most what is left of the payment. */
  readonly amount: bigint;
  /**
   * What the peer gets of all that: `debit` is `amount`. It is absent where the payment's own price says it, or where
   * this node exchanges nothing.
   */
  readonly handover?: Price;
  /** How many packets may be under way at once: see {@link SendTask.underWay}. */
  readonly underWay?: number;
}

interface Parts extends Pick<Core, 'clock'> {
  forwarder: Pick<PeerForwarder, 'route' | 'isPaused'>;
  prober: Pick<Prober, 'probe'>;
  rates: Pick<Rates, 'termsBetween'>;
}

/**
 * Finds out how much to send so that the receiver gets what was promised.
 *
 * If the receiver gets what the peer gets, that is all of the debit, by the payment's own price. If others exchange on
 * the way, the quote promised a little less than was measured: all of the debit would bring more than the receiver asks
 * for, and would be rejected. So the way is measured again, and only as much is sent as is needed (decisions.md#D-52).
 */
export class SendingPlans {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the way to a destination is a peer that recognises repetitions, so that a lost answer can be had again. */
  asksAgain(destination: string, assets: { asset: Asset; receiveAsset: Asset }): boolean {
    return this.#parts.forwarder.route(destination, assets)?.deduplicates === true;
  }

  /** The ILP address of the peer that leads to a destination. It is undefined when none does now. */
  peerTo(destination: string, assets: { asset: Asset; receiveAsset: Asset }): string | undefined {
    return this.#parts.forwarder.route(destination, assets)?.ilpAddress;
  }

  async plan(payment: OutgoingPayment, asset: Asset, { ilpAddress, sharedSecret }: Destination): Promise<SendingPlan | AttemptOutcome> {
    const { forwarder, prober, clock } = this.#parts;
    const left = payment.debitAmount - payment.sent;
    const to = receiveAsset(payment);
    const route = forwarder.route(ilpAddress, { asset, receiveAsset: to });
    if (route === undefined) {
      return forwarder.isPaused(ilpAddress)
        ? { ended: 'interrupted', refusal: 'peer_unreachable' }
        : { ended: 'refused', refusal: 'no_route' };
    }
    const underWay = mayBeUnderWay(route, asset, to);
    if (route.direct && sameAsset(route.asset, to)) return { amount: left, underWay };
    const deadlineMs = Math.min(clock.now() + PROBE_MS, deadlineOf(payment, clock.now()));
    const measured = await prober.probe({ route, destinationAddress: ilpAddress, sharedSecret, deadlineMs });
    if (!measured.ok) return { ended: 'interrupted', refusal: 'peer_unreachable' };
    const needed = leastFor(payment.receiveAmount - payment.delivered, measured.value);
    if (sameAsset(route.asset, asset)) return { amount: needed < left ? needed : left, underWay };
    return await this.#exchanged(payment, left, needed, { from: asset, to: route.asset });
  }

  /**
   * Plans an exchange here. It pays out what is needed, and never more than the rest of the debit is worth to it, so
   * nobody on the way can make it lose. The fee was taken from the whole debit, and the rest bears its part of it.
   */
  async #exchanged(
    { debitAmount }: OutgoingPayment,
    left: bigint,
    needed: bigint,
    { from, to }: { from: Asset; to: Asset },
  ): Promise<SendingPlan | AttemptOutcome> {
    const terms = await this.#parts.rates.termsBetween(from, to);
    if (!terms.ok) return { ended: 'refused', refusal: 'rate_moved' };
    const { rate, fee } = terms.value;
    const worth = (left * afterFee(debitAmount, fee) * rate.numerator) / (debitAmount * rate.denominator);
    return needed > worth ? { ended: 'refused', refusal: 'rate_moved' } : { amount: left, handover: { debit: left, receive: needed } };
  }
}

/**
 * How many packets of a payment may be under way at once. Converted packets are counted one after the other. And when
 * answers are lost, somebody has to tell what became of each packet: the peer, or the receiver's count if it gets what
 * the peer gets (decisions.md#D-158).
 */
function mayBeUnderWay({ asset, direct, deduplicates }: PeerRoute, from: Asset, to: Asset): number {
  if (!sameAsset(asset, from)) return 1;
  return deduplicates || (direct && sameAsset(asset, to)) ? MOST_UNDER_WAY : 1;
}
