import { randomUUID } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect } from 'vitest';
import { outgoingPayments } from '../payments/tables.ts';
import { PEER, TwoWorlds } from '../payments/testing/two-worlds.ts';
import { receivedPackets, sentPackets } from '../peers/tables.ts';
import { executeOn } from '../platform/database/connection.ts';
import { builder } from '../platform/database/query-builder/builder.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../platform/database/testing/sqlite-test.ts';
import { auditRound } from './round.ts';

// The thread of the audit has 256 MB. Whatever one payment or one receiver has, it is added up in the database.

/** How many rows one payment, or one receiver, has here; more than any step reads at once. */
const MANY = 700;

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open();
});
afterEach(() => world.node.close());

/** @returns the most rows that one query of a round has read. */
async function mostRows(): Promise<number> {
  const file = new Sqlite(sqliteOf(world.node).connection.name, { readonly: true }).defaultSafeIntegers(true);
  const execute = executeOn(file);
  let most = 0;
  const reader = builder(async (...query) => {
    const answer = await execute(...query);
    most = Math.max(most, answer.rows.length);
    return answer;
  });
  for await (const _ of auditRound({ snapshot: (look) => look(reader) }, { pages: 'none', live: false }));
  file.close();
  return most;
}

onSqlite('the rows that a query returns are counted at the connection of SQLite')(
  'a round reads no more rows at once when one receiver has many payers, and one payment many packets',
  async () => {
    const made = await world.node.incomingPayments.create({ walletAddress: await world.node.account('shop', 0n), client: null });
    if (!made.ok) throw new Error(made.error);
    const receiverId = made.value.id;
    const { id } = await world.pay(world.node.urls.incomingPayment(receiverId), 100n);
    const payment = await world.finished(id);
    const many = <T>(row: (n: number) => T): T[] => Array.from({ length: MANY }, (_, n) => row(n));
    const packet = { peerId: PEER, createdAt: 0, expiresAt: 0, sharedSecret: null, receivedFromOthers: null, code: null, endedAt: 0 };
    await world.node.database.write(async (tx) => {
      await tx.insert(outgoingPayments).values(many(() => ({ ...payment, id: randomUUID() })));
      await tx.insert(receivedPackets).values(
        many((n) => ({
          peerId: PEER,
          condition: `r${n}`,
          incomingPaymentId: receiverId,
          sourceAmount: 1n,
          amount: 1n,
          reply: '',
          createdAt: 0,
        })),
      );
      await tx.insert(sentPackets).values(
        many((n) => ({
          ...{ ...packet, condition: `s${n}`, outgoingPaymentId: id, state: 'fulfilled' as const, prepare: '' },
          ...{ sourceAmount: 1n, peerAmount: 1n, delivered: 1n },
        })),
      );
    });
    expect(await mostRows()).toBeLessThan(MANY);
  },
);
