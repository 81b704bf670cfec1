import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import type { Column } from '../platform/database/schema.ts';
import { accountId, ownerOf } from './ledger.ts';
import { ledgerAccounts } from './tables.ts';

/**
 * Opens the ledger account between this node and a peer, and those of its asset that do not exist yet.
 * @param overdraft the peer's credit limit, in smallest units, 0 to 2^63−1: how far below zero the balance may go.
 */
export async function openPeerAccount(tx: Tx, peerId: string, asset: Asset, overdraft: bigint, at: number): Promise<void> {
  const { assetCode, assetScale } = asset;
  const fresh = { assetCode, assetScale, balance: 0n, pending: 0n, createdAt: at };
  await tx
    .insert(ledgerAccounts)
    .values([
      { ...fresh, id: accountId('peer', peerId), kind: 'peer', overdraft },
      { ...fresh, id: accountId('exchange', assetKey(asset)), kind: 'exchange' },
      { ...fresh, id: accountId('external', assetKey(asset)), kind: 'external' },
    ])
    .onConflictDoNothing();
}

/** What this node and a peer owe each other, in smallest units. */
export interface PeerAccount {
  /** The position. Above zero this node owes the peer that much, below zero the peer owes this node. */
  position: bigint;
  /** The most that the peer may owe. */
  creditLimit: bigint;
}

const toPeerAccount = ({ balance, overdraft }: typeof ledgerAccounts.$inferSelect): PeerAccount => ({
  position: balance,
  creditLimit: overdraft,
});

const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, sql.placeholder('id')))
    .prepare(),
);

/** Reads the ledger account of a peer, through the reader or inside a write job. */
export async function findPeerAccount(reader: Reader, peerId: string): Promise<PeerAccount | undefined> {
  const [account] = await byId(reader).execute({ id: accountId('peer', peerId) });
  return account && toPeerAccount(account);
}

/** Reads the ledger accounts of these peers, by the peer's id. */
export async function listPeerAccounts(reader: Reader, peerIds: readonly string[]): Promise<Map<string, PeerAccount>> {
  const ids = peerIds.map((id) => accountId('peer', id));
  const accounts = await reader.select().from(ledgerAccounts).where(inArray(ledgerAccounts.id, ids));
  return new Map(accounts.map((account) => [ownerOf('peer', account.id) ?? '', toPeerAccount(account)]));
}

/**
 * Selects the ids of the peers whose position has reached a limit: their own credit limit, or what this node may owe.
 * @param debtLimit the most that this node may owe the peer, and @param inFlight what is under way to it
 */
export const atLimit = (peerId: Column, { debtLimit, inFlight }: { debtLimit: Column; inFlight: Column }): SQL => {
  const { id, balance, overdraft } = ledgerAccounts;
  const owes = sql`(${balance} < 0 and ${balance} <= -${overdraft})`;
  const isOwed = sql`(${balance} > -${inFlight} and ${balance} >= ${debtLimit} - ${inFlight})`;
  return sql`exists (select 1 from ${ledgerAccounts} where ${id} = ${accountId('peer', '')} || ${peerId} and (${owes} or ${isOwed}))`;
};

/** The condition that this node owes the peer no more than `most`, in smallest units. */
export const owesAtMost = (peerId: Column, most: SQL): SQL =>
  sql`exists (select 1 from ${ledgerAccounts} where ${ledgerAccounts.id} = ${accountId('peer', '')} || ${peerId} and ${ledgerAccounts.balance} <= ${most})`;

/**
 * Changes a peer's credit limit. A peer that owes more than a lowered limit goes on owing that much, but cannot owe
 * more.
 */
export async function setOverdraft(tx: Tx, peerId: string, overdraft: bigint): Promise<void> {
  await tx
    .update(ledgerAccounts)
    .set({ overdraft })
    .where(and(eq(ledgerAccounts.id, accountId('peer', peerId)), eq(ledgerAccounts.kind, 'peer')));
}
