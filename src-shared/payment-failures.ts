/** Why an outgoing payment failed. The code is stored with the payment. */
const FAILURES = [
  'receiver_closed',
  'over_amount',
  'out_of_time',
  'no_progress',
  'refused',
  'no_route',
  'peer_unreachable',
  'receiver_unreachable',
  'rate_moved',
  'no_liquidity',
  'path_liquidity',
  'peer_credit',
  'bad_fulfilment',
  'unresolved',
] as const;
export type Failure = (typeof FAILURES)[number];

export const isFailure = (text: string): text is Failure => (FAILURES as readonly string[]).includes(text);
