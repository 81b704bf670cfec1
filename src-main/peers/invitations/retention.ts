import { and, lt, ne } from 'drizzle-orm';
import { DAY_MS, type RetentionRule, removeRows } from '../../platform/retention/rule.ts';
import { peerAcceptances, peerInvitations } from './tables.ts';

/** Invitations whose codes have long expired, and acceptances that have ended. What came of them are peers. */
export const invitationRule: RetentionRule = {
  kind: 'invitations',
  tables: [peerInvitations, peerAcceptances],
  keptMs: 30 * DAY_MS,
  removeSome: async (database, before) => {
    const given = await removeRows(database, peerInvitations, lt(peerInvitations.expiresAt, before));
    if (given.more) return given;
    const isOld = and(ne(peerAcceptances.state, 'under_way'), lt(peerAcceptances.createdAt, before));
    const accepted = await removeRows(database, peerAcceptances, isOld);
    return { ...accepted, removed: given.removed + accepted.removed };
  },
};
