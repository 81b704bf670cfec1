import { type Audience, everyone, managers, type Role, readers, till } from './roles.ts';

/**
 * What a key of the shop's own software may be made for. Each group is something that a shopkeeper would say in a few
 * words. The operations of each group stand in `operator-contract/devices/key-rules.ts`.
 */
export const KEY_GROUPS = [
  'seeRequests',
  'makeRequests',
  'refund',
  'readPayments',
  'readAccounts',
  'readStatements',
  'readReports',
  'readDay',
  'readActivity',
  'readApps',
  'readNode',
  'recordMoney',
  'pay',
  'decideApps',
  'runShop',
] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

/** The roles of keys. A key is never as mighty as the owner. */
export type KeyRole = Exclude<Role, 'owner'>;

/** The roles whose keys may have a group: those that may do all that the words of the group say. */
export const GROUP_ROLES: Readonly<Record<KeyGroup, Audience>> = {
  seeRequests: everyone,
  makeRequests: till,
  refund: till,
  readPayments: readers,
  readAccounts: readers,
  readStatements: readers,
  readReports: readers,
  readDay: everyone,
  readActivity: readers,
  readApps: readers,
  readNode: readers,
  recordMoney: managers,
  pay: managers,
  decideApps: managers,
  runShop: managers,
};

/** The groups that can be bounded by accounts: a key for some accounts may have these and no others. */
const OF_ACCOUNTS: ReadonlySet<KeyGroup> = new Set([
  ...(['seeRequests', 'makeRequests', 'refund', 'readPayments', 'readAccounts', 'readStatements', 'recordMoney'] as const),
]);

/** The groups that a key may have. @param ofAccounts whether the key is for some accounts only. */
export const groupsFor = (role: Role, ofAccounts: boolean): KeyGroup[] =>
  KEY_GROUPS.filter((group) => GROUP_ROLES[group].includes(role) && (!ofAccounts || OF_ACCOUNTS.has(group)));

export const isKeyGroup = (text: string): text is KeyGroup => KEY_GROUPS.some((group) => group === text);

/** The error of an operation for which the key was not made. */
export const KEY_MAY_NOT = { code: 'KEY_MAY_NOT', status: 403, message: 'This key was not made for this.' } as const;

/** The error of an operation that cannot be bounded by accounts. */
export const KEY_OF_ACCOUNTS = {
  ...{ code: 'KEY_OF_ACCOUNTS', status: 403 },
  message: 'This key is for some accounts only, and this concerns the whole shop.',
} as const;
