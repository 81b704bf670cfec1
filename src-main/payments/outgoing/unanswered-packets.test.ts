import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peers } from '../../peers/tables.ts';
import type { Fate } from '../testing/elsewhere.ts';
import { START, TwoWorlds } from '../testing/two-worlds.ts';

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open();
});
afterEach(() => world.close());
async function reopen(options: Parameters<typeof TwoWorlds.open>[0]) {
  await world.close();
  world = await TwoWorlds.open(options);
}

describe('a packet without an answer', () => {
  it.each<Fate>(['lose', 'mute', 'garbage'])(
    'stays held after “%s”, and the very same bytes are sent again until there is one',
    async (fate) => {
      world.fates(fate, fate, 'lose');
      const receiver = world.elsewhere.invoice(500n);
      const payment = await world.finished((await world.pay(receiver, 500n)).id);
      expect(payment).toMatchObject({ state: 'completed', sent: 500n, delivered: 500n });
      const [first, ...again] = world.elsewhere.sent.map(({ bytes }) => bytes.toString('hex'));
      expect(new Set(again.slice(0, 3)).size).toBe(1);
      expect(again[0]).toBe(first);
      expect(await world.books()).toEqual({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n, taken: 500n });
    },
  );

  it('is not voided by a fault inside a peer that will know it later', async () => {
    world.fates('mute', { code: 'T00' });
    const payment = await world.finished((await world.pay(world.elsewhere.invoice(500n), 500n)).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 500n });
    expect(world.elsewhere.taken).toBe(500n);
  });

  it('is not voided because a repetition did not get through', async () => {
    world.fates('mute', 'unreachable', 'unreachable');
    const payment = await world.finished((await world.pay(world.elsewhere.invoice(500n), 500n)).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 500n });
    expect(world.elsewhere.taken).toBe(500n);
  });

  it('keeps its money held while the peer is silent, lets no other packet leave, and is booked when the peer answers', async () => {
    const receiver = world.elsewhere.invoice(500n);
    world.elsewhere.fate = (packet) => (packet === 0 ? 'mute' : 'lose');
    const made = await world.pay(receiver, 500n);
    const settling = await world.until(made.id, ({ state, fruitless }) => state === 'settling' && fruitless > 8);
    expect(settling).toMatchObject({ held: 500n, sent: 0n, failure: 'peer_unreachable' });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 500n, peer: 0n, inFlight: 500n });
    expect(new Set(world.elsewhere.sent.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1);
    world.elsewhere.fate = () => 'pass';
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n, failure: null });
    expect(await world.eventsOf(made.id)).toContain('settling');
  });

  it('gives the rest back once it is known that it did not arrive', async () => {
    world.elsewhere.fate = () => 'lose';
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ state }) => state === 'settling');
    // Until the packet has expired, it could still arrive.
    world.clock.advance(60_000);
    world.elsewhere.fate = () => 'pass';
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', failure: 'peer_unreachable', sent: 0n, held: 0n });
    expect(await world.books()).toEqual({ customer: 100_000n, escrow: 0n, peer: 0n, inFlight: 0n, taken: 0n });
  });

  it('is asked about first after a restart, before anything new leaves', async () => {
    await reopen({ maxPacketAmount: 100n });
    world.elsewhere.fate = (packet) => (packet === 2 ? 'mute' : 'pass');
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ held }) => held > 0n && world.elsewhere.sent.length > 2);
    // The packets that left together with the third one are answered before the node has stopped.
    await world.node.worker.stop();
    const before = world.elsewhere.sent.length;
    expect(await world.read(made.id)).toMatchObject({ held: 100n });
    await world.restart();
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 500n, delivered: 500n });
    const bytes = world.elsewhere.sent.map((packet) => packet.bytes.toString('hex'));
    expect(bytes[before]).toBe(bytes[2]);
    expect(world.elsewhere.taken).toBe(500n);
  });

  describe('whose peer has no memory, although its setting says so', () => {
    beforeEach(() => {
      world.elsewhere.deduplicates = false;
    });

    it('is not given back because the receiver is closed since: the operator is asked', async () => {
      world.fates('mute');
      const made = await world.pay(world.elsewhere.invoice(500n), 500n);
      expect(await world.until(made.id, ({ state }) => state === 'unknown' || state === 'failed')).toMatchObject({
        state: 'unknown',
        held: 500n,
      });
      expect(world.elsewhere.sent).toHaveLength(2);
      expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 500n, inFlight: 500n, taken: 500n });
    });

    it('is not given back because it has expired since', async () => {
      world.elsewhere.fate = (packet) => (packet === 0 ? 'mute' : 'lose');
      const made = await world.pay(world.elsewhere.invoice(), 500n);
      await world.until(made.id, ({ held }) => held > 0n);
      world.clock.advance(60_000);
      world.elsewhere.fate = () => 'pass';
      expect(await world.until(made.id, ({ state }) => state === 'unknown' || state === 'failed')).toMatchObject({
        state: 'unknown',
        held: 500n,
      });
    });

    it('waits while the receiver’s wallet says nothing, and is unknown after one look beyond the deadline', async () => {
      world.fates('mute');
      const made = await world.pay(world.elsewhere.invoice(500n), 500n);
      await world.until(made.id, ({ held }) => held > 0n);
      world.elsewhere.readable = false;
      const looks: number[] = [];
      world.elsewhere.onLook = () => void looks.push(world.clock.now());
      const ended = await world.until(made.id, ({ state }) => state === 'unknown');
      expect(ended).toMatchObject({ held: 500n });
      expect(looks.filter((at) => at < made.deadline).length).toBeGreaterThan(1);
      expect(looks.filter((at) => at >= made.deadline)).toHaveLength(1);
    });

    it('waits for five seconds at most each time that it asks the receiver’s wallet', async () => {
      world.fates('mute');
      const made = await world.pay(world.elsewhere.invoice(500n), 500n);
      await world.until(made.id, ({ held }) => held > 0n);
      const waits: number[] = [];
      world.elsewhere.readable = false;
      world.elsewhere.onLook = ({ until }) => {
        waits.push((until ?? Number.POSITIVE_INFINITY) - world.clock.now());
      };
      await world.until(made.id, ({ state }) => state === 'unknown');
      expect(waits.length).toBeGreaterThan(1);
      expect(Math.max(...waits)).toBe(5_000);
    });
  });

  it('is given back when the peer says that the receiver is closed, and the receiver has got nothing', async () => {
    world.fates('lose');
    const receiver = world.elsewhere.invoice(500n);
    const made = await world.pay(receiver, 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    world.elsewhere.of(receiver).completed = true;
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', held: 0n, sent: 0n });
    expect(await world.books()).toEqual({ customer: 100_000n, escrow: 0n, peer: 0n, inFlight: 0n, taken: 0n });
  });

  it('is given back when the peer says no and the receiver’s wallet does not know the receiver any more', async () => {
    world.fates('lose');
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    world.elsewhere.invoices.clear();
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', held: 0n });
  });

  it('is unknown after thirty days, and the node does not give its money back by itself', async () => {
    world.elsewhere.fate = () => 'lose';
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ state }) => state === 'settling');
    world.clock.advance(30 * 86_400_000);
    expect(await world.until(made.id, ({ state }) => state === 'unknown')).toMatchObject({ held: 500n });
    expect((await world.packets()).map(({ state }) => state)).toEqual(['unknown']);
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 500n, inFlight: 500n });
  });
});

