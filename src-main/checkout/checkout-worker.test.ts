import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import type { Database } from '../platform/database/database.ts';
import { SlowReader } from '../platform/database/testing/slow-reader.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { CheckoutWorker } from './checkout-worker.ts';

let test: Payments;
beforeEach(() => {
  test = openPayments();
});
afterEach(() => test.close());

const unused = () => Promise.reject(new Error('unused'));

it('the checkout worker hears a wake-up in whatever turn its last look ends', async () => {
  const { clock, urls, walletAddresses } = test;
  for (let later = 0; later < 40; later += 1) {
    const slow = new SlowReader();
    const database: Database = {
      read: slow.read,
      readAside: slow.read,
      readAtOnce: unused,
      isBusy: false,
      stopped: undefined,
      notStored: undefined,
      onCommit: () => () => {},
      close: () => Promise.resolve(),
      giveBack: async () => false,
      isLogHeld: async () => false,
      rest: async () => {},
      usedBytes: async () => 0,
      write: unused,
    };
    const worker = new CheckoutWorker({
      ...{ database, clock, urls, walletAddresses },
      seal: new Seal(Buffer.alloc(32)),
      directory: { find: unused },
      paymentGrants: { request: unused, continue: unused, cancel: unused },
      reach: { anyBack: unused, whyNoPrice: unused },
      payments: { createQuote: unused, createOutgoingPayment: unused, getOutgoingPayment: unused },
      log: createLogger('silent'),
    });
    worker.wake();
    await turns(1);
    // While no attempt is under way, a look is one query.
    expect(slow.waiting).toBe(1);
    slow.answer();
    for (let tick = 0; tick < later; tick += 1) await Promise.resolve();
    worker.wake();
    await turns(1);
    expect(slow.waiting, `woken ${later} microtasks after the answer`).toBe(1);
    const stopped = worker.stop();
    slow.answer();
    await stopped;
  }
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
