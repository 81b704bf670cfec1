import type { EventType } from '../../../src-shared/event-types.ts';
import type { Topic } from '../../../src-shared/operator-contract/node.ts';
import { LOGGED_EVENTS } from '../operator-acts.ts';

/**
 * The topics whose queries may answer something new after an event. Money that moves also changes accounts and budgets.
 */
const TOPICS: Record<EventType, readonly Topic[]> = {
  'account.created': ['accounts'],
  'account.deposited': ['accounts'],
  'account.withdrawn': ['accounts'],
  'client_key.added': ['keys'],
  'client_key.revoked': ['keys'],
  'incoming_payment.created': ['payments'],
  // The money may come from a peer or go to one.
  'incoming_payment.received': ['payments', 'accounts', 'peers'],
  'incoming_payment.completed': ['payments', 'accounts', 'peers'],
  'outgoing_payment.created': ['payments', 'accounts', 'apps'],
  'outgoing_payment.sending': ['payments'],
  'outgoing_payment.sent': ['payments', 'accounts', 'peers'],
  'outgoing_payment.retrying': ['payments', 'peers'],
  'outgoing_payment.settling': ['payments', 'accounts'],
  'outgoing_payment.unknown': ['payments', 'accounts'],
  'outgoing_payment.resolved': ['payments', 'accounts', 'peers'],
  'outgoing_payment.completed': ['payments', 'accounts', 'peers'],
  'outgoing_payment.failed': ['payments', 'accounts', 'apps', 'peers'],
  'grant.requested': ['approvals', 'apps'],
  'grant.opened': ['approvals', 'apps'],
  'grant.code_mistyped': ['approvals'],
  'grant.approved': ['approvals', 'apps'],
  'grant.denied': ['approvals', 'apps'],
  'grant.issued': ['approvals', 'apps'],
  'grant.lapsed': ['approvals', 'apps'],
  'grant.revoked': ['approvals', 'apps'],
  'grant.frozen': ['apps'],
  'grant.allowed_again': ['apps'],
  'token.rotated': ['apps'],
  'token.revoked': ['apps'],
  'operator.signed_in': ['node'],
  'operator.signed_out': [],
  'payments.exported': [],
  'activity.exported': [],
  'support.bundled': [],
  'peer.added': ['peers'],
  'peer.changed': ['peers'],
  'peer.removed': ['peers'],
  'peer.settled': ['peers'],
  'rate.set': ['rates'],
  'rate.removed': ['rates'],
  'lock.set': ['lock'],
  'lock.changed': ['lock'],
  'lock.removed': ['lock'],
  'lock.passphrase_refused': ['lock'],
  'console.locked': ['lock'],
  'console.unlocked': ['lock'],
  'node.restored': ['node'],
  'node.replaced': ['node'],
  'backup.made': ['backups'],
  'backup.scheduled': ['backups'],
  'backup.unscheduled': ['backups'],
  'backup.failed': ['backups'],
  'settings.changed': ['settings'],
  'exchange.funded': ['rates'],
  'exchange.withdrawn': ['rates'],
};

export const topicsOf = (type: EventType): readonly Topic[] => (LOGGED_EVENTS.has(type) ? [...TOPICS[type], 'activity'] : TOPICS[type]);

/** Whether a text is the name of an event. */
export const isEventType = (text: string): text is EventType => Object.hasOwn(TOPICS, text);
