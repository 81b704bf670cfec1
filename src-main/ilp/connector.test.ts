import fc from 'fast-check';
import { deserializeIlpReject, deserializeIlpReply, isFulfill, isReject, serializeIlpPrepare } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { describe, expect, it } from 'vitest';
import type { AcceptRefusal } from './packets.ts';
import type { PacketReceivers } from './stream-receivers.ts';
import { craft, craftAround, JPY, NODE_ADDRESS, START, TestNetwork, turns, USD } from './testing/network.ts';

const frames = [new StreamMoneyFrame(1, 1)];

async function codeOf(network: TestNetwork, bytes: Buffer): Promise<string> {
  const reply = await network.handle(bytes);
  return isReject(reply) ? reply.code : 'fulfilled';
}

describe('connector', () => {
  it('answers each fault with the code a sender can act on', async () => {
    const network = new TestNetwork({ maxPacketAmount: 1_000n });
    const credentials = await network.receivers.credentials('invoice-1', USD);
    const prepare = (changes = {}, amount = '5'): Promise<Buffer> => craft(credentials, { frames, amount, changes });
    expect(await codeOf(network, await prepare())).toBe('fulfilled');
    expect(await codeOf(network, Buffer.from('not a packet'))).toBe('F01');
    expect(await codeOf(network, await prepare({ data: Buffer.alloc(32_768) }))).toBe('F01');
    expect(await codeOf(network, await prepare({ expiresAt: new Date(START) }))).toBe('R00');
    expect(await codeOf(network, await prepare({ destination: 'g.elsewhere.usd' }))).toBe('F02');
    expect(await codeOf(network, await prepare({ destination: NODE_ADDRESS }))).toBe('F02');
    expect(await codeOf(network, await prepare({ destination: `${NODE_ADDRESS}.USD-2.AAAA` }))).toBe('F02');
    expect(await codeOf(network, await prepare({ data: Buffer.alloc(64) }))).toBe('F06');
    const otherAsset = await network.receivers.credentials('invoice-2', JPY);
    expect(await codeOf(network, await craft(otherAsset, { frames, amount: '5' }))).toBe('F03');
    expect(network.arrived).toHaveLength(1);
  });

  it('refuses a packet above the maximum with F08 and both amounts', async () => {
    const network = new TestNetwork({ maxPacketAmount: 1_000n });
    const credentials = await network.receivers.credentials('invoice-1', USD);
    const reply = await network.handle(await craft(credentials, { frames, amount: '1001' }));
    expect(isReject(reply) && [reply.code, reply.data.readBigUInt64BE(0), reply.data.readBigUInt64BE(8)]).toEqual(['F08', 1_001n, 1_000n]);
    expect(await codeOf(network, await craft(credentials, { frames, amount: '1000' }))).toBe('fulfilled');
  });

  it('moves no more than a balance can hold', async () => {
    const network = new TestNetwork();
    const credentials = await network.receivers.credentials('invoice-1', USD);
    expect(await codeOf(network, await craft(credentials, { frames, amount: '9223372036854775808' }))).toBe('F08');
    expect(await codeOf(network, await craft(credentials, { frames, amount: '9223372036854775807' }))).toBe('fulfilled');
  });

  it.each<[AcceptRefusal, string]>([
    ['receiver_closed', 'F02'],
    ['unknown_payment', 'F02'],
    ['over_amount', 'F07'],
    ['sender_stopped', 'F00'],
    ['insufficient', 'T04'],
  ])('turns the ledger’s %s into %s', async (refusal, code) => {
    const network = new TestNetwork();
    network.accept = () => Promise.resolve({ ok: false, error: refusal });
    expect(await codeOf(network, await craft(await network.receivers.credentials('invoice-1', USD), { frames, amount: '5' }))).toBe(code);
  });

  it('answers T00 when the ledger breaks, and lets nothing of the fault out', async () => {
    const network = new TestNetwork();
    network.accept = () => Promise.reject(new Error('disk of secrets is full'));
    const reply = await network.handle(await craft(await network.receivers.credentials('invoice-1', USD), { frames, amount: '5' }));
    expect(isReject(reply) && [reply.code, reply.message]).toEqual(['T00', expect.stringMatching(/^internal error [0-9a-f-]{36}$/)]);
  });

  it('lets a packet without money through to STREAM and not to the ledger', async () => {
    const network = new TestNetwork();
    expect(await codeOf(network, await craft(await network.receivers.credentials('invoice-1', USD), { frames: [] }))).toBe('fulfilled');
    expect(network.arrived).toEqual([]);
  });

  it('moves no money for a receiver that has the wrong fulfilment', async () => {
    const real = new TestNetwork().receivers;
    const lying: PacketReceivers = {
      open: (destination) => real.open(destination),
      receive: async (receiver, packet) => ({ ...(await real.receive(receiver, packet)), fulfillment: Buffer.alloc(32) }),
    };
    const network = new TestNetwork({ receivers: lying });
    expect(await codeOf(network, await craft(await real.credentials('invoice-1', USD), { frames, amount: '5' }))).toBe('F05');
    expect(network.arrived).toEqual([]);
  });

  it('moves no money when the STREAM receivers are taken out', async () => {
    const gone: PacketReceivers = { open: () => undefined, receive: () => Promise.reject(new Error('no receiver')) };
    const network = new TestNetwork({ receivers: gone });
    expect(await network.send(100n)).toEqual({ ended: 'refused', code: 'F02' });
    expect(network.arrived).toEqual([]);
    const mute: PacketReceivers = { open: (destination) => new TestNetwork().receivers.open(destination), receive: gone.receive };
    const other = new TestNetwork({ receivers: mute });
    expect(await other.send(100n)).toEqual({ ended: 'refused', code: 'F00' });
    expect(other.arrived).toEqual([]);
  });

  describe('given anything at all', () => {
    const network = new TestNetwork();
    const answersReject = async (bytes: Buffer): Promise<void> => {
      const { bytes: reply } = await network.connector.handlePrepare(bytes, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD });
      expect(deserializeIlpReject(reply)).toMatchObject({ code: expect.stringMatching(/^[FTR]\d\d$/), triggeredBy: NODE_ADDRESS });
    };

    it('rejects bytes that are no packet', async () => {
      await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => answersReject(Buffer.from(bytes))));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(12, 13, 14), fc.uint8Array({ maxLength: 100 }), (type, bytes) =>
          answersReject(Buffer.from([type, bytes.length, ...bytes])),
        ),
      );
      for (const size of [0, 1, 40_000, 5_000_000]) await answersReject(Buffer.alloc(size, 0x0c));
    });

    it('rejects packets cut short or with bytes changed', async () => {
      // 257 has two bytes that are not 0, so that no single change makes it a packet without money.
      const whole = await craft(await network.receivers.credentials('invoice-1', USD), { frames, amount: '257' });
      for (let length = 0; length < whole.length; length++) await answersReject(whole.subarray(0, length));
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, difference) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ difference;
          const moved = network.arrived.length;
          const reply = deserializeIlpReply(
            (await network.connector.handlePrepare(changed, { sender: { outgoingPaymentId: 'p', attempt: 1 }, asset: USD })).bytes,
          );
          // Another amount or expiry makes another packet, not a broken one. Every packet that was fulfilled went
          // through the ledger.
          expect(network.arrived.length - moved).toBe(isFulfill(reply) ? 1 : 0);
        }),
      );
    });

    it('answers well-formed to any frames under the right key', async () => {
      const credentials = await network.receivers.credentials('invoice-1', USD);
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 300 }),
          fc.nat(9),
          fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
          async (bytes, count, amount) => {
            // A plausible head (version, PREPARE, sequence 1, minimum 0, number of frames), then anything.
            const content = Buffer.concat([Buffer.from([1, 12, 1, 1, 1, 0, 1, count]), bytes]);
            const reply = await network.handle(await craftAround(credentials, content, amount.toString()));
            expect(isFulfill(reply) || isReject(reply)).toBe(true);
          },
        ),
        { numRuns: 500 },
      );
      await turns(10);
    });

    it('rejects a packet to itself for a protocol it does not speak', async () => {
      const config = serializeIlpPrepare({
        amount: '0',
        destination: 'peer.config',
        executionCondition: Buffer.alloc(32),
        expiresAt: new Date(START + 1_000),
        data: Buffer.alloc(0),
      });
      await answersReject(config);
    });
  });
});
