import type { InvitationProblem } from '../../../peering/invitation-problems.ts';

/** Why an invitation cannot be accepted now, and what the operator can do. */
export const invitationProblems: Readonly<Record<InvitationProblem, string>> = {
  no_code: 'This is no invitation. A code begins with “paydesk-invite-”.',
  broken_code: 'A part of this code is missing or changed. Copy it again, from its first to its last letter.',
  unknown: 'The node that invites does not know this code. Ask for a new one.',
  expired: 'This code has expired: a code works for 24 hours. Ask for a new one.',
  used: 'This code has been used already, and each works once. If it was not you, tell the person who invites you, and ask for a new one.',
  cancelled: 'The person who invites you has taken this invitation back. Ask for a new one.',
  changed: 'The terms have changed since you read them. Read the invitation again.',
  other_currency:
    'Your node counts this currency with another number of decimal places, so the two nodes would misunderstand each other’s amounts. Ask for an invitation with the same number.',
  same_node: 'This is an invitation of your own node. Send it to the person who runs the other one.',
  address_not_allowed:
    'The code leads to an address to which your node does not connect: it must begin with https:// and lie on the public internet.',
  unreachable: 'The node that invites does not answer now. Try again later with the same code; nothing is done twice.',
  no_node: 'Something answers at the address in the code, but not a paydesk node that gives invitations.',
  busy: 'The node that invites gets too many requests at the moment. Try again in a minute with the same code.',
  not_called_back:
    'The node that invites cannot reach yours at its public address. Check under Health whether your node is reachable, then try again with the same code.',
  already_peers: 'You are peers in this currency already. You find the other node under Peers.',
  address_taken:
    'One of the two nodes has another peer with this ILP address, or with one above or below it. Remove or correct that one first.',
  both_at_once: 'You and they have accepted each other’s invitations at the same time. One is enough: look under Peers in a moment.',
};
