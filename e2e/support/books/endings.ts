import { setTimeout as pause } from 'node:timers/promises';
import type { RunningNode } from '../nodes/running-node.ts';
import { readBooks, unfinished } from './books.ts';

const LOOK_AGAIN_MS = 25;
/** What the node calls an outgoing payment that has not ended. */
const UNDER_WAY = ['queued', 'sending', 'retrying', 'settling', 'unknown'] as const;

/**
 * Resolves when the node itself says that every outgoing payment has ended. Its answers then show what the payments
 * moved. The file alone is not enough: whoever opens it sees a commit at once, and the node shows a commit only when
 * the commit is on the disk.
 */
export async function allEnded(node: RunningNode): Promise<void> {
  while (readBooks(node, unfinished) > 0) await pause(LOOK_AGAIN_MS);
  for (const status of UNDER_WAY) {
    while ((await node.operator.payments.list({ direction: 'out', status })).items.length > 0) await pause(LOOK_AGAIN_MS);
  }
}
