import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { START, TwoWorlds } from '../testing/two-worlds.ts';
import { isFinal, type OutgoingPayment } from './outgoing-payment-rows.ts';

const MINUTE = 60_000;
const NIGHT = 10 * 60 * MINUTE;

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open({ quiet: true });
});
afterEach(() => world.close());

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Ways in which the node does not run. */
const SLEEPS: Record<string, (ms: number) => Promise<void>> = {
  'sleeps, and both clocks go on': async (ms) => world.clock.advance(ms),
  'sleeps, and one clock stands still': async (ms) => world.clock.jump(ms),
  'is off': async (ms) => {
    await world.node.worker.stop();
    world.clock.advance(ms);
    await world.restart();
  },
};

describe.each(Object.entries(SLEEPS))('a node that %s', (_, sleep) => {
  it.each([10 * MINUTE, NIGHT])('carries a payment that waits for its next attempt to its end, after %i ms', async (ms) => {
    world.fates({ code: 'T04' });
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ state }) => state === 'retrying');
    await sleep(ms);
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n, taken: 500n });
  });

  it('pays nothing twice when it slept while a packet was on its way, and the answer was lost', async () => {
    world.fates('mute');
    const under = Promise.withResolvers<void>();
    world.elsewhere.onSend = () => (world.elsewhere.sent.length === 1 ? under.promise : undefined);
    const made = await world.pay(world.elsewhere.invoice(), 500n);
    while (world.elsewhere.sent.length === 0) await turns(1);
    under.resolve();
    // Nobody has read the answer when the node falls asleep, or is stopped.
    await sleep(11 * MINUTE);
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n, taken: 500n });
  });

  it('carries a payment to its end of which a part has been paid', async () => {
    await world.close();
    world = await TwoWorlds.open({ quiet: true, maxPacketAmount: 100n });
    const under = Promise.withResolvers<void>();
    world.elsewhere.onSend = () => (world.elsewhere.sent.length === 3 ? under.promise : undefined);
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    while (world.elsewhere.sent.length < 3) await turns(1);
    under.resolve();
    await sleep(NIGHT);
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n, taken: 500n });
  });

  it('gives the money back when the receiver has expired meanwhile', async () => {
    world.fates({ code: 'T04' });
    const made = await world.pay(world.elsewhere.invoice(500n, { expiresAt: START + 5 * MINUTE }), 500n);
    await world.until(made.id, ({ state }) => state === 'retrying');
    const before = world.elsewhere.sent.length;
    await sleep(10 * MINUTE);
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', failure: 'receiver_closed', sent: 0n });
    // It does not even try.
    expect(world.elsewhere.sent).toHaveLength(before);
    expect(await world.books()).toMatchObject({ customer: 100_000n, escrow: 0n, taken: 0n });
  });
});

it('a receiver that has expired meanwhile gets nothing, although its wallet does not know yet that it has', async () => {
  world.elsewhere.behindMs = 10 * MINUTE;
  world.fates({ code: 'T04' });
  const made = await world.pay(world.elsewhere.invoice(500n, { expiresAt: START + 5 * MINUTE }), 500n);
  await world.until(made.id, ({ state }) => state === 'retrying');
  world.clock.advance(10 * MINUTE);
  expect(await world.finished(made.id)).toMatchObject({ state: 'failed', failure: 'receiver_closed', sent: 0n });
  expect(await world.books()).toMatchObject({ customer: 100_000n, escrow: 0n, taken: 0n });
});

it('an attempt that wakes up first gives its payment the time that it slept', async () => {
  world.elsewhere.onSend = () => {
    if (world.elsewhere.sent.length === 1) world.clock.advance(NIGHT);
  };
  world.fates({ code: 'T04' }, { code: 'T04' });
  const made = await world.pay(world.elsewhere.invoice(500n), 500n);
  expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n, attempt: 3 });
});

describe('the deadline of a payment', () => {
  /** Lets the node run for so long. Whenever the payment is due, it gets its attempt before time goes on. */
  async function run({ id }: OutgoingPayment, ms: number): Promise<OutgoingPayment> {
    const end = world.clock.now() + ms;
    const waits = (payment: OutgoingPayment) => isFinal(payment) || (payment.state === 'retrying' && payment.dueAt > world.clock.now());
    for (;;) {
      let payment = await world.read(id);
      while (!waits(payment)) {
        world.node.worker.wake();
        await turns(1);
        payment = await world.read(id);
      }
      if (isFinal(payment) || world.clock.now() >= end) return payment;
      world.clock.advance(Math.min(payment.dueAt, end) - world.clock.now());
    }
  }

  it('ends a payment that gets no further in ten minutes in which the node runs, however long it slept between', async () => {
    await world.close();
    world = await TwoWorlds.open({ quiet: true, maxPacketAmount: 1n });
    // A unit moves often enough that the attempts do not count as fruitless.
    world.elsewhere.fate = (packet) => (packet % 6 === 0 ? 'pass' : { code: 'T04' });
    const made = await world.pay(world.elsewhere.invoice(), 5_000n);
    expect(await run(made, 5 * MINUTE)).toMatchObject({ failure: null });
    world.clock.advance(NIGHT);
    expect(await run(made, 4 * MINUTE)).toMatchObject({ failure: null });
    expect(await run(made, 2 * MINUTE)).toMatchObject({ state: 'failed', failure: 'out_of_time' });
  });

  it('is no later than ten minutes from now when the clock was ahead and is put right', async () => {
    world.clock.jump(NIGHT);
    world.elsewhere.fate = () => ({ code: 'T04' });
    const made = await world.pay(world.elsewhere.invoice(), 500n);
    const before = await world.until(made.id, ({ state }) => state === 'retrying');
    world.clock.jump(-NIGHT);
    let after = before;
    while (after.attempt === before.attempt) {
      world.node.worker.wake();
      await turns(1);
      after = await world.read(made.id);
    }
    expect(after.deadline).toBeLessThanOrEqual(world.clock.now() + 10 * MINUTE);
  });
});
