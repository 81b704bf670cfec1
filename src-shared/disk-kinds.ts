/** What the rows of the database are about, as the console groups them when it says what takes how much room. */
export const DISK_KINDS = [
  'payments',
  'books',
  'events',
  'permissions',
  'signatures',
  'visits',
  'other_wallets',
  'peers',
  'activity',
  'settings',
  'archive',
] as const;
export type DiskKind = (typeof DISK_KINDS)[number];

/** The kinds of things that the node removes some time after they have ended. */
export const REMOVED_KINDS = [
  'unpaid_requests',
  'unused_quotes',
  'ended_grants',
  'ended_tokens',
  'stranger_rows',
  'crowd',
  'signatures',
  'remote_grants',
  'peer_answers',
  'invitations',
  'failed_checkouts',
  'local_packets',
  'payment_details',
  'print_jobs',
  'events',
] as const;
export type RemovedKind = (typeof REMOVED_KINDS)[number];
