import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserializeIlpPrepare } from 'ilp-packet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../../src-shared/amounts.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { accountId, transfer } from '../../ledger/ledger.ts';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { peers } from '../../peers/tables.ts';
import { newPeer } from '../../peers/testing/peers.ts';
import { NotStored, type Tx } from '../../platform/database/database.ts';
import { SqliteDatabase } from '../../platform/database/sqlite.ts';
import { onSqlite } from '../../platform/database/testing/on-sqlite.ts';
import { sqliteOf } from '../../platform/database/testing/sqlite-test.ts';
import { outgoingPayments } from '../tables.ts';
import { EUR, PEER, START, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { doubtRemotePayments } from './after-copy.ts';
import { isFinal, type OutgoingPayment } from './outgoing-payment-rows.ts';
import { postPacket } from './sent-packets.ts';

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open({ quiet: true });
});
afterEach(() => world.close());
async function reopen(options: Parameters<typeof TwoWorlds.open>[0]) {
  await world.close();
  world = await TwoWorlds.open({ quiet: true, ...options });
}
const turns = (count: number): Promise<void> => world.node.test.idle(count);

/** Lets time pass in small steps until the payment has ended. The leases of attempts that broke pass, too. */
async function ended(id: string): Promise<OutgoingPayment> {
  for (let step = 0; step < 400; step += 1) {
    const payment = await world.read(id);
    if (isFinal(payment)) return payment;
    world.clock.advance(5_000);
    world.node.worker.wake();
    await turns(30);
  }
  throw new Error(`still ${(await world.read(id)).state}`);
}

describe('a clock that is put forward', () => {
  it('does not let a packet be judged while it is still under way', async () => {
    await reopen({ peer: { deduplicates: false } });
    const receiver = world.elsewhere.invoice();
    const under = Promise.withResolvers<void>();
    world.elsewhere.onSend = async () => {
      if (world.elsewhere.sent.length === 1) await under.promise;
    };
    const made = await world.pay(receiver, 500n);
    while (world.elsewhere.sent.length === 0) await turns(1);
    // The clock jumps past the packet's expiry and the lease of the attempt, although no time has passed for anybody
    // else.
    world.clock.advance(5 * 60_000);
    world.node.worker.wake();
    await turns(200);
    world.clock.jump(-5 * 60_000);
    under.resolve();
    expect(await ended(made.id)).toMatchObject({ state: 'completed', sent: 500n });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n, taken: 500n });
  });
});

describe('a clock that is put back', () => {
  it.each(['while the node runs', 'before it starts again'])('keeps no payment waiting for as long as it was ahead, %s', async (when) => {
    world.clock.advance(10 * 365 * 86_400_000);
    world.elsewhere.fate = () => ({ code: 'T04' });
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ state }) => state === 'retrying');
    world.elsewhere.fate = () => 'pass';
    if (when === 'before it starts again') await world.node.worker.stop();
    world.clock.jump(-10 * 365 * 86_400_000);
    if (when === 'before it starts again') await world.restart();
    else world.node.worker.wake();
    await turns(500);
    expect(await world.read(made.id)).toMatchObject({ state: 'completed', sent: 500n });
  });
});

describe('a node that stops', () => {
  it('begins no payment that has waited for another one', async () => {
    const under = Promise.withResolvers<void>();
    world.elsewhere.onSend = () => under.promise;
    world.fates('mute');
    const made = await world.pay(world.elsewhere.invoice(), 500n);
    while (world.elsewhere.sent.length === 0) await turns(1);
    // The clock jumps past the lease. The attempt that asks the peer again waits for the packet that is under way.
    world.clock.advance(5 * 60_000);
    world.node.worker.wake();
    await turns(200);
    const stopped = world.node.worker.stop();
    under.resolve();
    await stopped;
    await turns(200);
    expect(world.elsewhere.sent).toHaveLength(1);
    expect(await world.read(made.id)).toMatchObject({ held: 500n });
    await world.restart();
    expect(await ended(made.id)).toMatchObject({ state: 'completed', sent: 500n });
  });
});

describe('a packet that brings the receiver less than a unit', () => {
  it('is not taken for one that did not arrive because the receiver has no more than before', async () => {
    await reopen({ asset: { assetCode: 'USD', assetScale: 0 }, peer: { ...USD, deduplicates: false }, maxPacketAmount: 60n });
    world.elsewhere.exchange = (amount) => amount / 100n;
    // Probes are larger.
    world.elsewhere.fate = (_, bytes) => (deserializeIlpPrepare(bytes).amount === '60' ? 'mute' : 'pass');
    const made = await world.pay(world.elsewhere.invoice(), 1_000n);
    const stopped = await world.until(made.id, (payment) => isFinal(payment) || payment.state === 'unknown');
    expect([stopped.state, stopped.held]).toEqual(['unknown', 60n]);
    expect((await world.books()).peer + stopped.held).toBe(world.elsewhere.taken);
  });
});

