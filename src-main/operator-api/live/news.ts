import type { News } from '../../../src-shared/operator-contract/node.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';

/**
 * What the operator wants to be told of wherever they are. It is undefined for an event that is no news. What the operator
 * has done themselves is no news to them.
 */
export function newsOf({ type, subject, body }: Pick<StoredEvent, 'type' | 'subject' | 'body'>): News | undefined {
  if (type === 'incoming_payment.completed' && body.by === undefined) return { kind: 'paid', paymentId: subject };
  return type === 'outgoing_payment.failed' ? { kind: 'failed', paymentId: subject } : undefined;
}
