import { and, lt } from 'drizzle-orm';
import { type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { KEPT_MS } from './received-packets.ts';
import { receivedPackets, wasRejected } from './tables.ts';

/**
 * Rejections that no peer asks for any more (decisions.md#D-49). The other answers stay: they say what a peer's packets
 * have brought.
 */
export const peerAnswerRule: RetentionRule = {
  kind: 'peer_answers',
  tables: [receivedPackets],
  keptMs: KEPT_MS,
  removeSome: (database, before) => removeRows(database, receivedPackets, and(wasRejected, lt(receivedPackets.createdAt, before))),
};
