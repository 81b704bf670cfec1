import fc from 'fast-check';
import { deserializeIlpPrepare } from 'ilp-packet';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { amountTooLarge, type Reply, reject } from './packets.ts';
import type { SendTask } from './stream-sender.ts';
import { sendingTo } from './testing/answered-sender.ts';
import { JPY, NODE_ADDRESS, TestNetwork, turns, USD } from './testing/network.ts';

/** Answers of a test, each of which waits until the test gives it. */
function waiting(maxPacketAmount: bigint) {
  const network = new TestNetwork({ maxPacketAmount });
  network.clock.advance(systemClock.now() - network.clock.now());
  const open: { amount: string; give: (answer?: Reply) => void }[] = [];
  const { prepares, send } = sendingTo((bytes) => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const pass = () => network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
    open.push({ amount: deserializeIlpPrepare(bytes).amount, give: (answer) => resolve(answer ?? pass()) });
    return promise;
  }, maxPacketAmount);
  const begin = async (changes: Partial<SendTask>) => {
    const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
    return send({ destinationAddress: ilpAddress, sharedSecret, underWay: 16, ...changes });
  };
  /** Gives the oldest answers, and lets the sender go on. */
  const give = async (count: number, answer?: Reply) => {
    for (const { give } of open.splice(0, count)) {
      give(answer);
      await turns(5);
    }
  };
  return { network, open, prepares, begin, give };
}

describe('several packets of a payment that are under way at once', () => {
  it('begins with one, and lets one more leave for each that is fulfilled', async () => {
    const { network, open, begin, give } = waiting(10n);
    const sent = begin({ amount: 1_000n });
    const seen: number[] = [];
    for (let answers = 0; answers < 20; answers += 1) {
      await turns(5);
      seen.push(open.length);
      await give(1);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16]);
    while (open.length > 0) await give(open.length);
    expect(await sent).toEqual({ ended: 'sent' });
    expect(network.delivered).toBe(1_000n);
  });

  it('lets half as many leave after each temporary error, and ends with the last', async () => {
    const { open, begin, give } = waiting(10n);
    const sent = begin({ amount: 1_000n });
    for (let answers = 0; answers < 7; answers += 1) {
      await turns(5);
      await give(1);
    }
    expect(open).toHaveLength(8);
    const busy = reject(NODE_ADDRESS, 'T04', '');
    await give(1, busy);
    expect(open).toHaveLength(7);
    await give(4);
    // Four were under way, and the answers let eight be.
    expect(open).toHaveLength(8);
    await give(3, busy);
    await give(5);
    expect(open.length).toBeLessThan(8);
    for (let answers = 0; answers < 100 && open.length > 0; answers += 1) await give(1, busy);
    expect(await sent).toEqual({ ended: 'interrupted', code: 'T04' });
  });

  it('lets none leave after one is lost or refused, and waits for the others', async () => {
    for (const [answer, outcome] of [
      [
        { ...reject(NODE_ADDRESS, 'R00', ''), refusal: 'answer_lost' },
        { ended: 'interrupted', code: 'R00', refusal: 'answer_lost' },
      ],
      [reject(NODE_ADDRESS, 'F02', ''), { ended: 'refused', code: 'F02' }],
    ] as const) {
      const { network, open, prepares, begin, give } = waiting(10n);
      const sent = begin({ amount: 1_000n });
      let hasEnded = false;
      void sent.then(() => (hasEnded = true));
      for (let answers = 0; answers < 3; answers += 1) {
        await turns(5);
        await give(1);
      }
      const left = prepares.length;
      await give(1, answer);
      await give(2);
      expect([hasEnded, prepares.length, open.length]).toEqual([false, left, 1]);
      await give(1);
      expect(await sent).toEqual(outcome);
      expect(network.delivered).toBe(60n);
    }
  });

  it('learns from one how much the others may carry', async () => {
    const { network, open, begin, give } = waiting(100n);
    const sent = begin({ amount: 230n });
    await turns(5);
    await give(1, amountTooLarge(NODE_ADDRESS, 100n, 30n));
    const amounts: string[] = [];
    while (open.length > 0) {
      amounts.push(...open.map(({ amount }) => amount));
      await give(open.length);
    }
    expect(amounts.sort()).toEqual(['20', ...Array.from({ length: 7 }, () => '30')]);
    expect(await sent).toEqual({ ended: 'sent' });
    expect(network.delivered).toBe(230n);
  });

  it('takes no number of packets that it cannot send, and none above one for what this node exchanges', async () => {
    const { origins, send } = sendingTo(() => reject(NODE_ADDRESS, 'F00', ''));
    for (const underWay of [1, 2]) await send({ underWay, receiveAsset: JPY, price: { debit: 100n, receive: 91n } });
    expect(origins.map(({ conversion }) => conversion !== undefined)).toEqual([true, false]);
    for (const underWay of [0, 17, Number.NaN]) await expect(send({ underWay })).rejects.toThrow(RangeError);
    await expect(send({ underWay: 2, handover: { debit: 100n, receive: 91n } })).rejects.toThrow(RangeError);
  });

  it('delivers exactly what it says, whatever is answered when', async () => {
    const answers = fc.constantFrom('pass', 'pass', 'pass', 'T04', 'F99', 'F08', 'F08 without data');
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { maxLength: 40 }), fc.bigInt({ min: 1n, max: 900n }), async (list, amount) => {
        const { network, open, begin, give } = waiting(100n);
        const sent = begin({ amount });
        await turns(5);
        for (let answer = 0; open.length > 0; answer += 1) {
          const under = open.reduce((sum, packet) => sum + BigInt(packet.amount), 0n);
          expect(under + network.delivered).toBeLessThanOrEqual(amount);
          const what = list[answer] ?? 'pass';
          const received = BigInt(open[0]?.amount ?? 0);
          if (what === 'T04' || what === 'F99') await give(1, reject(NODE_ADDRESS, what, ''));
          else if (what === 'F08' && received > 1n) await give(1, amountTooLarge(NODE_ADDRESS, received, received - 1n));
          else if (what === 'F08 without data' && received > 1n) await give(1, reject(NODE_ADDRESS, 'F08', ''));
          else await give(1);
        }
        expect((await sent).ended === 'sent').toBe(network.delivered === amount);
      }),
      { numRuns: 100 },
    );
  });
});
