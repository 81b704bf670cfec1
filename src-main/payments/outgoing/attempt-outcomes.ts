import type { Failure } from '../../../src-shared/payment-failures.ts';
import type { SendOutcome } from '../../ilp/stream-sender.ts';
import { deadlineOf } from './deadlines.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';

/** How many attempts in a row may deliver nothing. */
const MAX_FRUITLESS = 6;

/**
 * How an attempt ended: as the sender says, or before anything was sent.
 * - `receiver_closed`: the receiver takes no more money.
 * - `receiver_changed`: the receiver is no longer what was quoted.
 * - `receiver_unreachable`: the receiver's wallet did not say where to send.
 * - `answer_lost`: an earlier packet has no answer yet.
 * - The others mean what they mean to the connector.
 */
export type AttemptOutcome =
  | SendOutcome
  | { readonly ended: 'refused'; readonly refusal: 'receiver_closed' | 'receiver_changed' | 'no_route' | 'rate_moved' }
  | { readonly ended: 'interrupted'; readonly refusal: 'receiver_unreachable' | 'answer_lost' | 'peer_unreachable' };

type Refusal = Extract<AttemptOutcome, { refusal?: unknown }>['refusal'];

/**
 * Tells what ends the payment now.
 * @returns undefined when another attempt makes sense.
 */
export function failureOf(outcome: AttemptOutcome, payment: OutgoingPayment, now: number): Failure | undefined {
  if (now >= deadlineOf(payment, now)) return 'out_of_time';
  const refusal: Refusal = 'refusal' in outcome ? outcome.refusal : undefined;
  if (outcome.ended === 'refused' && refusal !== 'sender_stopped') {
    return finalFailure(refusal, 'code' in outcome ? outcome.code : undefined);
  }
  if (payment.fruitless + 1 < MAX_FRUITLESS) return undefined;
  return lastingFailure(refusal, 'code' in outcome ? outcome.code : undefined);
}

/** The failure after a refusal that another attempt would only repeat. */
function finalFailure(refusal: Refusal, code: string | undefined): Failure {
  switch (refusal) {
    case 'over_amount':
    case 'no_route':
    case 'bad_fulfilment':
    case 'rate_moved':
    case 'receiver_closed':
      return refusal;
    case 'unknown_payment':
      return 'receiver_closed';
    default:
      // An F02 without a reason of this node's own: somebody on the way says that there is no such address.
      return code === 'F02' ? 'no_route' : 'refused';
  }
}

/** The failure after refusals that might have passed and did not. */
function lastingFailure(refusal: Refusal, code: string | undefined): Failure {
  switch (refusal) {
    case 'peer_credit':
    case 'peer_unreachable':
    case 'receiver_unreachable':
      return refusal;
    case 'answer_lost':
      return 'peer_unreachable';
    case 'insufficient':
      return 'no_liquidity';
    default:
      return code === 'T04' ? 'path_liquidity' : 'no_progress';
  }
}

/**
 * Why there is another attempt, for the timeline: this node's own word for it, or else the ILP code, or else how the
 * attempt ended.
 */
export const reasonOf = (outcome: AttemptOutcome): string =>
  ('refusal' in outcome && outcome.refusal) || ('code' in outcome && outcome.code) || outcome.ended;

/**
 * The pause before the next attempt, in milliseconds: 1, 2, 4 … 60 seconds, by the number of attempts without
 * progress. It is up to a fifth shorter or longer, so that payments do not all send at the same moment. The difference
 * comes from the end of the id, because the beginning of the id is a time.
 */
export function retryDelayMs({ fruitless, id }: Pick<OutgoingPayment, 'fruitless' | 'id'>): number {
  const jitter = 0.8 + (0.4 * Number.parseInt(id.slice(-4), 16)) / 0xffff;
  return Math.round(Math.min(60_000, 1_000 * 2 ** Math.min(fruitless, 6)) * jitter);
}
