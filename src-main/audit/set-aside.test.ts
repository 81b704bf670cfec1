import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rateOf } from '../exchange/testing/rates.ts';
import { accountId } from '../ledger/ledger.ts';
import { ledgerAccounts, ledgerTransfers } from '../ledger/tables.ts';
import { outgoingPayments } from '../payments/tables.ts';
import { EUR, PEER, TwoWorlds, USD } from '../payments/testing/two-worlds.ts';
import { peers, sentPackets } from '../peers/tables.ts';
import type { Tx } from '../platform/database/database.ts';
import { findingsIn } from './testing/findings-in.ts';

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open({ maxPacketAmount: 300n });
});
afterEach(() => world.node.close());

const database = () => world.node.database;
const found = () => findingsIn(database());
const tamper = (change: (tx: Tx) => Promise<unknown>) => database().write(async (tx) => void (await change(tx)));
const buyer = (finding: string) => `${finding} ${world.buyerId}`;

/** A payment request of an account of this node. @returns its URL. */
async function here(amount: bigint, asset = USD): Promise<string> {
  const shop = await world.node.account(`shop${asset.assetCode}`, 0n, asset.assetCode);
  const made = await world.node.incomingPayments.create({
    walletAddress: shop,
    client: 'app',
    incomingAmount: { value: amount, ...asset },
  });
  if (!made.ok) throw new Error(made.error);
  return world.node.urls.incomingPayment(made.value.id);
}

/** Makes payments whose money is set aside in each of the three ways, and sends nothing. */
async function waiting(): Promise<Record<'elsewhere' | 'here' | 'exchanged', string>> {
  await world.node.worker.stop();
  await world.node.rates.set(rateOf('USD', 'EUR', '0.5', world.clock.now()));
  const exchanged = await here(100n, EUR);
  await world.node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 1_000n, note: '' });
  return {
    elsewhere: (await world.pay(world.elsewhere.invoice(700n), 700n)).id,
    here: (await world.pay(await here(500n), 500n)).id,
    exchanged: (await world.pay(exchanged, 200n)).id,
  };
}

/** A payment elsewhere with a packet whose outcome nobody knows yet. */
async function withOpenPacket(): Promise<string> {
  world.elsewhere.fate = () => 'lose';
  const { id } = await world.pay(world.elsewhere.invoice(200n), 200n);
  await world.until(id, ({ held }) => held > 0n);
  return id;
}

describe('the audit compares what is set aside with the payments under way, and', () => {
  it('finds nothing in whole books', async () => {
    await waiting();
    expect(await found()).toEqual([]);
  });

  it.each(['elsewhere', 'here', 'exchanged'] as const)('finds a payment %s that is gone while it was under way', async (which) => {
    const ids = await waiting();
    await tamper((tx) => tx.delete(outgoingPayments).where(eq(outgoingPayments.id, ids[which])));
    // The money of the one that goes within an account of this node and keeps its currency has not moved yet.
    expect(await found()).toEqual([buyer('held'), ...(which === 'here' ? [] : [buyer('payment_missing')])]);
  });

  it('finds a payment of which less is promised by the exchange account than it will bring', async () => {
    const { exchanged } = await waiting();
    await tamper(async (tx) => {
      await tx.update(ledgerTransfers).set({ amount: 99n }).where(eq(ledgerTransfers.id, exchanged));
      await tx
        .update(ledgerAccounts)
        .set({ pending: 99n })
        .where(eq(ledgerAccounts.id, accountId('exchange', 'EUR/2')));
    });
    expect(await found()).toEqual([buyer('payment')]);
  });

  it('finds a packet that holds another amount than its payment and its peer say', async () => {
    await withOpenPacket();
    expect(await found()).toEqual([]);
    await tamper(async (tx) => {
      await tx.update(sentPackets).set({ sourceAmount: 199n, peerAmount: 199n });
      await tx.update(outgoingPayments).set({ held: 199n });
      await tx.update(peers).set({ inFlight: 199n });
    });
    expect(await found()).toEqual([`in_flight ${PEER}`, buyer('payment')]);
  });

  it('finds money that is held for a payment which holds nothing', async () => {
    const { elsewhere } = await waiting();
    await tamper(async (tx) => {
      const [row] = await tx.select().from(ledgerTransfers).where(eq(ledgerTransfers.paymentId, elsewhere));
      await tx.insert(ledgerTransfers).values({
        ...{ id: 'x', number: null, kind: 'payment', state: 'pending', amount: 7n, paymentId: elsewhere, note: null, createdAt: 0 },
        ...{ debitAccountId: row?.debitAccountId ?? '', creditAccountId: row?.creditAccountId ?? '' },
      });
      await tx
        .update(ledgerAccounts)
        .set({ pending: sql`${ledgerAccounts.pending} + 7` })
        .where(eq(ledgerAccounts.id, row?.debitAccountId ?? ''));
    });
    expect(await found()).toEqual([buyer('held'), buyer('payment')]);
  });
});
