import type { Amount } from '../../../src-shared/amounts.ts';

/** The kinds of resources that a grant can open (protocol-notes.md#PN-16). */
export const ACCESS_TYPES = ['incoming-payment', 'outgoing-payment', 'quote'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

export const ACCESS_ACTIONS = ['create', 'complete', 'read', 'read-all', 'list', 'list-all'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/**
 * The most that outgoing payments may spend: in each window of `interval`, or in the grant's life when there is none.
 */
export interface Limits {
  /** The only incoming payment that may be paid. */
  receiver?: string;
  /** The ISO 8601 repeating interval, as the client asked for it. */
  interval?: string;
  debitAmount?: Amount;
  receiveAmount?: Amount;
}

/** One right of a grant. */
export interface AccessRight {
  type: AccessType;
  actions: AccessAction[];
  /** The wallet address of the right. Without one the right is for every wallet address of this node. */
  identifier?: string;
  limits?: Limits;
}
