import type { EventType } from '../../src-shared/event-types.ts';

export interface NewEvent {
  type: EventType;
  subject: string;
  walletAddressId?: string;
  /** A few facts for the lists that show events. Amounts are decimal text. A secret is never among them. */
  body?: Record<string, string>;
  at: number;
}

export interface StoredEvent extends Required<Omit<NewEvent, 'walletAddressId'>> {
  position: bigint;
  walletAddressId: string | null;
}
