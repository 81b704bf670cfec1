import type { EventType } from '../../src-shared/event-types.ts';

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
