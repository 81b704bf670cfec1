import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Account, Movement } from '../../../src-shared/operator-contract/accounts.ts';
import { accountId } from '../../ledger/ledger.ts';
import { ledgerAccounts, ledgerTransfers, type TransferKind } from '../../ledger/tables.ts';
import { incomingPayments, outgoingPayments } from '../../payments/tables.ts';
import type { WalletAddress } from '../../payments/wallet-addresses.ts';
import type { Reader } from '../../platform/database/database.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import type { OperatorContext } from '../context.ts';
import { inPieces, merged } from './newest-first.ts';
import { type Part, toPart } from './places.ts';

/** What an account may spend, and what is set aside for payments under way. */
export interface Money {
  balance: bigint;
  reserved: bigint;
}

type LedgerAccount = typeof ledgerAccounts.$inferSelect;

/** Money that a peer's answer decides about is held on the account itself, everything else reserved lies in escrow. */
export function moneyOf(accounts: readonly LedgerAccount[], walletAddressId: string): Money {
  const customer = accounts.find(({ id }) => id === accountId('customer', walletAddressId));
  const escrow = accounts.find(({ id }) => id === accountId('escrow', walletAddressId));
  if (customer === undefined || escrow === undefined) throw new Error('a wallet address without its ledger accounts');
  return { balance: customer.balance - customer.pending, reserved: escrow.balance + customer.pending };
}

/** The ledger accounts of the operator's own money and what is set aside of it. */
export async function ownLedgerAccounts(reader: Reader): Promise<LedgerAccount[]> {
  return await reader
    .select()
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.kind, ['customer', 'escrow']));
}

/** Every account of the operator, oldest first. */
export async function listAccounts(context: OperatorContext): Promise<Account[]> {
  // The ledger is read second: it knows every wallet address that was there before.
  const walletAddresses = await context.walletAddresses.list();
  const accounts = await ownLedgerAccounts(context.database.read);
  return walletAddresses.map((walletAddress) => toAccount(context, walletAddress, moneyOf(accounts, walletAddress.id)));
}

export async function findAccount(context: OperatorContext, id: string): Promise<Account | undefined> {
  const walletAddress = await context.walletAddresses.byId(id);
  if (walletAddress === undefined) return undefined;
  const accounts = await context.database.read
    .select()
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.id, [accountId('customer', id), accountId('escrow', id)]));
  return toAccount(context, walletAddress, moneyOf(accounts, id));
}

function toAccount(context: OperatorContext, walletAddress: WalletAddress, money: Money): Account {
  const { id, name, publicName, assetCode, assetScale, createdAt } = walletAddress;
  const url = context.walletAddresses.urlOf(walletAddress);
  return { id, name, publicName, walletAddress: url, assetCode, assetScale, ...money, createdAt: new Date(createdAt) };
}

type Transfer = typeof ledgerTransfers.$inferSelect;

/** What a posted transfer is called in the book of the account it credits or debits. */
const CREDITED: Record<TransferKind, Movement['kind']> = {
  // Never of an account: between a peer and the money outside.
  settlement: 'deposit',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  reservation: 'reserved',
  refund: 'returned',
  payment: 'received',
};
const DEBITED: Record<TransferKind, Movement['kind']> = { ...CREDITED, payment: 'sent' };

/** The book of an account, newest first: every posted transfer that changed its balance. */
export async function listMovements(
  reader: Reader,
  request: { accountId: string; from: Place | undefined; limit: number },
): Promise<Part<Movement>> {
  const { limit, from } = request;
  const customer = accountId('customer', request.accountId);
  const side = (column: typeof ledgerTransfers.debitAccountId | typeof ledgerTransfers.creditAccountId) =>
    inPieces(
      (place, count) =>
        reader
          .select()
          .from(ledgerTransfers)
          .where(and(eq(column, customer), eq(ledgerTransfers.state, 'posted'), place && olderThan(ledgerTransfers, place)))
          .orderBy(desc(ledgerTransfers.createdAt), desc(ledgerTransfers.id))
          .limit(count),
      from,
      limit + 1,
    );
  const found: Transfer[] = [];
  for await (const row of merged([side(ledgerTransfers.debitAccountId), side(ledgerTransfers.creditAccountId)])) {
    found.push(row);
    if (found.length > limit) break;
  }
  const { items, nextCursor } = toPart(found, limit, (row) => row);
  const received = await incomingPaymentsOf(
    reader,
    items.filter((row) => row.creditAccountId === customer),
  );
  return { items: items.map((row) => toMovement(row, customer, received)), nextCursor };
}

function toMovement(row: Transfer, customer: string, received: ReadonlyMap<string, string>): Movement {
  const credited = row.creditAccountId === customer;
  const kind = (credited ? CREDITED : DEBITED)[row.kind];
  const paymentId = kind === 'received' ? (received.get(row.paymentId ?? '') ?? null) : row.paymentId;
  return { id: row.id, kind, change: credited ? row.amount : -row.amount, note: row.note, paymentId, at: new Date(row.createdAt) };
}

/**
 * A transfer names the outgoing payment it belongs to; in the receiver's book the incoming one belongs beside it. Money from a peer has no
 * outgoing payment here, and names the incoming one itself.
 */
async function incomingPaymentsOf(reader: Reader, transfers: readonly Transfer[]): Promise<Map<string, string>> {
  const ids = transfers.flatMap((row) => (row.kind === 'payment' && row.paymentId !== null ? [row.paymentId] : []));
  if (ids.length === 0) return new Map();
  const rows = await reader
    .select({ id: outgoingPayments.id, receiverId: outgoingPayments.receiverId })
    .from(outgoingPayments)
    .where(inArray(outgoingPayments.id, ids));
  const paidFromHere = new Map(rows.flatMap(({ id, receiverId }): [string, string][] => (receiverId === null ? [] : [[id, receiverId]])));
  const fromPeers = ids.filter((id) => !paidFromHere.has(id));
  if (fromPeers.length === 0) return paidFromHere;
  const incoming = await reader.select({ id: incomingPayments.id }).from(incomingPayments).where(inArray(incomingPayments.id, fromPeers));
  return new Map([...paidFromHere, ...incoming.map(({ id }): [string, string] => [id, id])]);
}
