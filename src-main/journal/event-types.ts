/** Every kind of thing that can happen, as `subject.what`. */
export const EVENT_TYPES = [
  'account.created',
  'account.deposited',
  'account.withdrawn',
  'client_key.added',
  'client_key.revoked',
  'incoming_payment.created',
  'incoming_payment.received',
  'incoming_payment.completed',
  'outgoing_payment.created',
  'outgoing_payment.sending',
  'outgoing_payment.sent',
  'outgoing_payment.retrying',
  'outgoing_payment.settling',
  'outgoing_payment.unknown',
  'outgoing_payment.resolved',
  'outgoing_payment.completed',
  'outgoing_payment.failed',
  'grant.requested',
  'grant.opened',
  'grant.code_mistyped',
  'grant.approved',
  'grant.denied',
  'grant.issued',
  'grant.lapsed',
  'grant.revoked',
  'grant.frozen',
  'grant.allowed_again',
  'token.rotated',
  'token.revoked',
  'operator.signed_in',
  'operator.signed_out',
  'payments.exported',
  'activity.exported',
  'support.bundled',
  'peer.added',
  'peer.changed',
  'peer.removed',
  'peer.settled',
  'rate.set',
  'rate.removed',
  'lock.set',
  'lock.changed',
  'lock.removed',
  'lock.passphrase_refused',
  'console.locked',
  'console.unlocked',
  'node.restored',
  'node.replaced',
  'backup.made',
  'backup.scheduled',
  'backup.unscheduled',
  'backup.failed',
  'settings.changed',
  'exchange.funded',
  'exchange.withdrawn',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Whether a text is the name of an event. */
export const isEventType = (text: string): text is EventType => (EVENT_TYPES as readonly string[]).includes(text);

export interface NewEvent {
  type: EventType;
  subject: string;
  walletAddressId?: string;
  /** Small facts for the timeline and the audit log; amounts as decimal text, never a secret. */
  body?: Record<string, string>;
  at: number;
}

export interface StoredEvent extends Required<Omit<NewEvent, 'walletAddressId'>> {
  position: bigint;
  walletAddressId: string | null;
}
