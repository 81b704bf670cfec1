import type { Topic } from '../../src-shared/operator-contract/node.ts';
import type { EventType } from '../platform/events.ts';

/** Which of the console's queries may show something new after an event: money that moves changes accounts and budgets, too. */
const TOPICS: Record<EventType, readonly Topic[]> = {
  'account.created': ['accounts'],
  'account.deposited': ['accounts'],
  'account.withdrawn': ['accounts'],
  'client_key.added': ['keys'],
  'client_key.revoked': ['keys'],
  'incoming_payment.created': ['payments'],
  'incoming_payment.received': ['payments', 'accounts'],
  'incoming_payment.completed': ['payments', 'accounts'],
  'outgoing_payment.created': ['payments', 'accounts', 'apps'],
  'outgoing_payment.sending': ['payments'],
  'outgoing_payment.sent': ['payments', 'accounts'],
  'outgoing_payment.retrying': ['payments'],
  'outgoing_payment.settling': ['payments', 'accounts'],
  'outgoing_payment.unknown': ['payments', 'accounts'],
  'outgoing_payment.resolved': ['payments', 'accounts'],
  'outgoing_payment.completed': ['payments', 'accounts'],
  'outgoing_payment.failed': ['payments', 'accounts', 'apps'],
  'grant.requested': ['approvals', 'apps'],
  'grant.opened': ['approvals', 'apps'],
  'grant.code_mistyped': ['approvals'],
  'grant.approved': ['approvals', 'apps'],
  'grant.denied': ['approvals', 'apps'],
  'grant.issued': ['approvals', 'apps'],
  'grant.lapsed': ['approvals', 'apps'],
  'grant.revoked': ['approvals', 'apps'],
  'token.rotated': ['apps'],
  'token.revoked': ['apps'],
  'operator.signed_in': ['node'],
  'peer.added': ['peers'],
  'peer.changed': ['peers'],
  'peer.removed': ['peers'],
  'peer.settled': ['peers'],
  'rate.set': ['rates'],
  'rate.removed': ['rates'],
  'exchange.funded': ['rates'],
  'exchange.withdrawn': ['rates'],
};

export const topicsOf = (type: EventType): readonly Topic[] => TOPICS[type];