describe('a receiver that says it got what nobody can count', () => {
  it.each([MAX_MOVED + 1n, 2n ** 64n - 1n])('is credited with what the price says instead of %s', async (claimed) => {
    world.elsewhere.fate = () => 'lose';
    const made = await world.pay(world.elsewhere.invoice(), 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    const [packet] = await world.packets();
    await world.node.database.write((tx) => postPacket(tx, packet?.condition ?? '', claimed, world.clock.now()));
    expect(await world.read(made.id)).toMatchObject({ state: 'completed', sent: 500n, delivered: 500n });
  });
});

describe('a full disk', () => {
  const FAULTS = {
    'stores nothing': async () => {
      throw new NotStored('The change could not be stored. Is the disk full?');
    },
    // The commit is on the disk, and its caller is told otherwise.
    'stores it and says that it did not': async (write: () => Promise<unknown>) => {
      await write();
      throw new NotStored('The change could not be stored. Is the disk full?');
    },
  } as const;

  it.each(Object.entries(FAULTS))(
    'that %s costs no unit, at whichever write of a payment it occurs',
    async (_, fault) => {
      await reopen({ maxPacketAmount: 300n });
      const write = world.node.database.write.bind(world.node.database);
      let left = Number.POSITIVE_INFINITY;
      Object.assign(world.node.database, {
        write: (job: (tx: Tx) => Promise<unknown>) => {
          left -= 1;
          return left === 0 ? fault(() => write(job)) : write(job);
        },
      });
      for (let nth = 1; ; nth += 1) {
        const before = await world.books();
        // The first packet is rejected, and the answer to the third is lost.
        world.fates({ code: 'T04' }, 'pass', 'mute');
        const made = await world.pay(world.elsewhere.invoice(500n), 500n);
        left = nth;
        const payment = await ended(made.id);
        expect([nth, payment.state, payment.sent, payment.held]).toEqual([nth, 'completed', 500n, 0n]);
        expect(await world.books()).toEqual({
          ...{ customer: before.customer - 500n, escrow: 0n, inFlight: 0n },
          ...{ peer: before.peer + 500n, taken: before.taken + 500n },
        });
        if (left > 0) return expect(nth).toBeGreaterThan(10);
      }
    },
    60_000,
  );
});

describe('a log that ends in garbage', () => {
  onSqlite('PostgreSQL keeps a log of its own')('loses the end of the history and never a part of a write', async () => {
    const { connection } = sqliteOf(world.node.test);
    connection.pragma('wal_autocheckpoint = 0');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    for (let i = 0; i < 12; i += 1) await world.finished((await world.pay(world.elsewhere.invoice(), 100n + BigInt(i))).id);
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-torn-'));
    const [file, torn] = [connection.name, join(folder, 'paydesk.db')];
    const log = readFileSync(`${file}-wal`);
    const seen = new Set<number>();
    for (let cut = 1; cut <= 40; cut += 1) {
      copyFileSync(file, torn);
      const end = Math.floor((log.length * cut) / 41);
      const garbage = Buffer.from(log.subarray(0, end + 5_000));
      garbage.fill(cut, end);
      writeFileSync(`${torn}-wal`, garbage);
      const database = new SqliteDatabase(torn);
      expect(await brokenInvariants(database.read)).toEqual([]);
      const payments = await database.read.select().from(outgoingPayments);
      for (const { state, debitAmount, sent, held } of payments)
        expect(state === 'completed' ? sent === debitAmount && held === 0n : sent + held <= debitAmount).toBe(true);
      seen.add(payments.length);
      await database.close();
      rmSync(torn);
    }
    expect(seen.size).toBeGreaterThan(5);
    rmSync(folder, { recursive: true });
  });
});

describe('a peer that the operator changes while a packet is on its way to it', () => {
  it('is paid what it took, whatever has become of its limits', async () => {
    for (const change of [
      () => world.wing.registry.setState(PEER, 'paused'),
      () => world.wing.registry.edit(PEER, { debtLimit: 0n, creditLimit: 0n, maxPacketAmount: 1n }),
    ]) {
      const before = await world.books();
      world.elsewhere.onSend = async () => void (await change());
      const payment = await world.finished((await world.pay(world.elsewhere.invoice(500n), 500n)).id);
      expect(payment).toMatchObject({ state: 'completed', sent: 500n });
      expect(await world.books()).toMatchObject({ peer: before.peer + 500n, taken: before.taken + 500n, inFlight: 0n });
      expect(await world.wing.registry.remove(PEER)).toEqual({ ok: false, error: 'not_settled' });
      await world.wing.registry.setState(PEER, 'active');
      await world.wing.registry.edit(PEER, { debtLimit: null, maxPacketAmount: null });
    }
  });

  it('never has more on its way than can be counted', async () => {
    await world.node.database.write((tx) => tx.update(peers).set({ inFlight: MAX_MOVED - 99n }));
    const owing = {
      id: 'a-gift',
      kind: 'settlement',
      debit: accountId('peer', PEER),
      credit: 'external:USD/2',
      amount: 1_000n,
      at: 1,
    } as const;
    await world.wing.registry.edit(PEER, { creditLimit: 1_000n });
    await world.node.database.write((tx) => transfer(tx, owing));
    const payment = await world.finished((await world.pay(world.elsewhere.invoice(100n), 100n)).id);
    expect(payment).toMatchObject({ state: 'failed', failure: 'peer_credit', sent: 0n });
    const [peer] = await world.node.database.read.select().from(peers);
    expect(peer?.inFlight).toBe(MAX_MOVED - 99n);
  });

  it('cannot be removed before the packet’s fate is known', async () => {
    world.elsewhere.fate = () => 'lose';
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    expect(await world.wing.registry.remove(PEER)).toEqual({ ok: false, error: 'not_settled' });
    world.elsewhere.fate = () => 'pass';
    await world.finished(made.id);
  });

  it.each([
    { rate: '1.2', delivered: 1_200n, inEuro: 840n },
    { rate: '0.913', delivered: 913n, inEuro: 640n },
  ])('pays what is due at the price when a part went through another currency, at $rate', async ({ rate, delivered, inEuro }) => {
    await reopen({ asset: EUR, maxPacketAmount: 100n });
    const inDollars = '22222222-2222-4222-8222-222222222222';
    await world.wing.registry.add(newPeer({ id: inDollars, ilpAddress: world.elsewhere.address, ...USD }));
    await world.node.rates.set(rateOf('USD', 'EUR', rate, START));
    await world.node.account('shop', 0n, 'EUR');
    await world.node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 5_000n, note: '' });
    const itsRate = BigInt(Number(rate) * 1_000);
    world.elsewhere.onSend = async () => {
      const packet = world.elsewhere.sent.length;
      if (packet === 3) await world.wing.registry.setState(PEER, 'paused');
      if (packet === 6) await world.wing.registry.setState(PEER, 'active');
      world.elsewhere.exchange = (amount) => (packet > 3 && packet <= 6 ? (amount * itsRate) / 1_000n : amount);
    };
    // After the seventh packet another attempt has to find out what this one has moved.
    world.elsewhere.fate = (packet) => (packet === 7 ? { code: 'T04' } : 'pass');
    const payment = await world.finished((await world.pay(world.elsewhere.invoice(), 1_000n)).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 1_000n, delivered, attempt: 2 });
    expect(await world.balance(accountId('peer', inDollars))).toBe(300n);
    expect(await world.balance(accountId('peer', PEER))).toBe(inEuro);
  });
});

