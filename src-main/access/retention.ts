import { and, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../platform/database/database.ts';
import { DAY_MS, type RetentionRule, removeOnTheWay, removeRows } from '../platform/retention/rule.ts';
import { marksBefore } from './clients/repetitions.ts';
import { accessTokens, grants, hasEnded, seenSignatures, strangerRows } from './tables.ts';

const KEPT_MS = 30 * DAY_MS;

/** Nobody has used the grant since a moment, in milliseconds since the Unix epoch, and nobody has paid with it. */
export const isIdleSince = (since: number): SQL | undefined =>
  and(
    sql`coalesce(${grants.lastUsedAt}, 0) < ${BigInt(since)}`,
    sql`not exists (select 1 from outgoing_payments where outgoing_payments.grant_id = grants.id)`,
    sql`not exists (select 1 from grant_spendings where grant_spendings.grant_id = grants.id)`,
  );

/** Removes the tokens of grants that are removed, in the same write. */
export async function removeTokensOf(tx: Tx, grantIds: string[]): Promise<void> {
  await tx.delete(accessTokens).where(inArray(accessTokens.grantId, grantIds));
}

/**
 * A grant goes when nothing has happened to it for so long, and it has ended, or nobody had to allow it, so that its
 * client gets another one by asking. A grant with which somebody paid stays: it says who was allowed to.
 */
export const endedGrantRule: RetentionRule = {
  kind: 'ended_grants',
  tables: [grants, accessTokens],
  keptMs: KEPT_MS,
  chosen: true,
  removeSome: (database, before, place) => {
    const since = BigInt(before);
    const walk = {
      table: grants,
      time: grants.createdAt,
      id: grants.id,
      goes: and(
        sql`(${grants.state} in ('denied', 'lapsed', 'revoked') or ${grants.expiresAt} < ${since} or ${grants.interactive} = 0)`,
        isIdleSince(before),
        sql`not exists (select 1 from events where events.subject = grants.id and events.at >= ${since})`,
        sql`not exists (select 1 from access_tokens where access_tokens.grant_id = grants.id and access_tokens.expires_at >= ${since})`,
      ),
      clear: removeTokensOf,
    };
    return removeOnTheWay(database, walk, before, place);
  },
};

/** Tokens that were rotated or revoked. Until then their URL still ends the token that took their place. */
export const endedTokenRule: RetentionRule = {
  kind: 'ended_tokens',
  tables: [accessTokens],
  keptMs: KEPT_MS,
  chosen: true,
  removeSome: (database, before) => removeRows(database, accessTokens, and(hasEnded, lt(accessTokens.expiresAt, before))),
};

/** Signatures and nonces that have become too old to be accepted. */
export const signatureRule: RetentionRule = {
  kind: 'signatures',
  tables: [seenSignatures],
  keptMs: 0,
  removeSome: (database, before) => removeRows(database, seenSignatures, marksBefore(before)),
};

/** Who made a thing is forgotten with the thing, and once somebody paid it, used it or allowed it. */
export const strangerRowRule: RetentionRule = {
  kind: 'stranger_rows',
  tables: [strangerRows],
  keptMs: 0,
  removeSome: (database, before, place) => {
    const walk = {
      table: strangerRows,
      time: strangerRows.madeAt,
      id: strangerRows.thingId,
      goes: and(
        sql`not exists (select 1 from incoming_payments i where i.id = stranger_rows.thing_id and i.received = 0)`,
        sql`not exists (select 1 from quotes q where q.id = stranger_rows.thing_id and q.outgoing_payment_id is null)`,
        sql`not exists (select 1 from grants g where g.id = stranger_rows.thing_id and (g.interactive = 0 or g.state in ('pending', 'denied', 'lapsed')))`,
      ),
    };
    return removeOnTheWay(database, walk, before, place);
  },
};
