import { and, eq, inArray, sql } from 'drizzle-orm';
import type { DamageFinding } from '../../../src-shared/operator-contract/health-checks.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { ledgerAudit, ledgerDamages } from '../tables.ts';

/** What is wrong in the books, and where. */
export interface Finding {
  /** A wallet address, a peer or an asset. It is empty when nobody can tell which accounts are damaged. */
  owner: string;
  finding: DamageFinding;
  /** The place where the audit found it first: a ledger account, a payment, a table or a piece of the transfers. */
  place: string;
}

/** Damage that stands, since the last round that found nothing wrong began. Both times are in milliseconds. */
export interface Damage extends Finding {
  goodAt: number | null;
  foundAt: number;
}

/** No new money moves on these accounts, because their books are damaged. Nothing was changed. */
export class BooksDamaged extends Error {}

/** The owner that the id of a ledger account names; see accountId(). */
export const ownerNamedIn = (accountId: string): string => accountId.slice(accountId.indexOf(':') + 1);

const $ = sql.placeholder;
/** The query has no limit, because SQLite would look at the value of one and plan anew for each call. */
const standing = prepared((reader: Reader) =>
  reader
    .select({ owner: ledgerDamages.owner })
    .from(ledgerDamages)
    .where(inArray(ledgerDamages.owner, [$('first'), $('second'), '']))
    .prepare(),
);

/**
 * Refuses new money on damaged ledger accounts, within the write that would move it.
 * @throws BooksDamaged when damage stands on one of them, or damage of which nobody knows where it is.
 */
export async function refuseDamaged(tx: Reader, [first, second = first]: readonly [string, string?]): Promise<void> {
  const damages = await standing(tx).execute({ first: ownerNamedIn(first), second: ownerNamedIn(second) });
  if (damages.length > 0) throw new BooksDamaged('the books of an account are damaged');
}

/** Lists the damage that stands, oldest first. */
export async function listDamages(reader: Reader): Promise<Damage[]> {
  return (await reader.select().from(ledgerDamages).orderBy(ledgerDamages.foundAt, ledgerDamages.place)) as Damage[];
}

/** Tells when the last round began that found nothing wrong. It is undefined when there was none. */
export async function lastGoodRound(reader: Reader): Promise<number | undefined> {
  const [row] = await reader.select().from(ledgerAudit);
  return row?.goodAt;
}

/** Records damage. What is recorded already stays as it is. */
export async function recordDamages(tx: Tx, findings: readonly Finding[], foundAt: number): Promise<void> {
  const goodAt = (await lastGoodRound(tx)) ?? null;
  const rows = findings.map((finding) => ({ ...finding, goodAt, foundAt }));
  await tx.insert(ledgerDamages).values(rows).onConflictDoNothing();
}

/** What damage is recorded under. One account has each kind of damage once, however many of its rows are damaged. */
export const keyOf = ({ owner, finding }: Pick<Finding, 'owner' | 'finding'>): string => `${finding} ${owner}`;

/** The clocks of two replicas differ by less than this, in milliseconds. */
const APART_MS = 60_000;

/** A whole round of the audit. Its times are in milliseconds since the Unix epoch. */
interface EndedRound {
  /** What it has found, by its key. */
  found: ReadonlyMap<string, Finding>;
  beganAt: number;
  endedAt: number;
}

/**
 * Records the end of a whole round. What was found before it, and not again, is mended. What was found later than now
 * was found before, too, by a clock that was ahead. A round without any finding is a good one.
 * @returns what was mended.
 */
export async function recordRound(tx: Tx, { found, beganAt, endedAt }: EndedRound): Promise<Damage[]> {
  const isBefore = ({ foundAt }: Damage) => foundAt < beganAt || foundAt > endedAt + APART_MS;
  const mended = (await listDamages(tx)).filter((damage) => isBefore(damage) && !found.has(keyOf(damage)));
  for (const { owner, finding } of mended) {
    await tx.delete(ledgerDamages).where(and(eq(ledgerDamages.owner, owner), eq(ledgerDamages.finding, finding)));
  }
  if (found.size === 0) {
    await tx
      .insert(ledgerAudit)
      .values({ id: 'audit', goodAt: beganAt })
      .onConflictDoUpdate({ target: ledgerAudit.id, set: { goodAt: beganAt } });
  }
  return mended;
}
