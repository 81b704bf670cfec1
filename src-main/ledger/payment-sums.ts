import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Reader } from '../platform/database/database.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import { ownerNamedIn } from './audit/damages.ts';
import { accountId, ownerOf } from './ledger.ts';
import { isUnnumbered, ledgerAccounts, ledgerTransfers } from './tables.ts';

// What the rules of payments ask the ledger. The database adds up, because one payment can have any number of
// transfers: a payment request without an end has two more for each quarter of an hour in which a peer pays it.

const t = ledgerTransfers;

/** What the transfers of one payment in one state have moved, or hold, between two ledger accounts. */
export interface PaymentSum extends Pick<typeof t.$inferSelect, 'paymentId' | 'kind' | 'state' | 'debitAccountId' | 'creditAccountId'> {
  amount: bigint;
  /** How many transfers that are. */
  count: number;
}

/** The sums of the transfers of some payments. There is one for each kind, state and pair of ledger accounts. */
export async function paymentSums(reader: Reader, paymentIds: string[]): Promise<PaymentSum[]> {
  const { paymentId, kind, state, debitAccountId, creditAccountId, amount } = t;
  return await reader
    .select({ paymentId, kind, state, debitAccountId, creditAccountId, amount: exactSum(amount), count: count() })
    .from(t)
    .where(inArray(paymentId, paymentIds))
    .groupBy(paymentId, kind, state, debitAccountId, creditAccountId);
}

/** What pending transfers hold for each peer, by its id. */
export async function heldForPeers(reader: Reader): Promise<Map<string, bigint>> {
  const rows = await reader
    .select({ account: t.creditAccountId, sum: exactSum(t.amount) })
    .from(t)
    .where(and(isUnnumbered, eq(t.state, 'pending'), sql`substr(${t.creditAccountId}, 1, 5) = 'peer:'`))
    .groupBy(t.creditAccountId);
  return new Map(rows.map(({ account, sum }) => [ownerNamedIn(account), sum]));
}

/** How many wallet addresses one step reads, and how many transfers. */
const [OWNERS, TRANSFERS] = [200, 500];

/**
 * What the wallet addresses after `after` have set aside: in escrow, and held on their customer accounts.
 * @returns that, by wallet address, and the last one. It is undefined when there are no more.
 */
export async function setAsideAfter(reader: Reader, after: string): Promise<{ sums: Map<string, bigint>; last: string | undefined }> {
  const { id, kind, balance, pending } = ledgerAccounts;
  const escrows = await reader
    .select({ id, balance })
    .from(ledgerAccounts)
    .where(and(gt(id, accountId('escrow', after)), eq(kind, 'escrow')))
    .orderBy(asc(id))
    .limit(OWNERS);
  const owners = escrows.map((escrow) => ownerNamedIn(escrow.id));
  const customers = owners.map((owner) => accountId('customer', owner));
  const held = await reader.select({ id, pending }).from(ledgerAccounts).where(inArray(id, customers));
  const sums = new Map(escrows.map((escrow) => [ownerNamedIn(escrow.id), escrow.balance]));
  for (const account of held) {
    const owner = ownerNamedIn(account.id);
    sums.set(owner, (sums.get(owner) ?? 0n) + account.pending);
  }
  return { sums, last: owners.length === OWNERS ? owners.at(-1) : undefined };
}

/** A payment that final transfers name, and the ledger accounts of one of them. */
interface NamedPayment {
  paymentId: string;
  accounts: readonly [string, string];
}

/**
 * The payments that the final transfers after `after` name, as far as they moved money of wallet addresses. What a peer
 * paid to the exchange account alone may name a payment that is gone: a packet that is worth less than a unit brings
 * its payment nothing, and payment requests that got nothing are removed in time.
 * @param after the number of a final transfer, as text; empty for the first ones.
 * @returns them, and the last number. It is undefined when there are no more.
 */
export async function paymentsNamedAfter(reader: Reader, after: string): Promise<{ named: NamedPayment[]; last: string | undefined }> {
  const { number, paymentId, debitAccountId, creditAccountId } = t;
  const rows = await reader
    .select({ number, paymentId, debitAccountId, creditAccountId })
    .from(t)
    .where(gt(number, BigInt(after)))
    .orderBy(asc(number))
    .limit(TRANSFERS);
  const named = rows.flatMap((row) => {
    const accounts = [row.debitAccountId, row.creditAccountId] as const;
    return row.paymentId === null || !accounts.some(isOfWalletAddress) ? [] : [{ paymentId: row.paymentId, accounts }];
  });
  return { named, last: rows.length === TRANSFERS ? String(rows.at(-1)?.number) : undefined };
}

/** Whether the id is that of the ledger account of a wallet address. */
export const isOfWalletAddress = (id: string): boolean => ownerOf('customer', id) !== undefined || ownerOf('escrow', id) !== undefined;
