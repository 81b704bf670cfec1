import { and, lt } from 'drizzle-orm';
import { type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { KEPT_MS } from './received-packets.ts';
import { peerConversions, receivedPackets, wasRejected } from './tables.ts';

/**
 * Rejections that no peer asks for any more (decisions.md#D-49), and what converted packets have left over of a unit.
 * The other answers stay: they say what a peer's packets have brought.
 */
export const peerAnswerRule: RetentionRule = {
  kind: 'peer_answers',
  tables: [receivedPackets, peerConversions],
  keptMs: KEPT_MS,
  removeSome: async (database, before) => {
    const answers = await removeRows(database, receivedPackets, and(wasRejected, lt(receivedPackets.createdAt, before)));
    if (answers.more) return answers;
    const rests = await removeRows(database, peerConversions, lt(peerConversions.updatedAt, before));
    return { ...rests, removed: answers.removed + rests.removed };
  },
};
