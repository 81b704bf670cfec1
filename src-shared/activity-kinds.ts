/** The kinds of the operator's acts, by what an act is about. */
export const ACTIVITY_KINDS = [
  'access',
  'money',
  'payments',
  'accounts',
  'peers',
  'rates',
  'backups',
  'exports',
  'sign_ins',
  'settings',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
