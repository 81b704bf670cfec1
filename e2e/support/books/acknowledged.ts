import { expect } from 'vitest';
import { ActivityCheck } from '../../../src-main/journal/activity-log.ts';
import { PostgresDatabase } from '../../../src-main/platform/database/postgres/postgres-database.ts';
import type { ClientCall, Ledger } from '../clients/cluster-clients.ts';
import type { Cluster } from '../nodes/cluster.ts';

/**
 * Waits until all payments have ended, and compares the books with what clients were told. The set: every acknowledged
 * invoice and payment is stored. The bank: the books add up to nothing, and each account has what its payments say. The
 * counter: an invoice has received what the payments to it delivered, and never twice, and the grant has counted what
 * they sent. Events have no gaps in their positions, and the activity log is whole.
 * @param opening what the buyer had in the beginning, in cents.
 */
export async function expectAcknowledged(cluster: Cluster, ledger: Ledger, log: readonly ClientCall[], opening: bigint): Promise<void> {
  await expect.poll(() => unfinished(cluster), { interval: 100 }).toBe(0);
  const acknowledged = (wanted: ClientCall['kind']): string[] =>
    log.flatMap(({ kind, outcome, id }) => (kind === wanted && outcome === 'ok' && id !== undefined ? [id] : []));
  const outgoing = await cluster.rows<{ id: string; state: string; sent: string; delivered: string }>(
    'select id, state, sent, delivered from outgoing_payments',
  );
  const byId = new Map(outgoing.map((row) => [row.id, row]));
  const amount = `${ledger.amount}`;
  for (const id of acknowledged('payment')) expect(byId.get(id)).toMatchObject({ state: 'completed', sent: amount, delivered: amount });
  const incoming = await cluster.rows<{ id: string; received: string }>('select id, received from incoming_payments');
  const received = new Map(incoming.map((row) => [row.id, BigInt(row.received)]));
  for (const id of acknowledged('invoice')) expect(received.has(id), `the invoice ${id}`).toBe(true);
  for (const [id, got] of received) expect(got <= ledger.amount, `the invoice ${id} received ${got}`).toBe(true);
  const total = outgoing.reduce((sum, { delivered }) => sum + BigInt(delivered), 0n);
  expect([...received.values()].reduce((sum, got) => sum + got, 0n)).toBe(total);
  const balances = await cluster.rows<{ id: string; balance: string }>('select id, balance from ledger_accounts');
  const balanceOf = (id: string) => BigInt(balances.find((row) => row.id === `customer:${id}`)?.balance ?? 0n);
  expect([balanceOf(ledger.shop.id), balanceOf(ledger.buyer.id)]).toEqual([total, opening - total]);
  expect(balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(0n);
  const spent = await cluster.rows<{ spent: string }>("select sum(spent::numeric) as spent from grant_spendings where kind = 'debit'");
  expect(BigInt(spent[0]?.spent ?? 0n)).toBe(total);
  const [events] = await cluster.rows<{ number: string; last: string }>('select count(*) as number, max(position) as last from events');
  expect(events?.last).toBe(events?.number);
  await expectWholeLog(cluster);
}

async function expectWholeLog(cluster: Cluster): Promise<void> {
  const database = new PostgresDatabase(cluster.url, { listens: false });
  try {
    expect(await new ActivityCheck(database).lookAtAll()).toMatchObject({ whole: true });
  } finally {
    await database.close();
  }
}

const UNFINISHED = "select count(*) as n from outgoing_payments where state not in ('completed', 'failed')";

const unfinished = async (cluster: Cluster): Promise<number> => Number((await cluster.rows<{ n: string }>(UNFINISHED))[0]?.n);
