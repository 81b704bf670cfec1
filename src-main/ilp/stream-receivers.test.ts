import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { deserializeIlpReply, isFulfill, isReject } from 'ilp-packet';
import {
  ConnectionCloseFrame,
  ConnectionNewAddressFrame,
  ErrorCode,
  type Frame,
  FrameType,
  Packet,
  StreamCloseFrame,
  StreamDataFrame,
  StreamMaxMoneyFrame,
  StreamMoneyFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReceiverCredentials } from './stream-credentials.ts';
import { craft, craftAround, NODE_ADDRESS, remains, TestNetwork, turns, USD } from './testing/network.ts';

let network: TestNetwork;
let credentials: ReceiverCredentials;

beforeEach(async () => {
  network = new TestNetwork();
  credentials = await network.receivers.credentials('invoice-1', USD);
});

const money = (streamId = 1): Frame => new StreamMoneyFrame(streamId, 1);
const moneyReplies = async (...packets: Promise<Buffer>[]): Promise<boolean[]> =>
  Promise.all(packets.map(async (packet) => isFulfill(await network.handle(await packet))));

describe('stream receivers', () => {
  it('fulfil money and tell the ledger condition, amount, asset and payment', async () => {
    const prepare = await craft(credentials, { frames: [money()], amount: '70' });
    expect(isFulfill(await network.handle(prepare))).toBe(true);
    expect(network.arrived).toMatchObject([
      { amount: 70n, sourceAmount: 70n, asset: USD, incomingPaymentId: 'invoice-1', sender: { outgoingPaymentId: 'p', attempt: 1 } },
    ]);
    expect(network.arrived[0]?.condition).toHaveLength(32);
  });

  it('tell the sender, encrypted, what arrived and in which asset', async () => {
    const reply = await network.handle(
      await craft(credentials, { frames: [new ConnectionNewAddressFrame('private.a'), money()], amount: '70' }),
    );
    const key = createHmac('sha256', credentials.sharedSecret).update('ilp_stream_encryption').digest();
    const packet = await Packet.decryptAndDeserialize(key, reply.data);
    expect(packet.prepareAmount.toString()).toBe('70');
    expect(packet.frames.map(({ type }) => type)).toContain(FrameType.ConnectionAssetDetails);
  });

  it('reject a packet that brings less than its sender asks for', async () => {
    const packet = new Packet(1, 12, 71, [money()]);
    const reply = await network.handle(await craftAround(credentials, packet._serialize(), '70'));
    expect(isReject(reply) && reply.code).toBe('F99');
    expect(network.arrived).toEqual([]);
  });

  it('reject a packet nobody can fulfil, such as a probe, without touching the ledger', async () => {
    const probe = await craft(credentials, { frames: [money()], amount: '70', changes: { executionCondition: Buffer.alloc(32, 5) } });
    const reply = await network.handle(probe);
    expect(isReject(reply) && reply.code).toBe('F99');
    expect(network.arrived).toEqual([]);
  });

  describe('against what the library would let through (protocol-notes.md#PN-32)', () => {
    it('#1 count nothing themselves, and put every packet on any stream to the ledger', async () => {
      let left = 100n;
      network.accept = ({ amount }) => {
        if (amount > left) return Promise.resolve({ ok: false, error: 'over_amount' });
        left -= amount;
        return Promise.resolve({ ok: true, value: undefined });
      };
      const answers = [];
      for (const streamId of [1, 3, 1, 3]) {
        answers.push(...(await moneyReplies(craft(credentials, { frames: [money(streamId)], amount: '50' }))));
      }
      expect(answers).toEqual([true, true, false, false]);
    });

    it('#1 know only one spelling of an address, so that another is no second receiver', async () => {
      for (const suffix of ['~', '~~', '.x', '=']) {
        const other = { ...credentials, ilpAddress: `${credentials.ilpAddress}${suffix}` };
        const reply = await network.handle(await craft(other, { frames: [money()], amount: '5' }).catch(() => Buffer.alloc(0)));
        expect(isReject(reply) && reply.code, suffix).toMatch(/^F0[12]$/);
      }
      expect(network.arrived).toEqual([]);
    });

    it('#1 open two streams and no more', async () => {
      expect(await moneyReplies(craft(credentials, { frames: [money(5)], amount: '5' }))).toEqual([false]);
      expect(await moneyReplies(craft(credentials, { frames: [money(2)], amount: '5' }))).toEqual([false]);
    });

    it('#1 let two payers of one payment keep their streams apart', async () => {
      const closing = [new StreamCloseFrame(1, ErrorCode.NoError, ''), new ConnectionCloseFrame(ErrorCode.NoError, '')];
      const pay = () => moneyReplies(craft(credentials, { frames: [money()], amount: '5' }));
      expect(await pay()).toEqual([true]);
      expect(await moneyReplies(craft(credentials, { frames: [new StreamMaxMoneyFrame(1, 0, 0), ...closing] }))).toEqual([true]);
      expect(await pay()).toEqual([true]);
    });

    it('#2 let the ledger see the whole amount, so that nothing on top is taken unseen', async () => {
      await moneyReplies(craft(credentials, { frames: [money()], amount: '101' }));
      expect(network.arrived.map(({ amount }) => amount)).toEqual([101n]);
    });

    it('#3 outlive streams and connections closed with errors, or many times, without a warning', async () => {
      const uncaught: unknown[] = [];
      const watch = (error: unknown): number => uncaught.push(error);
      process.on('uncaughtException', watch);
      process.on('unhandledRejection', watch);
      process.on('warning', watch);
      const frames = [
        Array.from({ length: 20 }, () => new ConnectionCloseFrame(ErrorCode.NoError, '')),
        [new StreamMaxMoneyFrame(1, 0, 0), new StreamCloseFrame(1, ErrorCode.ApplicationError, 'boom')],
        [new ConnectionNewAddressFrame('private.a'), money(), new ConnectionCloseFrame(ErrorCode.InternalError, 'boom')],
        [new StreamDataFrame(1, 1_000_000, Buffer.from('beyond every window'))],
      ];
      for (const some of frames) await network.handle(await craft(credentials, { frames: some, amount: '5' }));
      await turns(10);
      process.off('uncaughtException', watch);
      process.off('unhandledRejection', watch);
      process.off('warning', watch);
      expect(uncaught).toEqual([]);
      expect(await moneyReplies(craft(credentials, { frames: [money()], amount: '5' }))).toEqual([true]);
    });

    it('#8 send nothing, neither probes nor control packets, to an address a sender names', async () => {
      const frames = [new ConnectionNewAddressFrame(`${NODE_ADDRESS}.sender`), money(), new StreamDataFrame(1, 0, Buffer.from('hello'))];
      const prepare = await craft(credentials, { frames, amount: '5' });
      const written = vi.spyOn(Packet.prototype, '_serialize');
      await network.handle(prepare);
      await turns(10);
      // The answer is written, and nothing else.
      expect(written).toHaveBeenCalledTimes(1);
      written.mockRestore();
    });

    it('#9 keep no connection and no timer once a packet is answered', async () => {
      const before = remains();
      for (let n = 0; n < 50; n++) await network.handle(await craft(credentials, { frames: [money()], amount: '5' }));
      await turns(2);
      const after = remains();
      expect(after.connections).toBeLessThanOrEqual(before.connections);
      expect(after.streams).toBeLessThanOrEqual(before.streams);
      expect(after.timers).toBeLessThanOrEqual(before.timers);
    });

    it('#10 leave repetitions to the ledger, because conditions differ even where STREAM’s sequence does not', async () => {
      const packets = [1, 1].map((sequence) => craft(credentials, { frames: [money()], amount: '5', sequence }));
      expect(await moneyReplies(...packets)).toEqual([true, true]);
      const [first, second] = network.arrived;
      expect(first?.condition.equals(second?.condition ?? Buffer.alloc(0))).toBe(false);
    });
  });

  it('keep the library from printing packets when DEBUG asks it to', async () => {
    const fromLogger = createRequire(createRequire(createRequire(import.meta.url).resolve('ilp-protocol-stream')).resolve('ilp-logger'));
    const debug: { enable(names: string): void; disable(): void; log(...line: unknown[]): void } = fromLogger('debug');
    const printed = vi.spyOn(debug, 'log').mockImplementation(() => undefined);
    debug.enable('*');
    expect(await network.send(100n)).toEqual({ ended: 'sent' });
    debug.disable();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it('reject data that is too short to be encrypted, and do not try to decrypt it', async () => {
    const prepare = await craft(credentials, { frames: [], changes: { data: Buffer.alloc(28) } });
    const reply = deserializeIlpReply(
      (await network.connector.handlePrepare(prepare, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD })).bytes,
    );
    expect(isReject(reply) && reply.code).toBe('F06');
  });
});