describe('several packets that are under way at once', () => {
  const fates: readonly Fate[] = ['pass', 'pass', 'pass', 'lose', 'mute', 'twice', 'no-data', { code: 'T04' }, { code: 'R00' }];

  it.each([true, false])(
    'lose and make no unit, whatever happens to them; the peer recognises repetitions: %s',
    async (deduplicates) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...fates), { maxLength: 30 }),
          fc.bigInt({ min: 100n, max: 3_000n }),
          async (some, amount) => {
            // Such a peer pays a copy that arrives twice.
            const happens = deduplicates ? some : some.map((fate) => (fate === 'twice' ? 'pass' : fate));
            await reopen({ peer: { deduplicates }, maxPacketAmount: 100n, quiet: true });
            world.fates(...happens);
            const made = await world.pay(world.elsewhere.invoice(), amount);
            const payment = await world.until(made.id, ({ state }) => state === 'completed' || state === 'failed' || state === 'unknown');
            expect(payment.state).not.toBe('unknown');
            const books = await world.books();
            expect(books).toEqual({ customer: 100_000n - payment.sent, escrow: 0n, peer: payment.sent, inFlight: 0n, taken: payment.sent });
            expect(payment.state === 'completed').toBe(payment.sent === amount);
          },
        ),
        { numRuns: 25 },
      );
    },
    240_000,
  );

  it('are at most sixteen', async () => {
    await reopen({ maxPacketAmount: 100n, quiet: true });
    let [now, most] = [0, 0];
    world.elsewhere.onSend = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    expect(await world.finished((await world.pay(world.elsewhere.invoice(), 10_000n)).id)).toMatchObject({ state: 'completed' });
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('are asked about at the same time, because a silent peer is waited for', async () => {
    await reopen({ maxPacketAmount: 100n });
    world.fates('pass', 'mute', 'mute', 'pass', 'pass');
    const made = await world.pay(world.elsewhere.invoice(300n), 300n);
    await world.until(made.id, ({ held }) => held === 200n);
    let [now, most] = [0, 0];
    world.elsewhere.onSend = async () => {
      now += 1;
      most = Math.max(most, now);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 300n });
    expect(most).toBe(2);
  });

  it('are asked about before the node believes a peer that rejects a copy of one of them', async () => {
    await reopen({ maxPacketAmount: 100n });
    world.elsewhere.deduplicates = false;
    // The peer took both, and has no memory. It rejects a copy of the second, because the receiver is closed then.
    world.fates('pass', 'mute', 'mute', 'lose');
    const made = await world.pay(world.elsewhere.invoice(300n), 300n);
    expect(await world.until(made.id, ({ state }) => state === 'unknown' || state === 'failed')).toMatchObject({
      state: 'unknown',
      sent: 100n,
      held: 200n,
    });
  });
});

