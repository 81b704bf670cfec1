import { and, asc, count, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { LATELY_MS, type RowLimits, STRANGER_ROWS, THINGS_FOR_A_PAYMENT } from '../access/clients/stranger-rows.ts';
import { isIdleSince, removeTokensOf } from '../access/retention.ts';
import { accessTokens, grants, strangerRows } from '../access/tables.ts';
import { removeEventsOf } from '../journal/retention.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { AT_ONCE, type RetentionRule } from '../platform/retention/rule.ts';
import { paidByClients } from './incoming/paid-requests.ts';
import { isLeftAlone } from './retention.ts';
import { incomingPayments, isUnused, quotes } from './tables.ts';

/** How old a thing must be to give way, in milliseconds. Whoever means to pay does so sooner. */
const SAFE_MS = 60 * 60_000;

/** Where a round goes on: the rule itself knows what is left of it. */
const GOES_ON = { id: '', createdAt: 0 };

const networkOf = sql<string>`coalesce(${strangerRows.network}, '')`;

/**
 * Removes the oldest things of the network with the most, while strangers have left more than the node has room for,
 * until there is room again (decisions.md#D-63). Otherwise made-up networks could take all places, and the wallets of
 * new customers would be refused until those things have become old. No thing of a client that brings money goes.
 */
export function crowdRule({ node }: Pick<RowLimits, 'node'> = STRANGER_ROWS): RetentionRule {
  // What goes in this round. A process has one round at a time.
  let going: string[] = [];
  return {
    kind: 'crowd',
    tables: [quotes, incomingPayments, grants, accessTokens, strangerRows],
    keptMs: SAFE_MS,
    removeSome: async (database, before, place) => {
      if (place === undefined) going = await crowdOf(database, before, node);
      const ids = going.splice(0, AT_ONCE);
      if (ids.length === 0) return { removed: 0, more: false };
      const removed = await database.write((tx) => removeThings(tx, ids, before));
      return { removed, more: going.length > 0, place: GOES_ON };
    },
  };
}

/** The ids of as many things as there are too many, in the order in which they give way. */
async function crowdOf({ readAside }: Database, before: number, most: number): Promise<string[]> {
  const [all] = await readAside.select({ things: count() }).from(strangerRows);
  const tooMany = Number(all?.things ?? 0) - most;
  if (tooMany <= 0) return [];
  const networks = readAside
    .select({ network: networkOf.as('one_network'), things: count().as('things') })
    .from(strangerRows)
    .groupBy(networkOf)
    .as('networks');
  const old = await readAside
    .select({ id: strangerRows.thingId, key: strangerRows.key })
    .from(strangerRows)
    .innerJoin(networks, eq(networks.network, networkOf))
    .where(lt(strangerRows.madeAt, before))
    .orderBy(desc(networks.things), asc(strangerRows.madeAt), asc(strangerRows.thingId));
  const left = new Map<string | null, number>();
  for (const { key } of old) left.set(key, (left.get(key) ?? 0) + 1);
  const paid: ReadonlyMap<string | null, number> = await paidByClients(readAside, before + SAFE_MS - LATELY_MS);
  const bringsMoney = (key: string | null) => (paid.get(key) ?? 0) * THINGS_FOR_A_PAYMENT >= (left.get(key) ?? 0);
  return old.flatMap(({ id, key }) => (bringsMoney(key) ? [] : [id])).slice(0, tooMany);
}

/**
 * Removes those of the things that nobody has paid, used or allowed, and to which nothing else refers.
 * @returns how many it has removed.
 */
async function removeThings(tx: Tx, ids: string[], before: number): Promise<number> {
  const prices = await tx
    .delete(quotes)
    .where(and(inArray(quotes.id, ids), isUnused))
    .returning({ id: quotes.id });
  const requests = await tx
    .delete(incomingPayments)
    .where(and(inArray(incomingPayments.id, ids), isLeftAlone))
    .returning({ id: incomingPayments.id });
  await removeEventsOf(tx, idsOf(requests));
  const mayGo = sql`(${grants.interactive} = 0 or ${grants.state} in ('denied', 'lapsed'))`;
  const idle = await tx
    .select({ id: grants.id })
    .from(grants)
    .where(and(inArray(grants.id, ids), mayGo, isIdleSince(before)));
  await removeTokensOf(tx, idsOf(idle));
  await tx.delete(grants).where(inArray(grants.id, idsOf(idle)));
  const gone = idsOf([...prices, ...requests, ...idle]);
  await tx.delete(strangerRows).where(inArray(strangerRows.thingId, gone));
  return gone.length;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