describe('books that were put back from a copy made while packets were under way', () => {
  const doubt = async (id: string): Promise<OutgoingPayment> => {
    await world.node.worker.stop();
    await world.node.database.write((tx) => doubtRemotePayments(tx, world.clock.now()));
    return await world.read(id);
  };

  it.each([
    { outcome: 'arrived', state: 'completed' },
    { outcome: 'not_arrived', state: 'failed' },
  ] as const)('ask about all that may have left since, not about those packets alone: $outcome', async ({ outcome, state }) => {
    await reopen({ maxPacketAmount: 100n });
    world.elsewhere.fate = (packet) => (packet < 3 ? 'pass' : 'lose');
    const { id } = await world.pay(world.elsewhere.invoice(1_000n), 1_000n);
    const { sent, held } = await world.until(id, (payment) => payment.held > 0n && payment.state === 'retrying');
    expect(sent + held).toBeLessThan(1_000n);
    expect(await doubt(id)).toMatchObject({ state: 'unknown', sent, held: 0n });
    await world.node.unknownPayments.resolve(id, outcome);
    expect(await world.read(id)).toMatchObject({ state });
    const customer = outcome === 'arrived' ? 99_000n : 100_000n - sent;
    expect(await world.books()).toMatchObject({ customer, escrow: 0n, inFlight: 0n, peer: sent });
  });

  it('ask about the packets where nothing else could leave any more', async () => {
    await reopen({ maxPacketAmount: 100n });
    world.elsewhere.fate = (packet) => (packet < 3 ? 'pass' : 'lose');
    const { id } = await world.pay(world.elsewhere.invoice(1_000n), 1_000n);
    const { sent, held } = await world.until(id, ({ state }) => state === 'settling');
    expect(sent + held).toBeLessThan(1_000n);
    expect(await doubt(id)).toMatchObject({ state: 'unknown', sent, held });
    await world.node.unknownPayments.resolve(id, 'arrived');
    const left = sent + held;
    expect(await world.read(id)).toMatchObject({ state: 'failed', sent: left, held: 0n });
    expect(await world.books()).toMatchObject({ customer: 100_000n - left, escrow: 0n, inFlight: 0n, peer: left });
  });
});
