import type { LinkProblemKind } from '../link-problems.ts';

const noNode = 'Something answers at its address, but not a node that takes packets. Check the address.';
const noAnswer = 'It answers with something that is no answer to a packet. Check the address.';

/** What each problem with a peer means, and what the operator can do. */
export const linkProblems: Readonly<Record<LinkProblemKind, string>> = {
  unknown_peer: 'This peer has been removed.',
  no_token: 'The token it wants cannot be read with this node’s key. Enter it again.',
  unauthorized: 'It answers, but does not accept the token. Ask its operator for the one it wants from this node.',
  no_ilp: noNode,
  redirected: noNode,
  failed: 'It answers with an error of its own. Its operator can find out more.',
  garbage: noAnswer,
  too_large: noAnswer,
  not_json: noAnswer,
  invalid_url: 'Its address is not one that can be reached.',
  scheme_not_allowed: 'Its address must begin with https://.',
  address_not_allowed: 'Its address does not lie on the public internet.',
  unreachable: 'It could not be reached: no connection, or it broke off. Its node may be down, or the address wrong.',
  timed_out: 'It did not answer in time.',
};
