import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Reader, Tx } from '../../platform/database/database.ts';
import type { Column } from '../../platform/database/schema.ts';
import { grants } from '../tables.ts';

/** Client ids that are URLs under an origin: from `origin/` up to the text that sorts right behind all of them. */
export const idsUnder = (origin: string): { from: string; to: string } => ({ from: `${origin}/`, to: `${origin}0` });

/** Whether own accounts have grants as clients under an origin. Accounts without grants have nothing else under it. */
export async function hasClientsUnder(reader: Reader, origin: string): Promise<boolean> {
  const { from, to } = idsUnder(origin);
  const found = await reader
    .select({ id: grants.id })
    .from(grants)
    .where(and(eq(grants.clientKind, 'wallet-address'), gte(grants.clientId, from), lt(grants.clientId, to)))
    .limit(1);
  return found.length > 0;
}

/**
 * A client id under one origin as it is under another. The place of the cut is no parameter: it would be an integer of
 * 64 bits, with which PostgreSQL cuts no text.
 */
export const movedId = (id: Column, origin: string, current: string): SQL =>
  sql`${current} || substr(${id}, ${sql.raw(String(origin.length + 1))})`;

/** Gives the grants of clients under one origin to the same clients under another origin. */
export async function moveGrants(tx: Tx, origin: string, current: string): Promise<void> {
  const { from, to } = idsUnder(origin);
  await tx
    .update(grants)
    .set({ clientId: movedId(grants.clientId, origin, current) })
    .where(and(eq(grants.clientKind, 'wallet-address'), gte(grants.clientId, from), lt(grants.clientId, to)));
}
