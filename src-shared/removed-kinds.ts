/** The kinds of things that the node removes some time after they have ended. */
export const REMOVED_KINDS = [
  'unpaid_requests',
  'unused_quotes',
  'ended_grants',
  'ended_tokens',
  'signatures',
  'remote_grants',
  'peer_answers',
  'failed_checkouts',
  'events',
] as const;
export type RemovedKind = (typeof REMOVED_KINDS)[number];
