import { and, asc, gt, lte } from 'drizzle-orm';
import type { Reader } from '../../platform/database/database.ts';
import { ledgerAccounts, ledgerClosings } from '../tables.ts';
import { type Finding, ownerNamedIn } from './damages.ts';
import { openSums, type Sums } from './pieces.ts';

/** How many ledger accounts one step compares. */
const ACCOUNTS = 200;

type AccountRow = Pick<typeof ledgerAccounts.$inferSelect, 'id' | 'kind' | 'balance' | 'pending'>;

/** What a ledger account says of itself, without its money. */
type AccountLabel = Pick<typeof ledgerAccounts.$inferSelect, 'id' | 'kind' | 'assetCode' | 'assetScale'>;

/**
 * The ledger accounts after `after`, in the order of their ids.
 * @returns them, and the last one. It is undefined when there are no more.
 */
export async function accountsAfter(reader: Reader, after: string): Promise<{ accounts: AccountLabel[]; last: string | undefined }> {
  const { id, kind, assetCode, assetScale } = ledgerAccounts;
  const columns = { id, kind, assetCode, assetScale };
  const accounts = await reader.select(columns).from(ledgerAccounts).where(gt(id, after)).orderBy(asc(id)).limit(ACCOUNTS);
  return { accounts, last: accounts.length === ACCOUNTS ? accounts.at(-1)?.id : undefined };
}

/** The rules of one ledger account: its balance is what its transfers moved, and it holds what is pending. */
function accountFindings({ id, balance, pending }: AccountRow, moved: bigint, held: bigint): Finding[] {
  const found: Finding[] = [];
  if (balance !== moved) found.push({ owner: ownerNamedIn(id), finding: 'balance', place: id });
  if (pending !== held) found.push({ owner: ownerNamedIn(id), finding: 'held', place: id });
  return found;
}

/**
 * Compares the ledger accounts after `after` with their transfers: with the closed pieces and all that came later. The
 * reader must see one state of the books. Where every balance is the sum of its transfers, each currency adds up to
 * zero, because a transfer takes from one account what it gives to another.
 * @returns what is wrong, and the last account compared. It is undefined when all were compared.
 */
export async function checkAccounts(reader: Reader, after: string): Promise<{ findings: Finding[]; last: string | undefined }> {
  const accounts = await reader
    .select()
    .from(ledgerAccounts)
    .where(gt(ledgerAccounts.id, after))
    .orderBy(asc(ledgerAccounts.id))
    .limit(ACCOUNTS);
  const last = accounts.length === ACCOUNTS ? accounts.at(-1)?.id : undefined;
  const { moved, held } = await openSums(reader);
  const upTo = last === undefined ? undefined : lte(ledgerClosings.accountId, last);
  const closings = await reader
    .select()
    .from(ledgerClosings)
    .where(and(gt(ledgerClosings.accountId, after), upTo));
  const closed: Sums = new Map(closings.map(({ accountId, sum }) => [accountId, BigInt(sum)]));
  const findings = accounts.flatMap((account) => {
    const all = (closed.get(account.id) ?? 0n) + (moved.get(account.id) ?? 0n);
    return accountFindings(account, all, held.get(account.id) ?? 0n);
  });
  return {
    findings: [
      ...findings,
      ...missingAccounts(new Set(accounts.map(({ id }) => id)), [...closed.keys(), ...moved.keys()], { after, last }),
    ],
    last,
  };
}

/** Accounts that transfers name, in the range of this step, and that are not there. */
function missingAccounts(
  there: ReadonlySet<string>,
  named: readonly string[],
  { after, last }: { after: string; last: string | undefined },
): Finding[] {
  const isHere = (id: string) => id > after && (last === undefined || id <= last);
  const missing = new Set(named.filter((id) => isHere(id) && !there.has(id)));
  return [...missing].map((id) => ({ owner: ownerNamedIn(id), finding: 'balance', place: id }));
}

/** Compares the sums of all accounts with what the closed pieces had moved; see {@link checkPiece}. */
export async function checkClosings(reader: Reader, moved: Sums): Promise<Finding[]> {
  const found: Finding[] = [];
  const rows = await reader.select().from(ledgerClosings);
  for (const { accountId, sum } of rows) {
    if (BigInt(sum) !== (moved.get(accountId) ?? 0n)) found.push({ owner: ownerNamedIn(accountId), finding: 'balance', place: accountId });
  }
  return found;
}
