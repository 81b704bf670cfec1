/** Why an invitation to become a peer cannot be accepted now. The words are in words/console/peering. */
export const INVITATION_PROBLEMS = [
  /** The text is no code, or a part of it is missing or changed. */
  'no_code',
  'broken_code',
  /** The node that invites does not know the code. */
  'unknown',
  'expired',
  'used',
  'cancelled',
  /** The inviter has changed the terms since they were read. */
  'changed',
  /** This node knows the currency with another number of decimal places. */
  'other_currency',
  'same_node',
  /** This node may not connect to the address in the code. */
  'address_not_allowed',
  'unreachable',
  /** What answers there is no node of this kind. */
  'no_node',
  /** The node that invites gets too many requests. */
  'busy',
  /** The node that invites cannot reach this one at its public address. */
  'not_called_back',
  'already_peers',
  /** One of the nodes has another peer whose ILP address is the same, or lies above or below. */
  'address_taken',
  /** Each node accepts an invitation of the other at the same time. */
  'both_at_once',
] as const;
export type InvitationProblem = (typeof INVITATION_PROBLEMS)[number];

export const isInvitationProblem = (text: string | null): text is InvitationProblem =>
  (INVITATION_PROBLEMS as readonly (string | null)[]).includes(text);
