/**
 * Why a peer gave no answer to a packet. `unauthorized` and `no_ilp`: a web server answered before the packet reached
 * the peer's node. `failed`: an error inside the peer's node. `garbage`: the answer is not an ILP packet.
 */
export const LINK_PROBLEMS = [
  'unknown_peer',
  'no_token',
  'unauthorized',
  'no_ilp',
  'failed',
  'garbage',
  'too_large',
  'not_json',
  'redirected',
  'invalid_url',
  'scheme_not_allowed',
  'address_not_allowed',
  'unreachable',
  'timed_out',
] as const;
export type LinkProblemKind = (typeof LINK_PROBLEMS)[number];
