import type { News } from '../../../src-shared/operator-contract/node.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';

/**
 * The news in an event: what the operator wants to hear about on every screen. What the operator did is not news to
 * them. Nor is a payment that its app closes with nothing in it, because any stranger can make and close one.
 * @returns undefined for an event without news.
 */
export function newsOf({ type, subject, body }: Pick<StoredEvent, 'type' | 'subject' | 'body'>): News | undefined {
  if (type === 'incoming_payment.completed' && body.by !== 'operator' && body.received !== '0') return { kind: 'paid', paymentId: subject };
  if (type === 'incoming_payment.claim_waits') return { kind: 'claim', paymentId: subject };
  return type === 'outgoing_payment.failed' ? { kind: 'failed', paymentId: subject } : undefined;
}
