import { and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { assetKey } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { accountId } from '../../../ledger/ledger.ts';
import { ledgerTransfers } from '../../../ledger/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { olderThan, type Place } from '../../../platform/database/places.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { inPieces, merged } from '../newest-first.ts';

/** Money that the operator put into an account or took out of it. No payment stands behind it. */
export interface CashMovement extends Place {
  direction: 'in' | 'out';
  account: WalletAddress;
  /** In smallest units of the account's asset. */
  amount: bigint;
  note: string | null;
}

/** Whether the filter asks for what only payments have. */
const asksForPayments = ({ status, unpaid, text, reference, client, minAmount, maxAmount }: PaymentFilter): boolean =>
  unpaid === true || [status, text, reference, client, minAmount, maxAmount].some((one) => one !== undefined);

/**
 * Reads the deposits into the accounts and the withdrawals from them that a filter of payments lets through, newest
 * first. It reads them in pieces, and leaves out what happens after `now` (milliseconds since the Unix epoch).
 */
export async function* cashMovements(
  reader: Reader,
  accounts: readonly WalletAddress[],
  { filter, now, size }: { filter: PaymentFilter; now: number; size: number },
): AsyncGenerator<CashMovement, void, void> {
  if (asksForPayments(filter)) return;
  const { direction, createdFrom, createdBefore } = filter;
  const wanted = accounts.filter(({ id }) => filter.accountId === undefined || id === filter.accountId);
  const byLedgerAccount = new Map(wanted.map((account) => [accountId('customer', account.id), account]));
  // Every deposit comes from outside and every withdrawal goes there. An index leads to them by this side.
  const outside = [...new Set(wanted.map(assetKey))].map((asset) => accountId('external', asset));
  if (outside.length === 0) return;
  const before = Math.min(createdBefore?.getTime() ?? now + 1, now + 1);
  const side = (way: 'in' | 'out') => {
    const [from, kind] =
      way === 'in' ? ([ledgerTransfers.debitAccountId, 'deposit'] as const) : ([ledgerTransfers.creditAccountId, 'withdrawal'] as const);
    return inPieces(
      (place, count) =>
        reader
          .select()
          .from(ledgerTransfers)
          .where(
            and(
              inArray(from, outside),
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
    const account = byLedgerAccount.get(way === 'in' ? row.creditAccountId : row.debitAccountId);
    if (account !== undefined) yield { id: row.id, createdAt: row.createdAt, direction: way, account, amount: row.amount, note: row.note };
  }
}
