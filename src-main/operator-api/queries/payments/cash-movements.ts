import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { type Asset, assetKey } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { accountId, exchangeFunds, ownerOf } from '../../../ledger/ledger.ts';
import { isCreditListed, isDebitListed, ledgerTransfers } from '../../../ledger/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { olderThan, type Place } from '../../../platform/database/places.ts';
import type { WalletAddress, WalletAddresses } from '../../../wallet-addresses/wallet-addresses.ts';
import { inPieces, merged } from '../newest-first.ts';

/** Money that the operator put into an account or took out of it. No payment stands behind it. */
export interface CashMovement extends Place {
  direction: 'in' | 'out';
  account: WalletAddress;
  /** The amount, in smallest units of the account's asset. */
  amount: bigint;
  note: string | null;
}

/** Whether the filter asks for what only payments have. */
const asksForPayments = ({ status, unpaid, text, reference, client, minAmount, maxAmount, madeAt, tillId }: PaymentFilter): boolean =>
  unpaid === true || [status, text, reference, client, minAmount, maxAmount, madeAt, tillId].some((one) => one !== undefined);

/**
 * Reads the deposits into the accounts and the withdrawals from them that a filter of payments lets through, newest
 * first. It reads them in pieces, and leaves out what happens after `now` (milliseconds since the Unix epoch).
 * @param only the ids of the accounts of which the caller may know; all without it.
 */
export async function* cashMovements(
  reader: Reader,
  walletAddresses: Pick<WalletAddresses, 'byId'>,
  { filter, only, now, size }: { filter: PaymentFilter; only?: readonly string[] | undefined; now: number; size: number },
): AsyncGenerator<CashMovement, void, void> {
  if (asksForPayments(filter)) return;
  const { direction, createdFrom, createdBefore } = filter;
  // Every deposit comes from outside and every withdrawal goes there. An index leads to them by this side.
  const assets = await assetsOf(reader, walletAddresses, filter.accountId);
  const outside = assets.map((asset) => accountId('external', assetKey(asset)));
  if (outside.length === 0) return;
  const before = Math.min(createdBefore?.getTime() ?? now + 1, now + 1);
  const customers = only?.map((id) => accountId('customer', id));
  const side = (way: 'in' | 'out') => {
    const [from, to, isListed, kind] =
      way === 'in'
        ? ([ledgerTransfers.debitAccountId, ledgerTransfers.creditAccountId, isDebitListed, 'deposit'] as const)
        : ([ledgerTransfers.creditAccountId, ledgerTransfers.debitAccountId, isCreditListed, 'withdrawal'] as const);
    return inPieces(
      (place, count) =>
        reader
          .select()
          .from(ledgerTransfers)
          .where(
            and(
              isListed,
              inArray(from, outside),
              customers && inArray(to, customers),
              eq(ledgerTransfers.kind, kind),
              eq(ledgerTransfers.state, 'posted'),
              lt(ledgerTransfers.createdAt, before),
              createdFrom && gte(ledgerTransfers.createdAt, createdFrom.getTime()),
              place && olderThan(ledgerTransfers, place),
            ),
          )
          .orderBy(desc(ledgerTransfers.createdAt), desc(ledgerTransfers.id))
          .limit(count),
      undefined,
      size,
    );
  };
  for await (const row of merged((['in', 'out'] as const).filter((way) => direction === undefined || direction === way).map(side))) {
    const way = row.kind === 'deposit' ? 'in' : 'out';
    // The other side can also be money to trade with, which is in no account.
    const owner = ownerOf('customer', way === 'in' ? row.creditAccountId : row.debitAccountId);
    const account = owner === undefined ? undefined : await walletAddresses.byId(owner);
    if (account === undefined || account.id !== (filter.accountId ?? account.id)) continue;
    yield { id: row.id, createdAt: row.createdAt, direction: way, account, amount: row.amount, note: row.note };
  }
}

/** The assets of the accounts that the filter lets through. */
async function assetsOf(reader: Reader, walletAddresses: Pick<WalletAddresses, 'byId'>, id: string | undefined): Promise<Asset[]> {
  if (id === undefined) return await exchangeFunds(reader);
  const account = await walletAddresses.byId(id);
  return account === undefined ? [] : [account];
}
