import { and, asc, gt, inArray, sql } from 'drizzle-orm';
import type { Asset } from '../../src-shared/amounts.ts';
import type { ClosingAccount } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts } from '../ledger/in-parts.ts';
import { accountId } from '../ledger/ledger.ts';
import type { AccountKind } from '../ledger/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { isOneOf } from '../platform/database/dialect.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';
import type { SoldFigures } from './rows.ts';
import { LINES_AT_ONCE, ROWS_AT_ONCE } from './steps.ts';

/** An account as a closing needs it. Both balances are with what is set aside, in smallest units. */
export interface AccountState extends Asset {
  readonly id: string;
  readonly name: string;
  readonly publicName: string;
  /** The balance at the last closing. */
  readonly opening: bigint;
  /** The balance now. */
  readonly closing: bigint;
}

/** The movements of one account. */
export interface Moved {
  sales: bigint;
  refunds: bigint;
  sent: bigint;
  deposits: bigint;
  withdrawals: bigint;
}

const balanceIn = (kind: AccountKind) =>
  sql`coalesce((select a.balance from ledger_accounts a where a.id = ${sql.raw(`'${accountId(kind, '')}'`)} || wallet_addresses.id), 0)`;
const [customer, escrow] = [balanceIn('customer'), balanceIn('escrow')];
const before = sql`coalesce((select b.balance from closing_balances b where b.account_id = wallet_addresses.id), '0')`;

const { id, name, publicName, assetCode, assetScale } = walletAddresses;
const shown = {
  ...{ id, name, publicName, assetCode, assetScale },
  ...{ opening: before.mapWith(BigInt), customer: customer.mapWith(BigInt), escrow: escrow.mapWith(BigInt) },
};

const rowsOf = (reader: Reader) => reader.select(shown).from(walletAddresses);
const stateOf = ({ customer, escrow, ...row }: Awaited<ReturnType<typeof rowsOf>>[number]): AccountState => ({
  ...row,
  closing: customer + escrow,
});

/** Reads the accounts with these ids, some at a time. */
export async function* accountsNamed(reader: Reader, ids: Iterable<string>): AsyncGenerator<AccountState[]> {
  for (const some of inParts(ids, ROWS_AT_ONCE)) yield (await rowsOf(reader).where(inArray(id, some))).map(stateOf);
}

/** The assets of accounts, by their ids. */
export async function assetsOf(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Asset>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.select({ id, assetCode, assetScale }).from(walletAddresses).where(isOneOf(id, ids));
  return new Map(rows.map(({ id, ...asset }) => [id, asset]));
}

/**
 * Reads the accounts whose balance is not what it was at the last closing, some at a time. It looks at all accounts.
 * The statement adds no two large balances up, because their sum may need more than 64 bits.
 */
export async function* accountsChanged(reader: Reader): AsyncGenerator<AccountState[]> {
  const changed = sql`${customer} <> cast(${before} as numeric) - ${escrow}`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows: AccountState[] = (
      await rowsOf(reader)
        .where(and(gt(id, last), changed))
        .orderBy(asc(id))
        .limit(ROWS_AT_ONCE)
    ).map(stateOf);
    yield rows;
    last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.id;
  }
}

/** Sorts accounts by name. */
export const byName = (accounts: readonly AccountState[]): AccountState[] =>
  accounts.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Does the same in steps, between which others go on. */
export async function byNameInSteps(accounts: readonly AccountState[], pause: () => Promise<void>): Promise<AccountState[]> {
  await pause();
  if (accounts.length <= ROWS_AT_ONCE) return byName(accounts);
  const middle = accounts.length >> 1;
  const before = await byNameInSteps(accounts.slice(0, middle), pause);
  const others = await byNameInSteps(accounts.slice(middle), pause);
  const all: AccountState[] = [];
  let at = 0;
  for (const [nth, account] of before.entries()) {
    if (nth % LINES_AT_ONCE === 0) await pause();
    for (let other = others[at]; other !== undefined && other.name < account.name; other = others[at]) {
      all.push(other);
      at += 1;
    }
    all.push(account);
  }
  return [...all, ...others.slice(at)];
}

const NOTHING: Moved = { sales: 0n, refunds: 0n, sent: 0n, deposits: 0n, withdrawals: 0n };

/**
 * The line of an account in a closing. Its difference is what its movements do not explain.
 * @param sold the figures of its sales
 */
export function lineOf(account: AccountState, moved = NOTHING, sold: SoldFigures = { count: 0 }): ClosingAccount {
  const { id, name, publicName, assetCode, assetScale, opening, closing } = account;
  const { sales, refunds, sent, deposits, withdrawals } = moved;
  const { count, refundedCount = 0, ...parts } = sold;
  const difference = closing - opening - (sales + deposits - withdrawals - refunds - sent);
  return {
    ...{ id, name, publicName, assetCode, assetScale, sales, salesCount: count },
    ...{ refunds, refundsCount: refundedCount, sent, ...parts },
    books: { opening, deposits, withdrawals, closing, difference },
  };
}
