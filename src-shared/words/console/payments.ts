import type { Payment } from '../../operator-contract/payments/payments.ts';
import { area, extended } from '../language/language.ts';
import { openPacketText } from '../open-packets.ts';
import { paymentFailureText } from '../payment-failures.ts';
import { archiveTroubleText } from '../storage.ts';

const text = area('payments');

/**
 * The facts of an event that a sentence can use. Amounts are text. A fact that the event does not have is undefined.
 */
export interface TimelineFacts {
  readonly amount: string | undefined;
  /** The total that was received or sent so far. */
  readonly total: string | undefined;
  readonly returned: string | undefined;
  /** Whether nothing at all was received or sent. */
  readonly isEmpty: boolean;
  /** Whether the operator did it. */
  readonly byYou: boolean;
  /** How many consecutive events the entry stands for. */
  readonly events: number;
  /** Whether the money arrived, in the event in which the operator says how the payment ended. */
  readonly arrived: boolean;
  /** Who paid; empty where the event does not say it. */
  readonly payer: string;
}

/** The words for packets that brought money. Several packets in a row have one entry with their sum. */
function receivedText({ amount, total, events }: TimelineFacts): string {
  const says = text.timelineEvents.incoming_payment;
  if (events > 1) return total === undefined ? says.receivedMoneyPackets({ events }) : says.receivedPackets({ total, events });
  if (amount === undefined) return says.receivedMoney;
  return total === undefined ? says.received({ amount }) : says.receivedTotal({ amount, total });
}

/** The words for packets that took money away. */
function sentText({ amount, total, events }: TimelineFacts): string {
  const says = text.timelineEvents.outgoing_payment;
  if (events > 1) return total === undefined ? says.sentMoneyPackets({ events }) : says.sentPackets({ total, events });
  if (amount === undefined) return says.sentMoney;
  return total === undefined ? says.sent({ amount }) : says.sentTotal({ amount, total });
}

function completedText({ total, byYou, isEmpty }: TimelineFacts): string {
  const says = text.timelineEvents.incoming_payment;
  if (isEmpty) return says.cancelled({ byYou });
  return total === undefined ? says.completed({ byYou }) : says.completedWith({ byYou, total });
}

/** What each event says about a payment. */
function timeline(): Readonly<Record<string, (facts: TimelineFacts) => string>> {
  const { incoming_payment: incoming, outgoing_payment: outgoing } = text.timelineEvents;
  return {
    'incoming_payment.created': () => incoming.created,
    'incoming_payment.noted': () => incoming.noted,
    'incoming_payment.received': receivedText,
    'incoming_payment.completed': completedText,
    'incoming_payment.payer_proven': ({ payer }) => incoming.payer_proven({ payer }),
    'incoming_payment.refunding': ({ amount = '' }) => incoming.refunding({ amount }),
    'incoming_payment.refund_failed': ({ amount = '' }) => incoming.refund_failed({ amount }),
    'incoming_payment.claim_made': ({ amount = '' }) => incoming.claim_made({ amount }),
    'incoming_payment.claim_waits': () => incoming.claim_waits,
    'incoming_payment.claim_refunded': () => incoming.claim_refunded,
    'incoming_payment.claim_refused': () => incoming.claim_refused,
    'incoming_payment.claim_cancelled': () => incoming.claim_cancelled,
    'incoming_payment.claim_expired': () => incoming.claim_expired,
    'outgoing_payment.created': ({ amount }) => (amount === undefined ? outgoing.created : outgoing.createdWith({ amount })),
    'outgoing_payment.sending': () => outgoing.sending,
    'outgoing_payment.sent': sentText,
    'outgoing_payment.retrying': ({ events }) => outgoing.retrying({ events }),
    'outgoing_payment.settling': () => outgoing.settling,
    'outgoing_payment.unknown': () => outgoing.unknown,
    'outgoing_payment.resolved': ({ amount, arrived }) =>
      amount === undefined ? outgoing.resolvedRest({ arrived }) : outgoing.resolved({ amount, arrived }),
    'outgoing_payment.completed': ({ total }) => (total === undefined ? outgoing.completed : outgoing.completedWith({ total })),
    'outgoing_payment.failed': ({ returned }) => (returned === undefined ? outgoing.failed : outgoing.failedWith({ returned })),
  };
}

export const payments = extended('payments', () => {
  const advice: Readonly<Record<string, string>> = text.advice;
  const refundFailures: Readonly<Record<string, string>> = text.refund.failures;
  return {
    /** What an operator can do about a failed payment, by the code of the failure. */
    adviceFor: (code: string) => advice[code] ?? text.adviceDefault,
    timelineEvents: timeline(),
    archiveTroubleText,
    failureText: paymentFailureText,
    /** Why a refund came to no payment, by the code of the failure. */
    refundFailureText: (code: string) => refundFailures[code] ?? text.refund.failures.other,
    openPacketText,
    titleOf: (payment: Pick<Payment, 'direction' | 'description' | 'reference' | 'note' | 'refundOf'>) =>
      payment.description ?? payment.note ?? payment.reference ?? text.untitled[payment.refundOf === null ? payment.direction : 'refund'],
  };
});
