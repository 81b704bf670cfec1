/**
 * Why a wallet cannot pay this node, or this node cannot pay it. The codes are stable: the checkout, the console and
 * the operator API tell the same ones.
 * - `wallet_not_resolved`: its host has no address on the internet.
 * - `wallet_unreachable`: its host does not answer.
 * - `wallet_not_found`: there is no wallet at its address.
 * - `wallet_not_secure`: it has no TLS, or none that can be trusted.
 * - `wallet_other_protocol`: it speaks an older protocol, or names no authorization server.
 * - `auth_unreachable`: its authorization server does not answer.
 * - `grant_refused`: its authorization server gives this node no permission to ask.
 * - `key_unknown`: its authorization server does not accept the key of this node.
 * - `wallet_refused`: the wallet says no, and nobody can tell why.
 * - `no_common_way`: no peer leads there, or somebody on the way knows no way on.
 * - `peer_paused`: the operator has paused every peer that leads there.
 * - `peer_limit`: what one node may owe the next one on the way is used up.
 * - `peer_unreachable`: the peer that leads there does not answer.
 * - `packet_refused`: somebody on the way rejects packets for another reason.
 * - `no_rate`: nobody on this side exchanges the two currencies.
 * - `too_small`: of the amount, nothing would arrive.
 * - `closed`: the payment takes no more money, or has expired.
 */
export const REACH_PROBLEMS = [
  'wallet_not_resolved',
  'wallet_unreachable',
  'wallet_not_found',
  'wallet_not_secure',
  'wallet_other_protocol',
  'auth_unreachable',
  'grant_refused',
  'key_unknown',
  'wallet_refused',
  'no_common_way',
  'peer_paused',
  'peer_limit',
  'peer_unreachable',
  'packet_refused',
  'no_rate',
  'too_small',
  'closed',
] as const;
export type ReachProblem = (typeof REACH_PROBLEMS)[number];

const all: ReadonlySet<string> = new Set(REACH_PROBLEMS);

/** Whether a code says why a wallet cannot pay or be paid. */
export const isReachProblem = (code: string): code is ReachProblem => all.has(code);

/**
 * Why a visitor's attempt to pay has failed. `not_arrived`: the node told the visitor's wallet to pay, and does not
 * know whether it did. `price_changed`: the wallet would take more than the visitor has approved. `interrupted`: the
 * node was restored from a backup, and does not know what it has told the wallet since the backup was made.
 */
export const ATTEMPT_FAILURES = [
  ...REACH_PROBLEMS,
  'own_wallet',
  'rejected',
  'too_late',
  'price_changed',
  'payment_failed',
  'not_arrived',
  'interrupted',
] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];
