import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Amount, type Asset, MAX_STATED, sameAsset } from '../../../src-shared/amounts.ts';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import { prepared, type Reader, type Tx, unpeeked } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import type { Column } from '../../platform/database/schema.ts';
import { together } from '../../platform/database/together.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Limits } from '../rights/access-rights.ts';
import { windowAt } from '../rights/intervals.ts';
import { accessTokens, grantSpendings, grants, isUsable } from '../tables.ts';

type Kind = 'debit' | 'receive';

/**
 * Why a payment does not fit its grant. `grant_ended`: since the node authenticated the request, the grant was revoked
 * or expired, or the client's token was revoked or rotated.
 */
export type LimitRefusal = 'over_limit' | 'receiver_not_allowed' | 'outside_interval' | 'asset_mismatch' | 'grant_ended';

interface Reservation {
  grantId: string;
  /** The limits of the right that allows the payment. It is undefined when the right has none. */
  limits: Limits | undefined;
  /** The URL of the incoming payment to be paid. */
  receiver: string;
  debit: Amount;
  receive: Amount;
  /** The time at which the payment is created, in milliseconds since the Unix epoch. It decides the window. */
  now: number;
}

export interface Reserved {
  /**
   * The start of the window in which it was counted, for {@link release}. It is 0 when the limit is for the grant's
   * life.
   */
  windowStart: number;
  /** What the window (or the grant) has used, with this payment. */
  grantSpentDebit: Amount;
  /** The same for what receivers get, in the receive asset of this payment. */
  grantSpentReceive: Amount;
}

interface Release {
  grantId: string;
  windowStart: number;
  /** The amounts that were reserved and will not be spent. */
  debit: Amount;
  receive: Amount;
}

const $ = sql.placeholder;
/** A placeholder that takes the column's own type. */
const bound = (name: string, column: Column): SQL => sql`${sql.param($(name), column)}`;

const c = grantSpendings;
const isCounter = and(
  eq(c.grantId, $('grantId')),
  eq(c.kind, $('kind')),
  eq(c.windowStart, bound('windowStart', c.windowStart)),
  eq(c.assetCode, $('assetCode')),
  eq(c.assetScale, bound('assetScale', c.assetScale)),
);
const livingGrant = prepared((tx: Tx) =>
  tx
    .select({ expiresAt: grants.expiresAt })
    .from(grants)
    .innerJoin(accessTokens, eq(accessTokens.grantId, grants.id))
    .where(and(eq(grants.id, unpeeked('grantId')), isUsable))
    .prepare(),
);
const readCounter = prepared((reader: Reader) =>
  reader.select({ spent: c.spent, updatedAt: c.updatedAt }).from(c).where(isCounter).prepare(),
);
const insertCounter = prepared((tx: Tx) => tx.insert(c).values(placeholdersOf(c)).prepare());
const setCounter = prepared((tx: Tx) =>
  tx
    .update(c)
    .set({ spent: bound('spent', c.spent), updatedAt: bound('updatedAt', c.updatedAt) })
    .where(and(isCounter, eq(c.spent, bound('before', c.spent))))
    .returning({ spent: c.spent })
    .prepare(),
);
const lastCounter = prepared((reader: Reader) =>
  reader
    .select()
    .from(c)
    .where(and(eq(c.grantId, $('grantId')), eq(c.kind, $('kind'))))
    .orderBy(desc(c.windowStart), desc(c.updatedAt))
    .limit(1)
    .prepare(),
);

/** The word of a write that counts against a grant, or gives back to it; see `Database.write`. */
export const touchedByBudget = (grantId: string): string => `budget:${grantId}`;

type Counter = { grantId: string; kind: Kind; windowStart: number } & Pick<Asset, 'assetCode' | 'assetScale'>;

/**
 * Counts a payment against its grant in the write that creates it, if it fits the limits. It decides before it writes.
 *
 * The sum of one window stays below 2^64, as amounts on the wire do. A payment that would bring it higher is over
 * limit.
 */
