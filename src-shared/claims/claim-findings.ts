/** How long a claim link can be used, in days. */
export const CLAIM_DAYS = 30;
/** The most wallets that may be named for one claim link, and as many of them may be refused. */
export const MOST_WALLETS = 3;
export const MOST_REFUSALS = 2;

/**
 * What was found out about a wallet that a customer has named.
 * - `confirmed`: it says that it paid, and the refund goes back the way the money came.
 * - `other_way`: it says so, but the refund would go another way.
 * - `says_more`: it says that it paid more than came that way.
 * - `says_less`: it says that it paid less than is to be given back.
 * - `no_way`: it says so, and this node finds no way to it.
 * - `too_little_money`: it is confirmed, and the account has less to spend.
 * - `not_paid`: it says that it did not pay this.
 * - `own_account`: it is an account of this node, which has not paid this.
 * - `rejected`: the customer said no there.
 * - `grant_refused`: it gives no permission to ask.
 * - `list_refused`: it does not tell its payments.
 * - `no_answer`: it did not answer in time, or with something else.
 * - `not_back`: the customer has not come back from there, or wants the shop to decide.
 */
export const CLAIM_FINDINGS = [
  'confirmed',
  'other_way',
  'says_more',
  'says_less',
  'no_way',
  'too_little_money',
  'not_paid',
  'own_account',
  'rejected',
  'grant_refused',
  'list_refused',
  'no_answer',
  'not_back',
] as const;
export type ClaimFinding = (typeof CLAIM_FINDINGS)[number];

/**
 * Why a wallet that a customer typed is not asked. The customer may type another one.
 */
const CLAIM_PROBLEMS = [
  'wallet_not_found',
  'wallet_not_resolved',
  'wallet_not_secure',
  'wallet_other_protocol',
  'wallet_unreachable',
  'auth_unreachable',
  'the_shop_itself',
  'too_many_tries',
  'busy',
] as const;
export type ClaimProblem = (typeof CLAIM_PROBLEMS)[number];
