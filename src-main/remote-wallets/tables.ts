import { index, primaryKey, table, text, timestampMs } from '../platform/database/schema.ts';

/**
 * Grants that other wallets' authorization servers gave this node. With them it reads what it is to pay. Tokens are
 * encrypted.
 */
export const remoteGrants = table(
  'remote_grants',
  {
    /** URL of the authorization server. */
    authServer: text('auth_server').notNull(),
    /** The own wallet address in whose name, and with whose key, the node asks. */
    walletAddressId: text('wallet_address_id').notNull(),
    /** What the grant allows, such as `incoming-payment`. */
    access: text('access').notNull(),
    /** The access token, encrypted. */
    token: text('token').notNull(),
    /** The URL at which the token is rotated and revoked. */
    manageUrl: text('manage_url').notNull(),
    /**
     * The time at which resource servers stop accepting the token. It is null when its authorization server has not
     * said.
     */
    expiresAt: timestampMs('expires_at'),
    updatedAt: timestampMs('updated_at').notNull(),
    /** The time until which a process exchanges the token, and others wait for it. It is null while none does. */
    claimedUntil: timestampMs('claimed_until'),
    /** Which process of the node has claimed the exchange last; see src-main/platform/replicas. */
    holder: text('holder'),
  },
  (t) => [primaryKey({ columns: [t.authServer, t.walletAddressId, t.access] }), index('remote_grants_age').on(t.updatedAt)],
);
