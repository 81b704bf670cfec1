/**
 * What a person or a piece of the shop's own software may do on this node:
 * - `owner`: everything;
 * - `manager`: everything except people, keys and the settings of the lock; of backups, peers and rates only what
 *   they are;
 * - `cashier`: make and cancel payment requests, see whether they are paid, and refund today's sales of the till as
 *   far as the owner lets cashiers;
 * - `accountant`: read and export payments, accounts and activity, and change nothing.
 */
export const ROLES = ['owner', 'manager', 'cashier', 'accountant'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that may have a limit of refunds. */
export const LIMITED_ROLES = ['cashier', 'manager'] as const;
export type LimitedRole = (typeof LIMITED_ROLES)[number];

export const isRole = (text: string | undefined): text is Role => ROLES.some((role) => role === text);

/** The roles that may call an operation, or hear of a topic. */
export type Audience = readonly Role[];

export const everyone: Audience = ROLES;
export const readers: Audience = ['owner', 'manager', 'accountant'];
export const managers: Audience = ['owner', 'manager'];
export const till: Audience = ['owner', 'manager', 'cashier'];
export const owner: Audience = ['owner'];

/** The error of an operation that needs more than a PIN. */
export const NOT_BY_PIN = {
  ...{ code: 'NOT_BY_PIN', status: 403 },
  message: 'You came in by your PIN. For this, sign in with a passkey, a password or a link.',
} as const;

/** The error of an operation that the caller's role does not allow. */
export const NOT_ALLOWED = { code: 'NOT_ALLOWED', status: 403, message: 'Your role does not allow this.' } as const;
