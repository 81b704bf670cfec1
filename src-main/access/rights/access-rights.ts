import type { Amount } from '../../../src-shared/amounts.ts';

/** Kinds of resources a grant can open (facts §5). */
export const ACCESS_TYPES = ['incoming-payment', 'outgoing-payment', 'quote'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

export const ACCESS_ACTIONS = ['create', 'complete', 'read', 'read-all', 'list', 'list-all'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** Maxima for outgoing payments: per window of `interval`, or for the grant's life without one. */
export interface Limits {
  /** The only incoming payment that may be paid. */
  receiver?: string;
  /** ISO 8601 repeating interval, as asked for. */
  interval?: string;
  debitAmount?: Amount;
  receiveAmount?: Amount;
}

/** One right of a grant. */
export interface AccessRight {
  type: AccessType;
  actions: AccessAction[];
  /** The wallet address it is for; without one, every wallet address of this node. */
  identifier?: string;
  limits?: Limits;
}
