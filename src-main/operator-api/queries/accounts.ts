import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { Account, AccountOrder, Movement } from '../../../src-shared/operator-contract/accounts.ts';
import { hostOf } from '../../../src-shared/words/inert-text.ts';
import { accountId } from '../../ledger/ledger.ts';
import { isCreditListed, isDebitListed, ledgerAccounts, ledgerTransfers } from '../../ledger/tables.ts';
import { GIVEN_BACK, type TransferKind } from '../../ledger/transfer-kinds.ts';
import { keptRequests } from '../../payments/incoming/kept-requests.ts';
import { said } from '../../payments/search-text.ts';
import { incomingPayments, type JsonObject, outgoingPayments } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { following, type ListOrder, listPart, sorting } from '../../platform/database/list-order.ts';
import { olderThan, type Place } from '../../platform/database/places.ts';
import type { Column } from '../../platform/database/schema.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../context.ts';
import { ofOwnAccounts } from '../people/narrowed.ts';
import { inPieces, merged } from './newest-first.ts';
import { type Part, toPart } from './places.ts';

/** The money that an account may spend, and that which is set aside for payments under way. */
interface Money {
  balance: bigint;
  reserved: bigint;
}

type LedgerAccount = typeof ledgerAccounts.$inferSelect;

/**
 * The money of an account. What is reserved for a payment to another account of this node is held on the customer
 * ledger account until it moves. All other reserved money is in escrow.
 */
function moneyOf(accounts: ReadonlyMap<string, LedgerAccount>, walletAddressId: string): Money {
  const customer = accounts.get(accountId('customer', walletAddressId));
  const escrow = accounts.get(accountId('escrow', walletAddressId));
  if (customer === undefined || escrow === undefined) throw new Error('a wallet address without its ledger accounts');
  return { balance: customer.balance - customer.pending, reserved: escrow.balance + customer.pending };
}

const { id, createdAt, name, publicName } = walletAddresses;
const made = { id, key: createdAt, keyOf: (row: WalletAddress) => row.createdAt, of: 'times' } as const;
const ORDERS: Record<AccountOrder, ListOrder<WalletAddress>> = {
  oldest: { ...made, ascends: true },
  newest: { ...made, ascends: false },
};

interface AccountList {
  cursor?: string | undefined;
  limit: number;
  text?: string | undefined;
  order: AccountOrder;
}

/** Lists the accounts whose names contain a text. An index leads to all; a search is made beside the main thread. */
export async function listAccounts(
  context: OperatorContext,
  { cursor, limit, text = '', order }: AccountList,
): Promise<{ items: Account[]; nextCursor: string | null }> {
  const { read, readAside } = context.database;
  const needle = text.trim();
  const found = await (needle === '' ? read : readAside)
    .select()
    .from(walletAddresses)
    .where(and(following(ORDERS[order], cursor), needle === '' ? undefined : named(needle), ofOwnAccounts(context, walletAddresses.id)))
    .orderBy(...sorting(ORDERS[order]))
    .limit(limit + 1);
  const { rows, nextCursor } = listPart(found, limit, ORDERS[order]);
  // The ledger is read second, so that it has the ledger accounts of every wallet address of the first read.
  const money = await moneyOfAll(
    read,
    rows.map((row) => row.id),
  );
  return { items: rows.map((row) => toAccount(context, row, money(row.id))), nextCursor };
}

/**
 * The accounts whose names contain a text. The database makes only the letters of ASCII small, so it also compares the
 * other letters as they were typed. The last part of a wallet address is the name.
 */
function named(needle: string): SQL | undefined {
  const small = needle.toLowerCase();
  const end = small.slice(small.lastIndexOf('/') + 1);
  return or(end === '' ? undefined : contains(name, end), contains(publicName, needle), contains(sql`lower(${publicName})`, small));
}

async function moneyOfAll(reader: Reader, ids: readonly string[]): Promise<(walletAddressId: string) => Money> {
  const owned = ids.flatMap((one) => [accountId('customer', one), accountId('escrow', one)]);
  const accounts = await reader.select().from(ledgerAccounts).where(inArray(ledgerAccounts.id, owned));
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return (one) => moneyOf(byId, one);
}

export async function findAccount(context: OperatorContext, id: string): Promise<Account | undefined> {
  const walletAddress = await context.walletAddresses.byId(id);
  if (walletAddress === undefined) return undefined;
  const money = await moneyOfAll(context.database.read, [id]);
  return toAccount(context, walletAddress, money(id));
}

function toAccount(context: OperatorContext, walletAddress: WalletAddress, money: Money): Account {
  const { id, name, publicName, assetCode, assetScale, createdAt } = walletAddress;
  const url = context.walletAddresses.urlOf(walletAddress);
  return { id, name, publicName, walletAddress: url, assetCode, assetScale, ...money, createdAt: new Date(createdAt) };
}

type Transfer = typeof ledgerTransfers.$inferSelect;

/**
 * The kinds under which the book of an account lists posted transfers that credit or debit it. One that is held is
 * `reserved`.
 */
const CREDITED: Record<TransferKind, Movement['kind']> = {
  // No account has one. A settlement moves money between a peer and the outside.
  settlement: 'deposit',
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  reservation: 'reserved',
  [GIVEN_BACK]: 'returned',
  payment: 'received',
};
const DEBITED: Record<TransferKind, Movement['kind']> = { ...CREDITED, payment: 'sent' };

/**
 * The book of an account, newest first: every transfer that changed what it can spend. The lines add up to its balance.
 * Money that is held for another account of this node has a line until it goes back.
 */
export async function listMovements(
  reader: Reader,
  request: { accountId: string; from: Place | undefined; limit: number },
): Promise<Part<Movement>> {
  const { limit, from } = request;
  const customer = accountId('customer', request.accountId);
  const side = (column: Column, isListed: SQL, states: readonly Transfer['state'][]) =>
    inPieces(
      (place, count) =>
        reader
          .select()
          .from(ledgerTransfers)
          .where(and(isListed, eq(column, customer), inArray(ledgerTransfers.state, states), place && olderThan(ledgerTransfers, place)))
          .orderBy(desc(ledgerTransfers.createdAt), desc(ledgerTransfers.id))
          .limit(count),
      from,
      limit + 1,
    );
  const found: Transfer[] = [];
  const sides = [
    side(ledgerTransfers.debitAccountId, isDebitListed, ['posted', 'pending']),
    side(ledgerTransfers.creditAccountId, isCreditListed, ['posted']),
  ];
  for await (const row of merged(sides)) {
    found.push(row);
    if (found.length > limit) break;
  }
  const { items, nextCursor } = toPart(found, limit, (row) => row);
  const payments = await paymentsOf(reader, items);
  return { items: items.map((row) => toMovement(row, customer, payments)), nextCursor };
}

function toMovement(row: Transfer, customer: string, payments: PaymentsOfLines): Movement {
  const credited = row.creditAccountId === customer;
  const kind = row.state === 'pending' ? 'reserved' : (credited ? CREDITED : DEBITED)[row.kind];
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
  const kept = await keptRequests(reader, receivers);
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
        note: noteOf(taken.metadata) ?? kept.get(taken.id)?.reference ?? null,
        other: sent === undefined ? null : (names.get(sent.walletAddressId) ?? null),
      },
    };
  };
}

function noteOf(metadata: JsonObject | null): string | null {
  const { description, reference } = said(metadata);
  return description ?? reference;
}
