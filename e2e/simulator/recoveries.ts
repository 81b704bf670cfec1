import { voidPacket } from '../../src-main/payments/outgoing/sent-packets.ts';
import type { SqliteDatabase } from '../../src-main/platform/database/sqlite.ts';

/**
 * A wrong recovery. It treats a packet without an answer as one that never arrived. A node that does this pays twice,
 * or gives back money that has arrived.
 */
export async function releaseHeldPackets(database: SqliteDatabase): Promise<void> {
  const held = database.connection.prepare<[], { condition: string }>("select condition from sent_packets where state = 'held'").all();
  for (const { condition } of held) await database.write((tx) => voidPacket(tx, condition, 'R00', 0));
}
