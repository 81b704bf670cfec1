import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { int53, timestampMs } from '../platform/database/columns.ts';

/** An account of the operator. Its money is in the ledger, under the same id. */
export const walletAddresses = sqliteTable('wallet_addresses', {
  id: text('id').primaryKey(),
  /** The last part of its URL; lower-case, unique. */
  name: text('name').notNull().unique(),
  publicName: text('public_name').notNull(),
  assetCode: text('asset_code').notNull(),
  assetScale: int53('asset_scale').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});
