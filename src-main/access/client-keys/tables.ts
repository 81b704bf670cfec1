import { sql } from 'drizzle-orm';
import { index, json, table, text, timestampMs, uniqueIndex } from '../../platform/database/schema.ts';
import type { ClientJwk } from './client-key.ts';

/** Public keys with which apps sign in the name of a wallet address of this node. */
export const clientKeys = table(
  'client_keys',
  {
    id: text('id').primaryKey(),
    walletAddressId: text('wallet_address_id').notNull(),
    kid: text('kid').notNull(),
    jwk: json<ClientJwk>('jwk').notNull(),
    /** The thumbprint of the key (RFC 7638): SHA-256, base64url. */
    thumbprint: text('thumbprint').notNull(),
    /** The operator's name for the key. */
    label: text('label').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    /** A revoked key stays as a record, and its `kid` is free again. */
    revokedAt: timestampMs('revoked_at'),
  },
  (t) => [
    uniqueIndex('client_keys_kid').on(t.walletAddressId, t.kid).where(sql`${t.revokedAt} is null`),
    index('client_keys_listed').on(t.walletAddressId, t.createdAt),
  ],
);
