import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { outgoingPayments } from '../tables.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import type { NewOutgoingPayment } from './funding.ts';
import { PaymentWorker } from './payment-worker.ts';

// A payment is claimed in the write that makes it (decisions.md#D-123).

const USD = { assetCode: 'USD', assetScale: 2 };
/** How many payments within the node a worker sends at a time. */
const PLACES = 64;

let node: Payments;
let payer: WalletAddress;
let shop: WalletAddress;
beforeEach(async () => {
  node = openPayments({ quiet: true });
  [payer, shop] = [await node.account('payer', 100_000n), await node.account('shop', 0n)];
});
afterEach(() => node.close());

/** Starts the worker, and waits for its first look. Before that it does not know who waits. */
async function start(): Promise<void> {
  await node.worker.start();
  await vi.waitFor(() => {
    const place = node.worker.keepPlace();
    place?.giveBack();
    expect(place).toBeDefined();
  });
}

async function pay(amount = 100n, more: Partial<NewOutgoingPayment> = {}) {
  const incoming = await node.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount: { value: amount, ...USD } });
  if (!incoming.ok) throw new Error(incoming.error);
  const incomingPayment = `${ORIGIN}/incoming-payments/${incoming.value.id}`;
  const wanted = { walletAddress: payer, right: null, incomingPayment, debitAmount: { value: amount, ...USD }, ...more };
  return await node.outgoingPayments.createFromIncomingPayment(wanted);
}
async function paid(...wanted: Parameters<typeof pay>) {
  const made = await pay(...wanted);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
const rowOf = async (id: string) => {
  const [found] = await node.database.read.select().from(outgoingPayments).where(eq(outgoingPayments.id, id));
  if (found === undefined) throw new Error('no payment');
  return found;
};
/** From here on no packet gets an answer before the worker stops. */
const silence = () =>
  vi
    .spyOn(node.network, 'send')
    .mockImplementation(
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ ended: 'interrupted' }))),
    );

it('a payment takes two writes: the one that makes it and claims it, and the one that moves its money', async () => {
  await start();
  const written = vi.spyOn(node.database, 'write');
  const made = await paid();
  expect(made).toMatchObject({ state: 'sending', attempt: 1, holder: expect.any(String), dueAt: node.clock.now() + 120_000 });
  expect(await node.finished(made.id)).toMatchObject({ state: 'completed', attempt: 1, sent: 100n });
  // One of them is the request for money.
  expect(written).toHaveBeenCalledTimes(3);
});

it('a worker that does not run claims nothing, and takes the payment when it starts', async () => {
  // A worker that is woken looks, also before it has started.
  const wake = vi.spyOn(node.worker, 'wake').mockImplementation(() => undefined);
  const made = await paid();
  wake.mockRestore();
  expect(made).toMatchObject({ state: 'funded', attempt: 0, holder: null, dueAt: node.clock.now() });
  await node.worker.start();
  expect(await node.finished(made.id)).toMatchObject({ state: 'completed', attempt: 1 });
  await node.worker.stop();
  expect(await paid()).toMatchObject({ state: 'funded' });
});

it('a payment that others change in the same write is claimed afterwards, as they have left it', async () => {
  await start();
  const send = silence();
  const { id } = await paid(100n, {
    inSameWrite: async (tx, payment) => {
      expect(payment).toMatchObject({ state: 'funded', holder: null });
      await tx
        .update(outgoingPayments)
        .set({ metadata: { changed: true } })
        .where(eq(outgoingPayments.id, payment.id));
    },
  });
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  expect(await rowOf(id)).toMatchObject({ state: 'sending', attempt: 1, metadata: { changed: true } });
});

it('without room a payment waits, and none that is made later overtakes it', async () => {
  await start();
  const answers: (() => void)[] = [];
  vi.spyOn(node.network, 'send').mockImplementation(
    () => new Promise((resolve) => void answers.push(() => resolve({ ended: 'refused', code: 'F00', refusal: 'receiver_closed' }))),
  );
  for (let n = 0; n < PLACES; n++) expect((await paid()).state).toBe('sending');
  const woken = vi.spyOn(node.worker, 'wake');
  const waiting = await paid();
  expect(waiting.state).toBe('funded');
  expect(woken).toHaveBeenCalled();
  await vi.waitFor(() => expect(answers).toHaveLength(PLACES));
  answers[0]?.();
  while (answers.length === PLACES) {
    expect(node.worker.keepPlace()).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await rowOf(waiting.id)).toMatchObject({ state: 'sending' });
  for (const answer of answers) answer();
});

it('no more places are kept than there are', async () => {
  await start();
  const places = Array.from({ length: PLACES + 1 }, () => node.worker.keepPlace());
  expect(places.filter((place) => place !== undefined)).toHaveLength(PLACES);
  for (const place of places) place?.giveBack();
  // The look that was asked for finds nobody who waits.
  await vi.waitFor(() => expect(node.worker.keepPlace()).toBeDefined(), { timeout: 5_000 });
});

it('what is refused, repeated or fails gives its place back', async () => {
  await start();
  const send = silence();
  const requestHash = 'a'.repeat(43);
  const first = await paid(100n, { requestHash });
  for (let n = 0; n < PLACES; n++) {
    expect(await pay(1_000_000n)).toEqual({ ok: false, error: { code: 'insufficient_balance' } });
    expect(await paid(100n, { requestHash })).toMatchObject({ id: first.id });
  }
  const write = node.database.write.bind(node.database);
  for (let n = 0; n < PLACES; n++) {
    let isPayment = false;
    vi.spyOn(node.database, 'write').mockImplementation(async (job, touches) => {
      // The request for money is written before the payment.
      if (isPayment) throw new Error('the disk is full');
      isPayment = true;
      return await write(job, touches);
    });
    await expect(pay()).rejects.toThrow('the disk is full');
    vi.mocked(node.database.write).mockRestore();
  }
  expect((await paid()).state).toBe('sending');
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
});

it('a payment whose process ends right after it was made goes on at the next start, under another attempt', async () => {
  await start();
  const send = silence();
  const { id } = await paid();
  await vi.waitFor(() => expect(send).toHaveBeenCalled());
  send.mockRestore();
  const next = new PaymentWorker({ ...node, log: { error: () => undefined, debug: () => undefined } as never });
  await next.start();
  expect(await node.finished(id)).toMatchObject({ state: 'completed', attempt: 3, sent: 100n });
  await next.stop();
});
