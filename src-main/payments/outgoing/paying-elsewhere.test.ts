import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assetKey } from '../../../src-shared/amounts.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { accountId } from '../../ledger/ledger.ts';
import { peers, sentPackets } from '../../peers/tables.ts';
import type { Fate } from '../testing/elsewhere.ts';
import { EUR, PEER, START, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { isFinal } from './outgoing-payment-rows.ts';

let world: TwoWorlds;
beforeEach(async () => {
  world = await TwoWorlds.open();
});
afterEach(() => world.close());
async function reopen(options: Parameters<typeof TwoWorlds.open>[0]) {
  await world.close();
  world = await TwoWorlds.open(options);
}

describe('a payment to another node', () => {
  it('is held, sent, posted and completed, and every book says so', async () => {
    const receiver = world.elsewhere.invoice(1_250n);
    const payment = await world.finished((await world.pay(receiver, 1_250n)).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 1_250n, delivered: 1_250n, held: 0n, packets: 1, failure: null });
    expect(world.elsewhere.of(receiver)).toMatchObject({ received: 1_250n, completed: true });
    expect(await world.books()).toEqual({ customer: 98_750n, escrow: 0n, peer: 1_250n, inFlight: 0n, taken: 1_250n });
    expect(await world.eventsOf(payment.id)).toEqual(['created', 'sending', 'sent', 'completed']);
  });

  describe('whose receiver was read for the price a moment ago', () => {
    /** @returns how often the receiver was looked at for the payment itself. */
    async function looks(): Promise<number> {
      const receiver = world.elsewhere.invoice(700n);
      const read = await world.elsewhere.get(receiver, { client: null, walletAddressId: world.buyerId });
      if (!read.ok) throw new Error(read.error);
      const taken: string[] = [];
      world.elsewhere.recent = (url) => (taken.push(url) === 1 ? read.value : undefined);
      let count = 0;
      world.elsewhere.onLook = ({ until }) => {
        if (until !== undefined) count += 1;
      };
      const payment = await world.finished((await world.pay(receiver, 700n)).id);
      expect(payment).toMatchObject({ state: 'completed', sent: 700n, delivered: 700n });
      expect(taken).toEqual([receiver]);
      const [packet] = await world.node.database.read.select().from(sentPackets);
      expect(packet?.receivedFromOthers).toBe(0n);
      return count;
    }

    it('looks at it no more when its peer recognises repetitions', async () => {
      expect(await looks()).toBe(0);
    });

    it('looks at it again when the count of the receiver decides over a lost answer', async () => {
      await reopen({ peer: { deduplicates: false } });
      expect(await looks()).toBe(1);
    });

    it('looks at it again for a second attempt', async () => {
      world.elsewhere.fate = (packet) => (packet === 0 ? 'unreachable' : 'pass');
      expect(await looks()).toBe(1);
    });
  });

  it('is durable before its bytes leave', async () => {
    const receiver = world.elsewhere.invoice(700n);
    const seen: unknown[] = [];
    world.elsewhere.onSend = async () => {
      const [packet] = await world.node.database.read.select().from(sentPackets);
      const [row] = await world.node.database.read.select().from(peers);
      seen.push([packet?.state, packet?.prepare === world.elsewhere.sent[0]?.bytes.toString('base64url'), row?.inFlight]);
    };
    await world.finished((await world.pay(receiver, 700n)).id);
    expect(seen).toEqual([['held', true, 700n]]);
  });

  it('gives each packet a second less to live, and sends none that has less than a second left', async () => {
    const receiver = world.elsewhere.invoice(700n);
    await world.finished((await world.pay(receiver, 700n)).id);
    expect(world.elsewhere.sent[0]?.prepare.expiresAt.getTime()).toBe(START + 29_000);
  });

  it('keeps to the largest packet its peer takes, and learns a smaller one further on', async () => {
    await reopen({ peer: { maxPacketAmount: 400n } });
    world.elsewhere.maxPacketAmount = 150n;
    const receiver = world.elsewhere.invoice(1_000n);
    expect(await world.finished((await world.pay(receiver, 1_000n)).id)).toMatchObject({ state: 'completed', sent: 1_000n });
    const amounts = world.elsewhere.sent.map(({ prepare }) => Number(prepare.amount));
    expect(Math.max(...amounts)).toBe(400);
    expect(amounts.slice(1).every((amount) => amount <= 150)).toBe(true);
    expect(await world.books()).toMatchObject({ customer: 99_000n, escrow: 0n, peer: 1_000n, inFlight: 0n, taken: 1_000n });
  });

  it('is exchanged by its own price, to the unit, in however many packets', async () => {
    await reopen({ asset: EUR, maxPacketAmount: 77n });
    await world.node.rates.set(rateOf('USD', 'EUR', '0.913', START));
    await world.node.exchangeAccounts
      .move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 5_000n, note: '' })
      .catch(() => undefined);
    const shop = await world.node.account('shop', 0n, 'EUR');
    await world.node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 5_000n, note: '' });
    expect(shop.assetCode).toBe('EUR');
    const receiver = world.elsewhere.invoice();
    const payment = await world.finished((await world.pay(receiver, 1_001n)).id);
    expect(payment).toMatchObject({ state: 'completed', sent: 1_001n, delivered: 913n });
    expect(payment.packets).toBeGreaterThan(10);
    expect(world.elsewhere.of(receiver).received).toBe(913n);
    expect(await world.balance(accountId('exchange', assetKey(USD)))).toBe(1_001n);
  });

  it('costs what was quoted when others exchange, and what a better rate brings stays in the exchange account', async () => {
    await reopen({ asset: EUR, peer: USD });
    world.elsewhere.exchange = (amount) => (amount * 90n) / 100n;
    const receiver = world.elsewhere.invoice(891n);
    const made = await world.pay(receiver, 1_000n);
    expect(made.receiveAmount).toBe(891n);
    expect(await world.finished(made.id)).toMatchObject({ state: 'completed', sent: 1_000n, delivered: 891n });
    // 990 of the 1,000 were enough.
    expect(world.elsewhere.taken).toBe(990n);
    expect(await world.balance(accountId('exchange', assetKey(USD)))).toBe(10n);
  });

  it('fails when the rate on the way gets worse than the price, and spends nothing', async () => {
    await reopen({ asset: EUR, peer: USD });
    world.elsewhere.exchange = (amount) => (amount * 90n) / 100n;
    const made = await world.pay(world.elsewhere.invoice(891n), 1_000n);
    world.elsewhere.exchange = (amount) => (amount * 80n) / 100n;
    expect(await world.finished(made.id)).toMatchObject({ state: 'failed', failure: 'rate_moved', sent: 0n, delivered: 0n });
    expect(await world.books()).toMatchObject({ customer: 100_000n, escrow: 0n, peer: 0n, inFlight: 0n });
  });
});

