import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import type { Tone } from '../components/page/status.tsx';

const words = messages.getPaid.status;

const STATES: Partial<Record<PaymentRequest['status'], { tone: Tone; text: string }>> = {
  waiting: { tone: 'idle', text: words.waiting },
  receiving: { tone: 'busy', text: words.receiving },
  completed: { tone: 'good', text: words.completed },
  expired: { tone: 'bad', text: words.expired },
};

/**
 * The state of a payment request for a person who waits for the money. A request expires without an event in the node,
 * so the page's clock decides.
 */
export function stateOf({ status, expiresAt }: Pick<PaymentRequest, 'status' | 'expiresAt'>, now: Date): { tone: Tone; text: string } {
  const ended = status !== 'completed' && expiresAt !== null && expiresAt <= now;
  return STATES[ended ? 'expired' : status] ?? { tone: 'busy', text: words.receiving };
}
