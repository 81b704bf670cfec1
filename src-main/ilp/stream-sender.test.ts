import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { deserializeIlpFulfill, deserializeIlpPrepare, serializeIlpFulfill, serializeIlpPrepare } from 'ilp-packet';
import type { DataAndMoneyStream } from 'ilp-protocol-stream';
import { encrypt } from 'ilp-protocol-stream/dist/src/crypto.js';
import {
  ConnectionCloseFrame,
  ErrorCode,
  type Frame,
  IlpPacketType,
  Packet,
  StreamCloseFrame,
  StreamDataFrame,
  StreamMaxMoneyFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { ok, refuse } from '../platform/result.ts';
import { amountTooLarge, type Reply, reject } from './packets.ts';
import { sendingTo } from './testing/answered-sender.ts';
import { libraryServer } from './testing/library-server.ts';
import { JPY, NODE_ADDRESS, remains, TestNetwork, turns, USD } from './testing/network.ts';

const passed = vi.hoisted((): string[] => []);
vi.mock('../platform/fail-points.ts', () => ({ failPoint: (point: string) => passed.push(point) }));

/** Makes an F99 for the `sequence`th packet of an attempt, in which the receiver says what arrived and what follows. */
async function declined(sharedSecret: Buffer, sequence: number, arrived: number, frames: Frame[] = []): Promise<Reply> {
  const key = createHmac('sha256', sharedSecret).update('ilp_stream_encryption').digest();
  return reject(NODE_ADDRESS, 'F99', '', await encrypt(key, new Packet(sequence, IlpPacketType.Reject, arrived, frames)._serialize()));
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
      for (const close of [
        new StreamCloseFrame(1, ErrorCode.ApplicationError, 'boom'),
        new StreamCloseFrame(1, ErrorCode.NoError, ''),
        new ConnectionCloseFrame(ErrorCode.InternalError, 'boom'),
        new ConnectionCloseFrame(ErrorCode.NoError, ''),
      ]) {
        const { prepares, send } = sendingTo((_bytes, count) => declined(sharedSecret, count, 100, [close]));
        expect(await send({ sharedSecret })).toEqual({ ended: 'interrupted' });
        await turns(10);
        expect(prepares).toHaveLength(1);
      }
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
      const answer = async (arrived: number) => {
        const { prepares, send } = sendingTo((_bytes, count) => declined(sharedSecret, count, arrived));
        const outcome = await send({ sharedSecret, price: { debit: 100n, receive: 91n } });
        return { outcome, packets: prepares.length };
      };
      expect(await answer(90)).toEqual({ outcome: { ended: 'refused', code: 'F99', refusal: 'rate_moved' }, packets: 3 });
      expect(await answer(91)).toEqual({ outcome: { ended: 'interrupted', code: 'F99' }, packets: 5 });
    });

    it('#4 counts only packets in a row that bring too little', async () => {
      const network = new TestNetwork({ maxPacketAmount: 10n });
      network.clock.advance(systemClock.now() - network.clock.now());
      const { ilpAddress, sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      const { prepares, send } = sendingTo(async (bytes, count) => {
        if (count % 3 === 0)
          return await network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
        return await declined(sharedSecret, count, 9);
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

    it('#5 sends nothing after an answer that nobody can read', async () => {
      const sharedSecret = Buffer.alloc(32, 4);
      const answers = [
        () => reject(NODE_ADDRESS, 'F99', '', Buffer.alloc(60, 1)),
        () => declined(Buffer.alloc(32, 5), 1, 100),
        () => declined(sharedSecret, 2, 100),
      ];
      for (const answer of answers) {
        const { prepares, send } = sendingTo(answer);
        expect(await send({ sharedSecret })).toEqual({ ended: 'interrupted' });
        await turns(10);
        expect(prepares).toHaveLength(1);
      }
    });

    it('#5 takes no data from a receiver, and knows no stream but the one with the money', async () => {
      const sharedSecret = Buffer.alloc(32, 4);
      const frames = [
        new StreamDataFrame(1, 1_000_000, Buffer.from('beyond every window')),
        new StreamCloseFrame(3, ErrorCode.NoError, ''),
        new StreamMaxMoneyFrame(3, 0, 0),
      ];
      const { prepares, send } = sendingTo((_bytes, count) => declined(sharedSecret, count, 100, frames));
      expect(await send({ sharedSecret })).toEqual({ ended: 'interrupted', code: 'F99' });
      expect(prepares.map((bytes) => deserializeIlpPrepare(bytes).amount)).toEqual(['100', '100', '100', '100', '100']);
    });

    it('#5 numbers the packets of an attempt, and begins anew in another', async () => {
      const network = new TestNetwork({ maxPacketAmount: 40n });
      for (const attempt of [1, 2]) await network.send(100n, { sender: { outgoingPaymentId: 'payment-1', attempt } });
      const { sharedSecret } = await network.receivers.credentials('invoice-1', USD);
      const key = createHmac('sha256', sharedSecret).update('ilp_stream_encryption').digest();
      const packets = network.exchanged.map(({ bytes }) => Packet.decryptAndDeserialize(key, deserializeIlpPrepare(bytes).data));
      expect((await Promise.all(packets)).map(({ sequence }) => sequence.toNumber())).toEqual([1, 2, 3, 1, 2, 3]);
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

    it('#6 sends no more than the receiver says that it still takes, and ends when that is nothing', async () => {
      const { server, answer } = await libraryServer();
      server.on('connection', (connection) => connection.on('stream', (stream: DataAndMoneyStream) => stream.setReceiveMax(70)));
      const { destinationAccount: destinationAddress, sharedSecret } = server.generateAddressAndSecret();
      const { prepares, send } = sendingTo((bytes) => {
        const prepare = deserializeIlpPrepare(bytes);
        return answer(serializeIlpPrepare({ ...prepare, amount: ((BigInt(prepare.amount) * 91n) / 100n).toString() }));
      });
      expect(await send({ destinationAddress, sharedSecret, price: { debit: 100n, receive: 91n } })).toEqual({ ended: 'interrupted' });
      // 77 units bring 70.
      expect(prepares.map((bytes) => deserializeIlpPrepare(bytes).amount)).toEqual(['100', '77', '23']);
      await server.close();
    });

    it('#6 halves a packet when F08 does not tell how much gets through, and ends when nothing does', async () => {
      const { prepares, send } = sendingTo(() => reject(NODE_ADDRESS, 'F08', ''));
      expect(await send({ amount: 9n })).toEqual({ ended: 'interrupted', code: 'F08' });
      expect(prepares.map((bytes) => deserializeIlpPrepare(bytes).amount)).toEqual(['9', '4', '2', '1']);
      const closed = sendingTo(() => amountTooLarge(NODE_ADDRESS, 9n, 0n));
      expect(await closed.send({ amount: 9n })).toEqual({ ended: 'interrupted', code: 'F08' });
      expect(closed.prepares).toHaveLength(1);
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
