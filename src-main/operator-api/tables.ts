import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestampMs } from '../platform/database/columns.ts';

/** Console links that have not been used yet. A link is deleted by its use. */
export const operatorLinks = sqliteTable('operator_links', {
  /** SHA-256 of the link's secret, base64url. */
  secretHash: text('secret_hash').primaryKey(),
  createdAt: timestampMs('created_at').notNull(),
  expiresAt: timestampMs('expires_at').notNull(),
});

/** Browsers in which the operator is signed in. */
export const operatorSessions = sqliteTable('operator_sessions', {
  /** SHA-256 of the cookie's value, base64url. */
  secretHash: text('secret_hash').primaryKey(),
  /** Names the session in events; no secret. */
  id: text('id').notNull().unique(),
  createdAt: timestampMs('created_at').notNull(),
  /** Exact to a minute. */
  lastUsedAt: timestampMs('last_used_at').notNull(),
});

/** The token with which scripts call the operator API: one row at most. */
export const operatorToken = sqliteTable('operator_token', {
  id: text('id').$type<'operator'>().primaryKey(),
  /** SHA-256 of the token, base64url. */
  tokenHash: text('token_hash').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});
