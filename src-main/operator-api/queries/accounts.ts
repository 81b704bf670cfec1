import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Account, Movement } from '../../../src-shared/operator-contract/accounts.ts';
import { hostOf } from '../../../src-shared/words/inert-text.ts';
import { accountId } from '../../ledger/ledger.ts';
import { ledgerAccounts, ledgerTransfers, type TransferKind } from '../../ledger/tables.ts';
import { said } from '../../payments/search-text.ts';
import { incomingPayments, type JsonObject, outgoingPayments } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../context.ts';
import { inPieces, merged } from './newest-first.ts';
import { type Part, toPart } from './places.ts';

/** What an account may spend, and what is set aside for payments under way. */
interface Money {
  balance: bigint;
  reserved: bigint;
}

type LedgerAccount = typeof ledgerAccounts.$inferSelect;

/**
 * The money of an account. Money in packets to peers is pending on the customer ledger account until their answers are
 * known. All other reserved money is in escrow.
 */
function moneyOf(accounts: readonly LedgerAccount[], walletAddressId: string): Money {
  const customer = accounts.find(({ id }) => id === accountId('customer', walletAddressId));
  const escrow = accounts.find(({ id }) => id === accountId('escrow', walletAddressId));
  if (customer === undefined || escrow === undefined) throw new Error('a wallet address without its ledger accounts');
  return { balance: customer.balance - customer.pending, reserved: escrow.balance + customer.pending };
}

/** The ledger accounts with the operator's own money, including what is set aside. */
async function ownLedgerAccounts(reader: Reader): Promise<LedgerAccount[]> {
  return await reader
    .select()
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.kind, ['customer', 'escrow']));
}

export async function listAccounts(context: OperatorContext): Promise<Account[]> {
  // The ledger is read second, so that it has the ledger accounts of every wallet address of the first read.
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

/** What the book of an account calls a posted transfer that credits or debits it. */
const CREDITED: Record<TransferKind, Movement['kind']> = {
  // No account has one. A settlement moves money between a peer and the outside.
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
  const payments = await paymentsOf(reader, items);
  return { items: items.map((row) => toMovement(row, customer, payments)), nextCursor };
}

function toMovement(row: Transfer, customer: string, payments: PaymentsOfLines): Movement {
  const credited = row.creditAccountId === customer;
  const kind = (credited ? CREDITED : DEBITED)[row.kind];
  const told = row.paymentId === null ? undefined : payments(row.paymentId)[kind === 'received' ? 'receiver' : 'payer'];
  return {
    id: row.id,
    kind,
    change: credited ? row.amount : -row.amount,
    note: row.note ?? told?.note ?? null,
    other: told?.other ?? null,
    paymentId: told?.id ?? null,
    at: new Date(row.createdAt),
  };
}

/** The payment behind a line of the book. */
interface PaymentOfLine {
  id: string;
  note: string | null;
  /** Who paid or was paid, as far as the node knows. */
  other: string | null;
}

/**
 * Finds the payments behind a transfer, by the payment that the transfer names: one for the payer's book, one for the
 * receiver's.
 */
type PaymentsOfLines = (id: string) => { payer: PaymentOfLine | undefined; receiver: PaymentOfLine | undefined };

/**
 * A transfer names the outgoing payment that it belongs to. The receiver's book shows the incoming payment that this
 * one pays. A transfer of money from a peer names the incoming payment itself, because this node has no outgoing one.
 */
async function paymentsOf(reader: Reader, transfers: readonly Transfer[]): Promise<PaymentsOfLines> {
  const named = [...new Set(transfers.flatMap(({ paymentId }) => paymentId ?? []))];
  if (named.length === 0) return () => ({ payer: undefined, receiver: undefined });
  const { id, walletAddressId, receiverId, receiver, metadata } = outgoingPayments;
  const outgoing = await reader
    .select({ id, walletAddressId, receiverId, receiver, metadata })
    .from(outgoingPayments)
    .where(inArray(id, named));
  const paidFromHere = new Map(outgoing.map((row) => [row.id, row]));
  const receivers = [...outgoing.flatMap((row) => row.receiverId ?? []), ...named.filter((one) => !paidFromHere.has(one))];
  const incoming = await reader
    .select({ id: incomingPayments.id, walletAddressId: incomingPayments.walletAddressId, metadata: incomingPayments.metadata })
    .from(incomingPayments)
    .where(inArray(incomingPayments.id, receivers));
  const received = new Map(incoming.map((row) => [row.id, row]));
  const accounts = await reader
    .select({ id: walletAddresses.id, publicName: walletAddresses.publicName })
    .from(walletAddresses)
    .where(inArray(walletAddresses.id, [...new Set([...outgoing, ...incoming].map((row) => row.walletAddressId))]));
  const names = new Map(accounts.map((row) => [row.id, row.publicName]));
  return (one) => {
    const sent = paidFromHere.get(one);
    const taken = received.get(sent === undefined ? one : (sent.receiverId ?? ''));
    return {
      payer: sent && {
        id: sent.id,
        note: noteOf(sent.metadata) ?? noteOf(taken?.metadata ?? null),
        other: taken === undefined ? hostOf(sent.receiver) : (names.get(taken.walletAddressId) ?? null),
      },
      receiver: taken && {
        id: taken.id,
        note: noteOf(taken.metadata),
        other: sent === undefined ? null : (names.get(sent.walletAddressId) ?? null),
      },
    };
  };
}

function noteOf(metadata: JsonObject | null): string | null {
  const { description, reference } = said(metadata);
  return description ?? reference;
}