describe('a payment that gets no further', () => {
  const cases: [string, Fate, string][] = [
    ['the peer cannot be reached', 'unreachable', 'peer_unreachable'],
    ['the peer has no liquidity', { code: 'T04' }, 'path_liquidity'],
    ['the way is closed', { code: 'F02' }, 'no_route'],
    ['the peer refuses', { code: 'F00' }, 'refused'],
    ['the peer claims what it cannot prove', 'forged', 'bad_fulfilment'],
  ];
  it.each(cases)('fails because %s, and gives everything back', async (_name, fate, failure) => {
    const receiver = world.elsewhere.invoice(500n);
    world.elsewhere.fate = () => fate;
    const payment = await world.finished((await world.pay(receiver, 500n)).id);
    expect(payment).toMatchObject({ state: 'failed', failure, sent: 0n, held: 0n });
    expect(await world.books()).toEqual({ customer: 100_000n, escrow: 0n, peer: 0n, inFlight: 0n, taken: 0n });
  });

  it('tries six times, each later than the one before', async () => {
    world.elsewhere.fate = () => 'unreachable';
    const payment = await world.finished((await world.pay(world.elsewhere.invoice(500n), 500n)).id);
    expect(payment.attempt).toBe(6);
    expect(await world.eventsOf(payment.id)).toEqual([
      'created',
      ...Array.from({ length: 5 }, () => ['sending', 'retrying']).flat(),
      'sending',
      'failed',
    ]);
    expect(world.clock.now() - START).toBeGreaterThan(0.8 * 31_000);
  });

  it('fails without a route, without credit and without an open receiver', async () => {
    const { wing, elsewhere, node } = world;
    await node.worker.stop();
    const [first, second, third] = [
      await world.pay(elsewhere.invoice(5n), 5n),
      await world.pay(elsewhere.invoice(6n), 6n),
      await world.pay(elsewhere.invoice(7n), 7n),
    ];
    elsewhere.of(third.receiver).completed = true;
    await wing.registry.edit(PEER, { debtLimit: 5n });
    await world.restart();
    expect(await world.finished(first.id)).toMatchObject({ state: 'completed' });
    expect(await world.finished(second.id)).toMatchObject({ state: 'failed', failure: 'peer_credit' });
    expect(await world.finished(third.id)).toMatchObject({ state: 'failed', failure: 'receiver_closed' });
    const fourth = await world.pay(elsewhere.invoice(6n), 6n);
    await wing.registry.setState(PEER, 'paused');
    const ended = await world.finished(fourth.id);
    // The payment waited for the peer, as for one that cannot be reached, before it gave up.
    expect(['peer_unreachable', 'peer_credit']).toContain(ended.failure);
    expect(elsewhere.taken).toBe(5n);
  });

  it('never completes with an unreachable receiver', async () => {
    const receiver = world.elsewhere.invoice(500n);
    const made = await world.pay(receiver, 500n);
    world.elsewhere.readable = false;
    await world.restart();
    const payment = await world.finished(made.id);
    expect(['failed', 'completed']).toContain(payment.state);
    if (world.elsewhere.taken === 0n) expect(payment).toMatchObject({ state: 'failed', failure: 'receiver_unreachable' });
  });
});

describe('a payment over an unreliable way', () => {
  it('loses and makes no unit, because what is sent, delivered, received and owed is the same', async () => {
    await reopen({ maxPacketAmount: 150n });
    const fate = fc.constantFrom<Fate>(
      ...(['pass', 'pass', 'pass', 'unreachable', 'lose', 'mute', 'twice', 'garbage', 'no-data'] as const),
      ...[{ code: 'T00' }, { code: 'T04' }, { code: 'R00' }],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 30 }), fc.array(fc.nat(20), { maxLength: 3 }), async (way, restarts) => {
        const before = await world.books();
        world.fates(...way);
        const receiver = world.elsewhere.invoice(1_000n);
        let step = 0;
        const payment = await world.until((await world.pay(receiver, 1_000n)).id, async (current) => {
          step += 1;
          if (restarts.includes(step)) await world.restart();
          return isFinal(current);
        });
        const { received } = world.elsewhere.of(receiver);
        expect(payment).toMatchObject({
          sent: received,
          delivered: received,
          held: 0n,
          state: received === 1_000n ? 'completed' : 'failed',
        });
        expect(await world.books()).toEqual({
          ...{ customer: before.customer - received, escrow: 0n, inFlight: 0n },
          ...{ peer: before.peer + received, taken: before.taken + received },
        });
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
