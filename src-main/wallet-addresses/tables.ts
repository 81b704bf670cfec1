import { index, int53, table, text, timestampMs } from '../platform/database/schema.ts';

/** The wallet addresses of the operator. The money of each one is in the ledger, under the same id. */
export const walletAddresses = table(
  'wallet_addresses',
  {
    id: text('id').primaryKey(),
    /** The last part of the wallet address's URL. It is lower-case and unique. */
    name: text('name').notNull().unique(),
    publicName: text('public_name').notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [index('wallet_addresses_listed').on(t.createdAt, t.id)],
);
