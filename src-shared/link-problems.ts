/**
 * Why a peer gave no answer to a packet. `unauthorized` and `no_ilp` are what a web server says before it hands
 * anything on. `failed` is an error inside the peer's node. `garbage` is an answer that is no ILP packet.
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