describe('a packet without an answer from a peer that takes repetitions for new packets', () => {
  beforeEach(() => reopen({ peer: { deduplicates: false } }));

  it('is never sent again, because what the receiver has got decides', async () => {
    world.fates('mute');
    const arrived = await world.finished((await world.pay(world.elsewhere.invoice(500n), 500n)).id);
    expect(arrived).toMatchObject({ state: 'completed', sent: 500n });
    expect(world.elsewhere.sent).toHaveLength(1);
    expect(world.clock.now()).toBeGreaterThanOrEqual(START + 39_000);
    expect(await world.books()).toMatchObject({ customer: 99_500n, peer: 500n, inFlight: 0n, taken: 500n });
  });

  it('did not arrive when the receiver has no more than before, and is sent anew', async () => {
    world.fates('lose');
    const receiver = world.elsewhere.invoice(500n, { received: 0n });
    expect(await world.finished((await world.pay(receiver, 500n)).id)).toMatchObject({ state: 'completed', sent: 500n });
    expect(world.elsewhere.sent).toHaveLength(2);
    expect(world.elsewhere.sent[0]?.bytes.equals(world.elsewhere.sent[1]?.bytes ?? Buffer.alloc(0))).toBe(false);
    expect(world.elsewhere.taken).toBe(500n);
  });

  it('is unknown when what the receiver has got can mean both, until the operator says', async () => {
    for (const [outcome, state] of [
      ['arrived', 'completed'],
      ['not_arrived', 'failed'],
    ] as const) {
      const packet = world.elsewhere.sent.length;
      world.elsewhere.fate = (n) => (n === packet ? 'lose' : 'pass');
      const receiver = world.elsewhere.invoice();
      const made = await world.pay(receiver, 500n);
      await world.until(made.id, ({ held }) => held > 0n);
      world.elsewhere.of(receiver).received += 700n;
      expect(await world.until(made.id, (payment) => payment.state === 'unknown')).toMatchObject({ held: 500n, sent: 0n });
      await world.restart();
      expect(await world.read(made.id)).toMatchObject({ state: 'unknown', held: 500n });
      expect(await world.node.unknownPayments.resolve(made.id, outcome)).toEqual({ ok: true, value: undefined });
      expect(await world.read(made.id)).toMatchObject({ state, held: 0n, sent: outcome === 'arrived' ? 500n : 0n });
      expect(await world.node.unknownPayments.resolve(made.id, outcome)).toEqual({ ok: false, error: 'not_unknown' });
      expect((await world.eventsOf(made.id)).slice(-3)).toEqual(
        outcome === 'arrived' ? ['resolved', 'sent', 'completed'] : ['unknown', 'resolved', 'failed'],
      );
    }
    expect(await world.node.unknownPayments.resolve(randomUUID(), 'arrived')).toEqual({ ok: false, error: 'not_found' });
    expect(await world.books()).toMatchObject({ customer: 99_500n, escrow: 0n, peer: 500n, inFlight: 0n });
  });

  it.each([
    ['before it left', 3],
    ['after it had left', 4],
  ])('is unknown when the receiver’s count has fallen behind what it had said, %s', async (_, packet) => {
    await reopen({ peer: { deduplicates: false }, maxPacketAmount: 100n });
    const receiver = world.elsewhere.invoice();
    world.elsewhere.onSend = () => {
      if (world.elsewhere.sent.length === packet) world.elsewhere.tells = () => 0n;
    };
    // The second attempt begins with what the count says then.
    world.elsewhere.fate = (n) => (n === 1 || n === 2 ? { code: 'T04' } : n === 3 ? 'mute' : 'pass');
    const made = await world.pay(receiver, 500n);
    expect(await world.until(made.id, ({ state }) => state === 'unknown')).toMatchObject({ held: 100n, sent: 100n });
    expect(world.elsewhere.sent).toHaveLength(4);
  });

  it('is told from others that were under way with it, by what the receiver has got in all', async () => {
    await reopen({ peer: { deduplicates: false }, maxPacketAmount: 100n });
    world.fates('pass', 'mute', 'lose', 'mute');
    const made = await world.pay(world.elsewhere.invoice(550n), 550n);
    const asked = await world.until(made.id, ({ held }) => held > 100n);
    expect(asked.sent + asked.held).toBeLessThan(550n);
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 550n });
    expect(await world.books()).toMatchObject({ customer: 99_450n, escrow: 0n, inFlight: 0n, peer: 550n, taken: 550n });
  });

  it('is unknown when others were under way with it, and somebody else paid the receiver', async () => {
    await reopen({ peer: { deduplicates: false }, maxPacketAmount: 100n });
    world.fates('pass', 'lose', 'mute');
    const receiver = world.elsewhere.invoice();
    const made = await world.pay(receiver, 300n);
    await world.until(made.id, ({ held }) => held === 200n);
    world.elsewhere.of(receiver).received += 7n;
    expect(await world.until(made.id, ({ state }) => state === 'unknown')).toMatchObject({ sent: 100n, held: 200n });
  });

  it('is unknown when two payments of this node went to one receiver at the same time', async () => {
    world.elsewhere.fate = (packet) => (packet < 2 ? (packet === 0 ? 'mute' : 'lose') : 'pass');
    const receiver = world.elsewhere.invoice();
    const both = [await world.pay(receiver, 500n), await world.pay(receiver, 500n)];
    for (const { id } of both) await world.until(id, ({ state }) => state === 'unknown' || state === 'completed');
    const states = await Promise.all(both.map(async ({ id }) => (await world.read(id)).state));
    expect(states).toContain('unknown');
    expect(states.filter((state) => state === 'completed').length * 500).toBeLessThanOrEqual(Number(world.elsewhere.taken));
  });

  it('is unknown when the receiver’s wallet says nothing any more', async () => {
    world.fates('mute');
    const made = await world.pay(world.elsewhere.invoice(500n), 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    world.elsewhere.readable = false;
    expect(await world.until(made.id, ({ state }) => state === 'unknown')).toMatchObject({ held: 500n });
  });

  it.each([
    ['long after it has left', 600_000],
    ['soon after it has left', 20_000],
  ])('is looked for until the deadline of its payment and no longer, which is %s', async (_, lifetime) => {
    world.fates('mute');
    const made = await world.pay(world.elsewhere.invoice(500n, { expiresAt: START + lifetime }), 500n);
    const { deadline } = await world.until(made.id, ({ held }) => held > 0n);
    const looks: (number | undefined)[] = [];
    world.elsewhere.readable = false;
    world.elsewhere.onLook = ({ until }) => {
      looks.push(until);
      // The receiver takes all the time that it is given, and half a day when it is given no end.
      world.clock.advance((until ?? world.clock.now() + 43_200_000) - world.clock.now());
    };
    await world.until(made.id, ({ state }) => state === 'unknown');
    expect(looks).toEqual(Array.from(looks, () => deadline));
    expect(looks).not.toEqual([]);
    expect(world.clock.now()).toBe(deadline);
  });

  it('never leaves when it could not be looked for before the deadline', async () => {
    const made = await world.pay(world.elsewhere.invoice(500n, { expiresAt: START + 15_500 }), 500n);
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', sent: 0n, held: 0n });
    expect(world.elsewhere.sent).toEqual([]);
    expect(await world.books()).toMatchObject({ customer: 100_000n, escrow: 0n });
  });

  it('is not looked for when it left in the belief that the peer could be asked again, and the deadline is over', async () => {
    await reopen({});
    world.fates('mute');
    const made = await world.pay(world.elsewhere.invoice(500n, { expiresAt: START + 20_000 }), 500n);
    await world.until(made.id, ({ held }) => held > 0n);
    await world.node.database.write((tx) => tx.update(peers).set({ deduplicates: false }));
    let looks = 0;
    world.elsewhere.onLook = () => {
      looks += 1;
    };
    expect(await world.until(made.id, ({ state }) => state === 'unknown')).toMatchObject({ held: 500n });
    expect(looks).toBe(0);
  });
});