export async function reserve(tx: Tx, wanted: Reservation): Promise<Result<Reserved, LimitRefusal>> {
  const { grantId, limits, debit, receive, now } = wanted;
  const windowStart = windowStartAt(limits, now);
  const counted = (kind: Kind, amount: Amount, limit: Amount | undefined) =>
    windowStart === undefined ? undefined : add(tx, { grantId, kind, windowStart }, amount, limit);
  const [[living], debited, received] = await together([
    livingGrant(tx).execute({ grantId }),
    counted('debit', debit, limits?.debitAmount),
    counted('receive', receive, limits?.receiveAmount),
  ]);
  if (living === undefined || (living.expiresAt !== null && now >= living.expiresAt)) return refuse('grant_ended');
  if (limits?.receiver !== undefined && limits.receiver !== wanted.receiver) return refuse('receiver_not_allowed');
  if (windowStart === undefined) return refuse('outside_interval');
  if (limits?.debitAmount && !sameAsset(limits.debitAmount, debit)) return refuse('asset_mismatch');
  if (limits?.receiveAmount && !sameAsset(limits.receiveAmount, receive)) return refuse('asset_mismatch');
  if (debited === undefined || received === undefined) return refuse('over_limit');
  await together([debited.store(now), received.store(now)]);
  return ok({ windowStart, grantSpentDebit: debited.spent, grantSpentReceive: received.spent });
}

/** Gives unspent amounts back to the window from which they came. Part of the write that ends the payment. */
export async function release(tx: Tx, { grantId, windowStart, debit, receive }: Release): Promise<void> {
  await subtract(tx, { grantId, kind: 'debit', windowStart, ...asset(debit) }, debit.value);
  await subtract(tx, { grantId, kind: 'receive', windowStart, ...asset(receive) }, receive.value);
}

/** What a grant has used now; see {@link spent}. */
interface Spent {
  debit: Amount | undefined;
  receive: Amount | undefined;
  /** The start of the current window, or 0 for the grant's life. It is undefined outside every window. */
  windowStart: number | undefined;
}

/**
 * What the current window (or the grant) has used, for `GET /outgoing-payment-grant` and the console.
 *
 * A new window begins with zero in the asset that was used last. A sum is undefined when nothing was ever spent, and
 * outside every window. The receive sum is in the asset of the limit, or else in the one that was used last.
 */
export async function spent(reader: Reader, grant: { id: string; limits: Limits | undefined }, now: number): Promise<Spent> {
  const windowStart = windowStartAt(grant.limits, now);
  if (windowStart === undefined) return { debit: undefined, receive: undefined, windowStart };
  const [debit, receive] = await Promise.all([
    spentOf(reader, grant.id, 'debit', windowStart, grant.limits?.debitAmount),
    spentOf(reader, grant.id, 'receive', windowStart, grant.limits?.receiveAmount),
  ]);
  return { debit, receive, windowStart };
}

async function spentOf(
  reader: Reader,
  grantId: string,
  kind: Kind,
  windowStart: number,
  limit: Asset | undefined,
): Promise<Amount | undefined> {
  const [last] = await lastCounter(reader).execute({ grantId, kind });
  if (last === undefined) return undefined;
  const of = asset(limit ?? last);
  const [row] = await readCounter(reader).execute({ grantId, kind, windowStart, ...of });
  return { value: row?.spent ?? 0n, ...of };
}

function windowStartAt(limits: Limits | undefined, now: number): number | undefined {
  if (limits?.interval === undefined) return 0;
  const interval = parseInterval(limits.interval);
  return interval && windowAt(interval, now)?.start;
}

/** @returns the new sum and how to store it. It is undefined when the sum is over the limit. Nothing is written yet. */
async function add(tx: Tx, key: Omit<Counter, keyof Asset>, amount: Amount, limit: Amount | undefined) {
  const counter: Counter = { ...key, ...asset(amount) };
  const [row] = await readCounter(tx).execute(counter);
  const total = (row?.spent ?? 0n) + amount.value;
  if (total > (limit?.value ?? MAX_STATED)) return undefined;
  const store = async (now: number): Promise<void> => {
    if (row === undefined) await insertCounter(tx).execute({ ...counter, spent: total, updatedAt: now } satisfies typeof c.$inferSelect);
    else await change(tx, counter, row.spent, { spent: total, updatedAt: now });
  };
  return { spent: { ...amount, value: total }, store };
}

async function subtract(tx: Tx, counter: Counter, value: bigint): Promise<void> {
  if (value === 0n) return;
  const [row] = await readCounter(tx).execute(counter);
  if (row === undefined || row.spent < value) throw new Error('more was given back to a grant than it had spent');
  await change(tx, counter, row.spent, { spent: row.spent - value, updatedAt: row.updatedAt });
}

async function change(tx: Tx, counter: Counter, before: bigint, after: { spent: bigint; updatedAt: number }): Promise<void> {
  const changed = await setCounter(tx).execute({ ...counter, before, ...after });
  if (changed.length === 0) throw new Error('a spending counter changed under a write');
}

const asset = ({ assetCode, assetScale }: Asset): Asset => ({ assetCode, assetScale });
