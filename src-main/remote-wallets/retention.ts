import { lt } from 'drizzle-orm';
import { DAY_MS, type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { remoteGrants } from './tables.ts';

/** Grants at other wallets that nobody has renewed. Any server can make the node keep one more. */
export const remoteGrantRule: RetentionRule = {
  kind: 'remote_grants',
  tables: [remoteGrants],
  keptMs: 30 * DAY_MS,
  chosen: true,
  removeSome: (database, before) => removeRows(database, remoteGrants, lt(remoteGrants.updatedAt, before)),
};
