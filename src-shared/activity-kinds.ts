/** What an operator's action is about. */
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
