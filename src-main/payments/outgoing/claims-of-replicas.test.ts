import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { DatabaseClock } from '../../platform/replicas/database-clock.ts';
import type { Replicas } from '../../platform/replicas/replicas.ts';
import { ServerClock } from '../../platform/replicas/testing/server-clock.ts';
import { outgoingPayments } from '../tables.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import { LEASE_MS, PaymentWorker } from './payment-worker.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

let node: Payments;
let server: ServerClock;
let here: Replicas;
let there: Replicas;
let workerThere: PaymentWorker;
let workerHere: PaymentWorker;
let id: string;

const row = async () => {
  const [found] = await node.database.read.select().from(outgoingPayments).where(eq(outgoingPayments.id, id));
  if (found === undefined) throw new Error('no payment');
  return found;
};

/** A worker of a replica. Without an answer its packets never arrive. */
function workerOf({ id: holder }: Replicas, answers: boolean): PaymentWorker {
  const silent = { ...node.network, send: () => new Promise<never>(() => undefined) };
  return new PaymentWorker({ ...node, network: answers ? node.network : silent, log: createLogger('silent'), holder });
}

/** A worker at a computer whose clock is ahead. It has heard from the server what the time is there. */
function workerAhead(ms: number): PaymentWorker {
  const clock = new DatabaseClock(new ManualClock(node.clock.now() + ms));
  clock.hears(node.clock.now(), clock.monotonic());
  return new PaymentWorker({ ...node, clock, log: createLogger('silent'), holder: here.id });
}

/** A payment of 100 is being sent by the replica there, which never hears an answer. */
beforeEach(async () => {
  node = openPayments();
  await node.worker.stop();
  server = new ServerClock(node.database);
  [here, there] = [server.replica('here'), server.replica('there')];
  for (const replica of [here, there]) await replica.join();
  const [payer, shop] = [await node.account('payer', 1_000n), await node.account('shop', 0n)];
  const incoming = await node.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount: { value: 100n, ...USD } });
  if (!incoming.ok) throw new Error(incoming.error);
  const paid = await node.outgoingPayments.createFromIncomingPayment({
    walletAddress: payer,
    right: null,
    incomingPayment: `${ORIGIN}/incoming-payments/${incoming.value.id}`,
    debitAmount: { value: 100n, ...USD },
  });
  if (!paid.ok) throw new Error(paid.error.code);
  id = paid.value.id;
  workerThere = workerOf(there, false);
  await workerThere.start();
  await vi.waitFor(async () => expect(await row()).toMatchObject({ state: 'sending', attempt: 1, holder: there.id }));
  workerHere = workerOf(here, true);
});
afterEach(async () => {
  void workerThere.stop();
  await workerHere.stop();
  await node.close();
});

describe('a payment that a replica is sending', () => {
  it('is left to it by another that starts', async () => {
    await workerHere.start();
    await node.database.write(async () => undefined);
    expect(await row()).toMatchObject({ state: 'sending', attempt: 1, holder: there.id });
  });

  it('goes on elsewhere when the replica is gone, under another attempt, and is paid once', async () => {
    await workerHere.start();
    here.onGone(workerHere.release, () => workerHere.wake());
    server.now += 5_000;
    await here.look();
    expect(await node.finished(id)).toMatchObject({ state: 'completed', sent: 100n, holder: here.id });
    expect((await row()).attempt).toBeGreaterThan(2);
  });

  it('is free when the replica has ended in peace', async () => {
    there.onGone(workerThere.release);
    await there.end();
    expect(await row()).toMatchObject({ attempt: 2, holder: null });
    await workerHere.start();
    expect(await node.finished(id)).toMatchObject({ state: 'completed', sent: 100n });
  });

  it('is not taken before its lease ends by a computer whose clock is ahead', async () => {
    node.clock.advance(LEASE_MS - 1_000);
    workerHere = workerAhead(1_900);
    await workerHere.start();
    workerHere.wake();
    await node.database.write(async () => undefined);
    expect(await row()).toMatchObject({ attempt: 1, holder: there.id });
  });

  it('is free to whoever starts when the replica has no row any more', async () => {
    await there.end();
    await workerHere.start();
    expect(await node.finished(id)).toMatchObject({ state: 'completed', sent: 100n });
  });
});
