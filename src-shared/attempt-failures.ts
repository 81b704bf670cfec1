/**
 * Why a visitor's attempt to pay has failed. `not_arrived`: the node told the visitor's wallet to pay, and does not
 * know whether it did. `price_changed`: the wallet would take more than the visitor has approved. `interrupted`: the
 * node was restored from a backup, and does not know what it has told the wallet since the backup was made.
 */
export const ATTEMPT_FAILURES = [
  'wallet_not_found',
  'own_wallet',
  'wallet_unreachable',
  'wallet_refused',
  'rejected',
  'too_late',
  'closed',
  'price_changed',
  'payment_failed',
  'not_arrived',
  'interrupted',
] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];
