import { expect, it, vi } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { PaymentWorker } from './payment-worker.ts';

const unused = () => Promise.reject(new Error('unused'));
const REMOTE = { get: unused, takeRecent: () => undefined };
const PLANS = { plan: unused, asksAgain: () => false, peerTo: () => undefined };

it('the payment worker only reads while nothing is due, woken or not', async () => {
  const { database, dispose } = openTestDatabase();
  const written = vi.spyOn(database, 'write');
  const worker = new PaymentWorker({
    ...{ database, clock: new ManualClock(0), log: createLogger('silent'), walletAddresses: { byId: async () => undefined } },
    ...{ network: { credentials: unused, send: unused }, remote: REMOTE, plans: PLANS, held: { askAbout: unused } },
  });
  await worker.start();
  // What an earlier run has left.
  expect(written).toHaveBeenCalledTimes(1);
  // The looks come once a second. Should one be late, it only has not written yet.
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(written).toHaveBeenCalledTimes(1);
  await worker.stop();
  await dispose();
});

it('the payment worker hears a wake-up at whatever moment it comes', async () => {
  const { database, idle, hear, dispose } = openTestDatabase();
  let looks = 0;
  const stopHearing = hear((sql) => {
    if (sql.startsWith('select "id" from "outgoing_payments"')) looks += 1;
  });
  const nobody = { credentials: () => Promise.reject(new Error('unused')), send: () => Promise.reject(new Error('unused')) };
  const worker = new PaymentWorker({
    database,
    network: nobody,
    walletAddresses: { byId: async () => undefined },
    remote: REMOTE,
    plans: PLANS,
    held: { askAbout: () => Promise.reject(new Error('unused')) },
    clock: new ManualClock(0),
    log: createLogger('silent'),
  });
  try {
    // A look is answered in a batch of writes. Code that made a payment in the same batch wakes the worker a few
    // microtasks later.
    for (let later = 0; later < 30; later++) {
      worker.wake();
      await database.write(() => Promise.resolve());
      for (let tick = 0; tick < later; tick++) await Promise.resolve();
      const before = looks;
      worker.wake();
      await idle(10);
      expect(looks, `woken ${later} microtasks after the batch`).toBeGreaterThan(before);
    }
  } finally {
    stopHearing();
    await worker.stop();
    await dispose();
  }
});
