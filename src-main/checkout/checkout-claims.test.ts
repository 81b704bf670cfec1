import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { IncomingPayment } from '../payments/incoming/incoming-payments.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { ServerClock } from '../platform/replicas/testing/server-clock.ts';
import { ok, refuse } from '../platform/result.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { CheckoutWorker } from './checkout-worker.ts';
import { Checkouts } from './checkouts.ts';
import { checkouts } from './tables.ts';
import { otherWallet } from './testing/other-wallet.ts';

const visitor = randomBytes(32).toString('base64url');
const seal = new Seal(randomBytes(32));

let test: Payments;
let payment: IncomingPayment;
let wallet: ReturnType<typeof otherWallet>;
let id: string;

/** A process of the node. */
const openProcess = (holder?: string) => {
  const { database, clock, urls, walletAddresses } = test;
  const parts = { database, clock, urls, seal, walletAddresses, ...wallet.parts };
  return {
    worker: new CheckoutWorker({ ...parts, log: createLogger('silent'), ...(holder !== undefined && { holder }) }),
    desk: new Checkouts(parts, () => undefined),
  };
};

/** A visitor has approved at the wallet and has come back. */
beforeEach(async () => {
  test = openPayments();
  wallet = otherWallet();
  const incomingAmount = { value: 1_000n, assetCode: 'USD', assetScale: 2 };
  const made = await test.incomingPayments.create({ walletAddress: await test.account('shop', 0n), client: null, incomingAmount });
  if (!made.ok) throw new Error(made.error);
  payment = made.value;
  const { desk } = openProcess();
  const begun = await desk.start({
    incomingPaymentId: payment.id,
    wallet: 'wallet.example/ann',
    network: '192.0.2.1',
    amount: undefined,
    visitor,
  });
  if (!begun.ok) throw new Error(begun.error);
  id = begun.value;
  await desk.comeBack(id, visitor, wallet.yes());
});
afterEach(() => test.close());

const outcome = async () => {
  const [row] = await test.database.read.select().from(checkouts).where(eq(checkouts.id, id));
  return row?.reason ?? row?.state;
};
const paid = () => wallet.told.filter((one) => one.startsWith('pay'));

/** The node is started again after it was killed, and runs for so long. */
async function startAgain(ms: number): Promise<void> {
  const { worker } = openProcess();
  await worker.start();
  await worker.stop();
  for (let left = ms; left >= 0; left -= 1_000) {
    await worker.runOnce();
    test.clock.advance(1_000);
  }
}

it('a payment that the wallet may have made when the node was killed is neither called failed nor made twice', async () => {
  const { worker } = openProcess();
  await worker.runOnce();
  wallet.answers.pay = () => new Promise(() => undefined);
  void worker.runOnce();
  await vi.waitFor(() => expect(paid()).toHaveLength(1));
  // The wallet has paid, and the node ends before it hears so. The quote pays no second time.
  wallet.answers.pay = async () => refuse('refused');
  await startAgain(3_000);
  expect(await outcome()).toBe('paying');
  await test.incomingPayments.complete(payment.id, null);
  await startAgain(60_000);
  expect(await outcome()).toBe('paid');
  expect(new Set(paid()).size).toBe(1);
});

it('a new quote is stored before the wallet is told to pay it', async () => {
  await test.database.write((tx) => tx.update(checkouts).set({ state: 'failed' }).where(eq(checkouts.id, id)));
  const { quote } = wallet.answers;
  const priced = async (nth: number, lifetime: number) => {
    const made = await quote();
    return made.ok
      ? { ...made, value: { ...made.value, id: `https://wallet.example/quotes/${nth}`, expiresAt: test.clock.now() + lifetime } }
      : made;
  };
  wallet.answers.quote = () => priced(1, 60_000);
  const { desk, worker } = openProcess();
  const begun = await desk.start({
    incomingPaymentId: payment.id,
    wallet: 'wallet.example/ann',
    network: '192.0.2.1',
    amount: undefined,
    visitor,
  });
  if (!begun.ok) throw new Error(begun.error);
  id = begun.value;
  await desk.comeBack(id, visitor, wallet.yes());
  await worker.runOnce();
  // The first quote still pays for three seconds, and the node asks for another one.
  test.clock.advance(57_000);
  wallet.answers.quote = () => priced(2, 600_000);
  wallet.answers.pay = () => new Promise(() => undefined);
  void worker.runOnce().then(() => worker.runOnce());
  await vi.waitFor(() => expect(paid()).toHaveLength(1));
  await Promise.race([startAgain(0), vi.waitFor(() => expect(paid()).toHaveLength(2))]);
  expect(new Set(paid())).toEqual(new Set(['pay https://wallet.example/quotes/2']));
});

it('a step is taken by one of two processes, and who comes too late stores nothing', async () => {
  const [one, other] = [openProcess().worker, openProcess().worker];
  const [answer, goOn] = [Promise.withResolvers<void>(), wallet.answers.continue];
  wallet.answers.continue = async () => {
    await answer.promise;
    return await goOn();
  };
  const first = one.runOnce();
  await vi.waitFor(() => expect(wallet.told).toEqual(['continue the-interact-ref']));
  await other.runOnce();
  expect(wallet.told).toEqual(['continue the-interact-ref']);
  // The first one is silent for so long that the other one takes over.
  test.clock.advance(60_000);
  const later = { continueUri: 'https://auth.wallet.example/continue/2', continueToken: 'another', waitSeconds: 5 };
  wallet.answers.continue = async () => ok({ state: 'pending', ...later });
  await other.runOnce();
  answer.resolve();
  await first;
  expect(await outcome()).toBe('returned');
});

it('a step that a replica takes is left to it, and is free when the replica is gone', async () => {
  const server = new ServerClock(test.database);
  const [here, there] = [server.replica('here'), server.replica('there')];
  for (const replica of [here, there]) await replica.join();
  const { worker: workerThere } = openProcess(there.id);
  const { worker: workerHere } = openProcess(here.id);
  await workerThere.runOnce();
  wallet.answers.pay = () => new Promise(() => undefined);
  void workerThere.runOnce();
  await vi.waitFor(() => expect(paid()).toHaveLength(1));
  await workerHere.start();
  await workerHere.stop();
  const claimOf = async () => (await test.database.read.select().from(checkouts).where(eq(checkouts.id, id)))[0];
  expect(await claimOf()).toMatchObject({ holder: there.id, claims: 2 });
  here.onGone(workerHere.release);
  server.now += 5_000;
  await here.look();
  expect(await claimOf()).toMatchObject({ holder: null, claims: 3 });
});
