import { eq } from 'drizzle-orm';
import { assetKey } from '../../../src-shared/amounts.ts';
import type { Reader } from '../../platform/database/database.ts';
import { exactSum } from '../../platform/database/exact-sum.ts';
import { ledgerAccounts, ledgerTransfers } from '../tables.ts';

const add = (sums: Map<string, bigint>, id: string, amount: bigint) => sums.set(id, (sums.get(id) ?? 0n) + amount);

/** What transfers have moved and still hold, by ledger account, in its smallest units. */
async function sumsOfTransfers(reader: Reader): Promise<{ moved: Map<string, bigint>; held: Map<string, bigint> }> {
  const moved = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  const total = exactSum(ledgerTransfers.amount);
  const { debitAccountId, creditAccountId, state } = ledgerTransfers;
  for (const row of await reader.select({ id: debitAccountId, state, total }).from(ledgerTransfers).groupBy(debitAccountId, state)) {
    if (row.state === 'posted') add(moved, row.id, -row.total);
    if (row.state === 'pending') add(held, row.id, row.total);
  }
  const credits = reader.select({ id: creditAccountId, total }).from(ledgerTransfers).where(eq(state, 'posted')).groupBy(creditAccountId);
  for (const row of await credits) add(moved, row.id, row.total);
  return { moved, held };
}

/** @returns a line for each rule of the books that does not hold. The list is empty when all rules hold. */
export async function brokenInvariants(reader: Reader): Promise<string[]> {
  const { moved, held } = await sumsOfTransfers(reader);
  const broken: string[] = [];
  const perAsset = new Map<string, bigint>();
  for (const account of await reader.select().from(ledgerAccounts)) {
    add(perAsset, assetKey(account), account.balance);
    if (account.balance !== (moved.get(account.id) ?? 0n)) broken.push(`${account.id}: the balance differs from its transfers`);
    if (account.pending !== (held.get(account.id) ?? 0n)) broken.push(`${account.id}: the pending sum differs from its held transfers`);
    if (account.kind !== 'external' && account.kind !== 'peer' && account.balance < account.pending)
      broken.push(`${account.id}: below zero`);
  }
  for (const [key, sum] of perAsset) if (sum !== 0n) broken.push(`${key}: debits and credits differ`);
  return broken;
}
