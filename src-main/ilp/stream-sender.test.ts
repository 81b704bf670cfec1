import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { deserializeIlpFulfill, deserializeIlpPrepare, serializeIlpFulfill } from 'ilp-packet';
import { encrypt } from 'ilp-protocol-stream/dist/src/crypto.js';
import {
  ConnectionCloseFrame,
  ErrorCode,
  type Frame,
  IlpPacketType,
  Packet,
  StreamCloseFrame,
  StreamDataFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { ok, refuse } from '../platform/result.ts';
import { amountTooLarge, reject } from './packets.ts';
import { sendingTo } from './testing/answered-sender.ts';
import { JPY, NODE_ADDRESS, remains, TestNetwork, turns, USD } from './testing/network.ts';

const passed = vi.hoisted((): string[] => []);
vi.mock('../platform/fail-points.ts', () => ({ failPoint: (point: string) => passed.push(point) }));

/** What a receiver writes into its REJECT of a connection's first packet. */
async function answerData(sharedSecret: Buffer, frames: Frame[]): Promise<Buffer> {
  const key = createHmac('sha256', sharedSecret).update('ilp_stream_encryption').digest();
  return await encrypt(key, new Packet(1, IlpPacketType.Reject, 0, frames)._serialize());
}

describe('stream sender', () => {
  it('pays a small amount in one packet, which goes through the connector', async () => {
    const network = new TestNetwork();
    expect(await network.send(100n)).toEqual({ ended: 'sent' });
    await turns(10);
    expect(network.exchanged).toHaveLength(1);
    expect(network.arrived).toMatchObject([{ amount: 100n, sender: { outgoingPaymentId: 'payment-1', attempt: 1 } }]);
  });

  it('pays the largest amount that can move, to the unit', async () => {
    const network = new TestNetwork();
    expect(await network.send(2n ** 63n - 1n)).toEqual({ ended: 'sent' });
    expect(network.delivered).toBe(2n ** 63n - 1n);
  });

  it('splits an amount by the connector’s maximum, and sends no packet that is too large', async () => {
    const network = new TestNetwork({ maxPacketAmount: 30n });
    expect(await network.send(100n)).toEqual({ ended: 'sent' });
    expect(network.arrived.map(({ amount }) => amount)).toEqual([30n, 30n, 30n, 10n]);
    expect(network.exchanged).toHaveLength(4);
  });

  it('delivers exactly what was asked for, whatever the amounts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), fc.bigInt({ min: 1n, max: 12n }), async (amount, packets) => {
        const network = new TestNetwork({ maxPacketAmount: (amount + packets - 1n) / packets });
        expect(await network.send(amount)).toEqual({ ended: 'sent' });
        expect(network.delivered).toBe(amount);
      }),
    );
  });

  it('delivers the whole price to another asset, in any number of packets', async () => {
    const network = new TestNetwork({ maxPacketAmount: 7n });
    const price = { debit: 100n, receive: 91n };
    expect(await network.send(100n, { price }, JPY)).toEqual({ ended: 'sent' });
    expect(network.arrived).toHaveLength(15);
    expect(network.delivered).toBe(91n);
  });

  it('delivers to a coarser asset even where a packet brings no whole unit', async () => {
    const network = new TestNetwork({ maxPacketAmount: 10n });
    expect(await network.send(250n, { price: { debit: 250n, receive: 2n } }, JPY)).toEqual({ ended: 'sent' });
    expect(network.arrived.reduce((sum, { sourceAmount }) => sum + sourceAmount, 0n)).toBe(250n);
    expect(network.delivered).toBe(2n);
  });

  it('continues the rounding of an earlier attempt', async () => {
    const network = new TestNetwork();
    await network.send(667n, { price: { debit: 1_000n, receive: 913n }, moved: { sent: 333n, delivered: 304n } }, JPY);
    expect(network.delivered).toBe(913n - 304n);
  });

  it('passes the fail points around the FULFILL, and only with money', async () => {
    const network = new TestNetwork({ maxPacketAmount: 50n });
    passed.length = 0;
    network.accept = () => {
      passed.push('moved');
      return Promise.resolve(ok(undefined));
    };
    await network.send(100n);
    expect(passed).toEqual(['moved', 'before-fulfil', 'after-fulfil', 'moved', 'before-fulfil', 'after-fulfil']);
  });

  it('says what the ledger refused, at once', async () => {
    const network = new TestNetwork();
    network.accept = () => Promise.resolve(refuse('receiver_closed'));
    expect(await network.send(100n)).toEqual({ ended: 'refused', code: 'F02', refusal: 'receiver_closed' });
    network.accept = () => Promise.resolve(refuse('insufficient'));
    expect(await network.send(100n)).toEqual({ ended: 'interrupted', code: 'T04', refusal: 'insufficient' });
    network.accept = () => Promise.reject(new Error('broken'));
    expect(await network.send(100n)).toEqual({ ended: 'interrupted', code: 'T00' });
    await turns(10);
    expect(network.exchanged).toHaveLength(3);
  });

  it('takes no amount that cannot move and no price of nothing', async () => {
    const { prepares, send } = sendingTo(() => reject(NODE_ADDRESS, 'F00', ''));
    for (const amount of [0n, -1n, 2n ** 63n]) await expect(send({ amount })).rejects.toThrow(RangeError);
    await expect(send({ price: { debit: 1n, receive: 0n } })).rejects.toThrow(RangeError);
    expect(prepares).toEqual([]);
  });

  it('sends nothing without the shared secret', async () => {
    const network = new TestNetwork();
    expect(await network.send(100n, { sharedSecret: Buffer.alloc(32, 3) })).toEqual({ ended: 'refused', code: 'F06' });
    expect(network.arrived).toEqual([]);
  });

  it('sends 32 payments at a time without mixing them up', async () => {
    const network = new TestNetwork({ maxPacketAmount: 40n });
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, (_, n) => network.send(100n + BigInt(n), { sender: { outgoingPaymentId: `payment-${n}`, attempt: 1 } })),
    );
    expect(outcomes).toEqual(Array.from({ length: 32 }, () => ({ ended: 'sent' })));
    const sums = new Map<string, bigint>();
    for (const { sender, amount } of network.arrived) {
      sums.set(sender.outgoingPaymentId, (sums.get(sender.outgoingPaymentId) ?? 0n) + amount);
    }
    expect([...sums].every(([id, sum]) => sum === 100n + BigInt(id.slice('payment-'.length)))).toBe(true);
    expect(sums.size).toBe(32);
  });

  describe('against what the library would do (protocol-notes.md#PN-32)', () => {
    it('#3 outlives errors of its stream and connection', async () => {
      const uncaught: unknown[] = [];
      const watch = (error: unknown): number => uncaught.push(error);
      process.on('uncaughtException', watch);
      process.on('unhandledRejection', watch);
      const gone = sendingTo(() => Promise.reject(new Error('connector gone')));
      expect(await gone.send()).toEqual({ ended: 'interrupted' });
      const sharedSecret = Buffer.alloc(32, 4);
      const closed = await answerData(sharedSecret, [new StreamCloseFrame(1, ErrorCode.ApplicationError, 'boom')]);
      const closing = sendingTo(() => reject(NODE_ADDRESS, 'F99', '', closed));
      expect(await closing.send({ sharedSecret })).toEqual({ ended: 'interrupted' });
      const lost = await answerData(sharedSecret, [new ConnectionCloseFrame(ErrorCode.InternalError, 'boom')]);
      const losing = sendingTo(() => reject(NODE_ADDRESS, 'F99', '', lost));
      expect(await losing.send({ sharedSecret })).toEqual({ ended: 'interrupted' });
      await turns(10);
      process.off('uncaughtException', watch);
      process.off('unhandledRejection', watch);
      expect(uncaught).toEqual([]);
    });

    it('#4 ends a hot loop of F99 after five packets', async () => {
      const { prepares, send } = sendingTo(() => reject(NODE_ADDRESS, 'F99', ''));
      expect(await send()).toEqual({ ended: 'interrupted', code: 'F99' });
      await turns(10);
      expect(prepares).toHaveLength(5);
    });

    it('#4 is not led down unit by unit by F08', async () => {
      const { prepares, send } = sendingTo(() => amountTooLarge(NODE_ADDRESS, 2n ** 63n, 2n ** 63n - 1n));
      expect(await send({ amount: 900_000n })).toEqual({ ended: 'interrupted', code: 'F08' });
      await turns(10);
      expect(prepares).toHaveLength(64);
    });

    it('#4 counts only F99 in a row', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      const { prepares, send } = sendingTo(async (bytes, count) => {
        if (count % 3 !== 0) return reject(NODE_ADDRESS, 'F99', '');
        return await network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
      }, 10n);
      const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      network.clock.advance(systemClock.now() - network.clock.now());
      expect(await send({ destinationAddress: ilpAddress, sharedSecret })).toEqual({ ended: 'sent' });
      expect(prepares).toHaveLength(30);
    });

    it('#4 gives up after three packets that bring less than the price promises', async () => {
      const sharedSecret = Buffer.alloc(32, 4);
      const answer = async (arrived: string) => {
        let sequence = 0;
        const { prepares, send } = sendingTo(async () => {
          sequence += 1;
          const key = createHmac('sha256', sharedSecret).update('ilp_stream_encryption').digest();
          const data = await encrypt(key, new Packet(sequence, IlpPacketType.Reject, arrived, [])._serialize());
          return reject(NODE_ADDRESS, 'F99', '', data);
        });
        const outcome = await send({ sharedSecret, price: { debit: 100n, receive: 91n } });
        return { outcome, packets: prepares.length };
      };
      expect(await answer('90')).toEqual({ outcome: { ended: 'refused', code: 'F99', refusal: 'rate_moved' }, packets: 3 });
      expect(await answer('91')).toEqual({ outcome: { ended: 'interrupted', code: 'F99' }, packets: 5 });
    });

    it('#4 counts only packets in a row that bring too little', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      network.clock.advance(systemClock.now() - network.clock.now());
      const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      const key = createHmac('sha256', sharedSecret).update('ilp_stream_encryption').digest();
      const { prepares, send } = sendingTo(async (bytes, count) => {
        if (count % 3 === 0)
          return await network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
        return reject(NODE_ADDRESS, 'F99', '', await encrypt(key, new Packet(count % 3, IlpPacketType.Reject, 9, [])._serialize()));
      }, 10n);
      expect(await send({ destinationAddress: ilpAddress, sharedSecret })).toEqual({ ended: 'sent' });
      expect(prepares).toHaveLength(30);
    });

    it.each(['T00', 'T04', 'T05', 'R00', 'R02'])('#5 gives %s back at once instead of waiting by itself', async (code) => {
      const { prepares, send } = sendingTo(() => reject(NODE_ADDRESS, code, ''));
      expect(await send()).toEqual({ ended: 'interrupted', code });
      await turns(10);
      expect(prepares).toHaveLength(1);
    });

    it('#5 sends nothing after an abort, and waits for the packet under way', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      const stop = new AbortController();
      network.accept = async () => {
        if (network.arrived.length === 3) stop.abort();
        await turns(3);
        return ok(undefined);
      };
      expect(await network.send(100n, { signal: stop.signal })).toEqual({ ended: 'aborted' });
      await turns(10);
      expect(network.exchanged.map(({ reply }) => reply.fulfilled)).toEqual([true, true, true]);
      expect(await network.send(100n, { signal: stop.signal })).toEqual({ ended: 'aborted' });
      expect(network.exchanged).toHaveLength(3);
    });

    it('#5 has sent everything when the abort comes with the last packet', async () => {
      const network = new TestNetwork();
      const stop = new AbortController();
      network.accept = () => {
        stop.abort();
        return Promise.resolve(ok(undefined));
      };
      expect(await network.send(100n, { signal: stop.signal })).toEqual({ ended: 'sent' });
    });

    it('#5 sends nothing after the library has given the connection up', async () => {
      const sharedSecret = Buffer.alloc(32, 4);
      const data = await answerData(sharedSecret, [new StreamDataFrame(1, 1_000_000, Buffer.from('beyond every window'))]);
      const { prepares, send } = sendingTo(() => reject(NODE_ADDRESS, 'F99', '', data));
      expect(await send({ sharedSecret })).toEqual({ ended: 'interrupted' });
      await turns(10);
      expect(prepares).toHaveLength(1);
    });

    it('#5 sends nothing after the deadline', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      network.accept = () => {
        network.clock.advance(20_000);
        return Promise.resolve(ok(undefined));
      };
      expect(await network.send(100n)).toEqual({ ended: 'deadline' });
      expect(network.arrived).toHaveLength(3);
    });

    it('#5 goes on when somebody puts the clock forward', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      network.accept = () => {
        if (network.arrived.length === 1) network.clock.jump(7_200_000);
        return Promise.resolve(ok(undefined));
      };
      expect(await network.send(100n)).toEqual({ ended: 'sent' });
    });

    it('#6 keeps to the maximum although the rate is fixed, and learns a smaller one from F08', async () => {
      const network = new TestNetwork({ maxPacketAmount: 30n });
      const { prepares, send } = sendingTo(
        (bytes) => network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD }),
        80n,
      );
      network.clock.advance(systemClock.now() - network.clock.now());
      const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      expect(await send({ destinationAddress: ilpAddress, sharedSecret })).toEqual({ ended: 'sent' });
      expect(prepares.map((bytes) => deserializeIlpPrepare(bytes).amount)).toEqual(['80', '30', '30', '30', '10']);
    });

    it('#7 knows that money was fulfilled although STREAM’s data is missing or unreadable', async () => {
      const network = new TestNetwork();
      network.clock.advance(systemClock.now() - network.clock.now());
      const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      for (const data of [Buffer.alloc(0), Buffer.alloc(60, 1)]) {
        const { send } = sendingTo(async (bytes) => {
          const reply = await network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
          if (!reply.fulfilled) return reply;
          const { fulfillment } = deserializeIlpFulfill(reply.bytes);
          return { ...reply, bytes: serializeIlpFulfill({ fulfillment, data }) };
        });
        expect(await send({ destinationAddress: ilpAddress, sharedSecret })).toEqual({ ended: 'sent' });
      }
      expect(network.delivered).toBe(200n);
    });

    it('#9 keeps no connection, stream or timer, so that 2,000 payments leave nothing behind', async () => {
      const network = new TestNetwork();
      const before = remains();
      for (let n = 0; n < 2_000; n += 50) await Promise.all(Array.from({ length: 50 }, () => network.send(100n)));
      await turns(2);
      expect(network.arrived).toHaveLength(2_000);
      const after = remains();
      expect(after.connections).toBeLessThanOrEqual(before.connections);
      expect(after.streams).toBeLessThanOrEqual(before.streams);
      expect(after.timers).toBeLessThanOrEqual(before.timers);
    }, 120_000);

    it('#10 makes a new condition for the same money in a new attempt', async () => {
      const network = new TestNetwork();
      await network.send(100n);
      await network.send(100n, { sender: { outgoingPaymentId: 'payment-1', attempt: 2 } });
      const conditions = network.arrived.map(({ condition }) => condition.toString('hex'));
      expect(new Set(conditions).size).toBe(2);
    });

    it('#12 sends no probes', async () => {
      const network = new TestNetwork();
      await network.send(100n, { price: { debit: 100n, receive: 91n } }, JPY);
      expect(network.exchanged.map(({ bytes }) => deserializeIlpPrepare(bytes).amount)).toEqual(['100']);
    });
  });
});
