import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { parseUint64 } from '../../src-shared/amounts.ts';
import type { WireAccess, WireAmount } from '../access/rights/wire-access.ts';
import { type GrantState, grantSpendings, grants } from '../access/tables.ts';
import type { Finding } from '../ledger/audit/damages.ts';
import { outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';

/** The number of grants that one step compares. */
const GRANTS = 50;

/** A grant counts in these states, at once or once more. In the others no money leaves by it any more. */
const COUNTING: readonly GrantState[] = ['approved', 'issued', 'frozen'];

/**
 * Compares the grants after `after` that let money leave an account: with what their clients asked for, and what each
 * has counted with what its payments spent. The reader must see one state of the books.
 * @returns what is wrong, and the last grant compared. It is undefined when all were compared.
 */
export async function checkGrants(reader: Reader, after: string): Promise<{ findings: Finding[]; last: string | undefined }> {
  const { id, state, walletAddressId } = grants;
  const rows = await reader.select({ id, state, walletAddressId }).from(grants).where(gt(id, after)).orderBy(asc(id)).limit(GRANTS);
  const last = rows.length === GRANTS ? rows.at(-1)?.id : undefined;
  const owners = new Map(
    rows.flatMap((row) => (row.walletAddressId === null || !COUNTING.includes(row.state) ? [] : [[row.id, row.walletAddressId]])),
  );
  if (owners.size === 0) return { findings: [], last };
  const ids = [...owners.keys()];
  const wrong = new Set([...(await wrongTerms(reader, ids)), ...(await wrongCounts(reader, ids))]);
  return { findings: [...wrong].map((place) => ({ owner: owners.get(place) ?? '', finding: 'grant', place })), last };
}

/** The grants whose rights are not those that their clients asked for. The operator can only have lowered amounts. */
async function wrongTerms(reader: Reader, ids: string[]): Promise<string[]> {
  const { id, requested, granted } = grants;
  const rows = await reader.select({ id, requested, granted }).from(grants).where(inArray(id, ids));
  return rows.filter((row) => !isWithin(row.granted ?? [], row.requested)).map((row) => row.id);
}

function isWithin(granted: readonly WireAccess[], requested: readonly WireAccess[]): boolean {
  if (granted.length !== requested.length) return false;
  return granted.every((given, index) => {
    const asked = requested[index];
    if (given.type !== 'outgoing-payment' || asked?.type !== 'outgoing-payment') return isDeepStrictEqual(given, asked);
    return isDeepStrictEqual({ ...given, limits: null }, { ...asked, limits: null }) && areWithin(given.limits, asked.limits);
  });
}

type Limits = Extract<WireAccess, { type: 'outgoing-payment' }>['limits'];

function areWithin(given: Limits, asked: Limits): boolean {
  if (given?.receiver !== asked?.receiver) return false;
  // The operator's own limit takes the place of limits that begin anew too often (decisions.md#D-30).
  if (given?.interval !== asked?.interval) return given?.interval === undefined && given?.debitAmount !== undefined;
  return isAtMost(given?.debitAmount, asked?.debitAmount) && isAtMost(given?.receiveAmount, asked?.receiveAmount);
}

/** The operator's limit is in the asset of the account, and its number at most that of the client's. */
function isAtMost(given: WireAmount | undefined, asked: WireAmount | undefined): boolean {
  if (asked === undefined) return true;
  const [value, most] = [given && parseUint64(given.value), parseUint64(asked.value)];
  return value !== undefined && most !== undefined && value <= most;
}

/**
 * The grants that have counted something else than their payments spent. It looks at one after another, because one can
 * have thousands of windows.
 */
async function wrongCounts(reader: Reader, ids: string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const id of ids) if (await hasWrongCount(reader, id)) wrong.push(id);
  return wrong;
}

async function hasWrongCount(reader: Reader, id: string): Promise<boolean> {
  const { grantId, kind, windowStart, spent, assetCode, assetScale } = grantSpendings;
  // What leaves an account is in its own asset. A count in another one is none.
  const isOwn = and(
    eq(walletAddresses.id, grants.walletAddressId),
    eq(walletAddresses.assetCode, assetCode),
    eq(walletAddresses.assetScale, assetScale),
  );
  const counters = await reader
    .select({ windowStart, spent })
    .from(grantSpendings)
    .innerJoin(grants, eq(grants.id, grantId))
    .innerJoin(walletAddresses, isOwn)
    .where(and(eq(grantId, id), eq(kind, 'debit')));
  const { spendingWindow, state, sent, debitAmount } = outgoingPayments;
  const used = sql<bigint>`case when ${state} in ('completed', 'failed') then ${sent} else ${debitAmount} end`;
  const payments = await reader
    .select({ window: spendingWindow, sum: exactSum(used) })
    .from(outgoingPayments)
    .where(and(eq(outgoingPayments.grantId, id), isNotNull(spendingWindow)))
    .groupBy(spendingWindow);
  // What is counted less what was spent, by window.
  const over = new Map<number | null, bigint>();
  for (const row of counters) over.set(row.windowStart, (over.get(row.windowStart) ?? 0n) + row.spent);
  for (const row of payments) over.set(row.window, (over.get(row.window) ?? 0n) - row.sum);
  return [...over.values()].some((amount) => amount !== 0n);
}
