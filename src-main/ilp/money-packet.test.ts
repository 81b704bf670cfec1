import { hash } from 'node:crypto';
import { StreamServer } from '@interledger/stream-receiver';
import fc from 'fast-check';
import { deserializeIlpPrepare, deserializeIlpReply, type IlpReply, isFulfill } from 'ilp-packet';
import type { DataAndMoneyStream } from 'ilp-protocol-stream';
import { generateFulfillment, generateFulfillmentKey, generatePskEncryptionKey } from 'ilp-protocol-stream/dist/src/crypto.js';
import { IlpPacketType, Packet, StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_STATED } from '../../src-shared/amounts.ts';
import { leastToArrive, type MoneyPacket, moneyPacket } from './money-packet.ts';
import { amountAtReceiver, answerOfReceiver } from './stream-answers.ts';
import { type LibraryServer, libraryServer } from './testing/library-server.ts';
import { turns } from './testing/network.ts';

const sharedSecret = Buffer.alloc(32, 4);
const expiresAt = new Date(Date.UTC(2026, 10, 20, 12, 0, 0, 123));
const money: MoneyPacket = { destinationAddress: 'test.shop.token', sharedSecret, sequence: 1, amount: 100n, least: 91n, expiresAt };
const uint64 = fc.bigInt({ min: 0n, max: MAX_STATED });
const side = fc.bigInt({ min: 1n, max: MAX_STATED });

describe('a money packet', () => {
  it('names receiver, amount and expiry, and only the receiver reads the least that must arrive', async () => {
    await fc.assert(
      fc.asyncProperty(side, uint64, fc.integer({ min: 1, max: 2 ** 31 - 1 }), async (amount, least, sequence) => {
        const prepare = deserializeIlpPrepare(moneyPacket({ ...money, amount, least, sequence }));
        expect(prepare).toMatchObject({ destination: 'test.shop.token', amount: amount.toString(), expiresAt });
        const packet = await Packet.decryptAndDeserialize(await generatePskEncryptionKey(sharedSecret), prepare.data);
        const content = [packet.ilpPacketType, packet.sequence.toString(), packet.prepareAmount.toString(), packet.frames];
        expect(content).toEqual([IlpPacketType.Prepare, sequence.toString(), least.toString(), [new StreamMoneyFrame(1, 1)]]);
      }),
    );
  });

  it('has the condition to which the library finds the fulfilment, and another one each time', async () => {
    const prepares = [moneyPacket(money), moneyPacket(money)].map(deserializeIlpPrepare);
    for (const { data, executionCondition } of prepares) {
      const fulfilment = await generateFulfillment(await generateFulfillmentKey(sharedSecret), data);
      expect(executionCondition).toEqual(hash('sha256', fulfilment, 'buffer'));
    }
    expect(prepares[0]?.executionCondition).not.toEqual(prepares[1]?.executionCondition);
  });

  it('is not made with what no packet can carry', () => {
    for (const wrong of [
      { amount: MAX_STATED + 1n },
      { amount: 0n },
      { amount: -1n },
      { least: MAX_STATED + 1n },
      { least: -1n },
      { sequence: -1 },
    ])
      expect(() => moneyPacket({ ...money, ...wrong })).toThrow();
  });
});

describe('the least that must arrive', () => {
  it('is the price’s part of the amount, rounded down, and the largest number that can be asked for', () => {
    fc.assert(
      fc.property(uint64, side, side, (amount, debit, receive) => {
        const least = leastToArrive(amount, { debit, receive });
        expect(least <= MAX_STATED && least * debit <= amount * receive).toBe(true);
        expect(least === MAX_STATED || (least + 1n) * debit > amount * receive).toBe(true);
      }),
    );
  });

  it('is the amount itself without a price', () => {
    for (const amount of [0n, 1n, MAX_STATED]) expect(leastToArrive(amount, undefined)).toBe(amount);
  });
});

describe('the library’s own server', () => {
  let shop: LibraryServer;
  let received: string[];
  let to: MoneyPacket;
  beforeEach(async () => {
    shop = await libraryServer();
    received = [];
    shop.server.on('connection', (connection) =>
      connection.on('stream', (stream: DataAndMoneyStream) => {
        stream.setReceiveMax(MAX_STATED.toString());
        stream.on('money', (amount: string) => received.push(amount));
      }),
    );
    const { destinationAccount: destinationAddress, sharedSecret: secret } = shop.server.generateAddressAndSecret();
    to = { ...money, destinationAddress, sharedSecret: secret };
  });
  afterEach(() => shop.server.close());

  it('takes the packets of a payment one after the other, says what arrived, and sends nothing by itself', async () => {
    for (const sequence of [1, 2, 3]) {
      const bytes = moneyPacket({ ...to, sequence });
      const answer = await shop.answer(bytes);
      const reply = deserializeIlpReply(answer.bytes);
      expect(answer.fulfilled && hash('sha256', fulfilmentOf(reply), 'buffer')).toEqual(deserializeIlpPrepare(bytes).executionCondition);
      expect(await answerOfReceiver(sequence, reply, to.sharedSecret)).toEqual({ arrived: 100n, closes: false, takes: undefined });
      expect(await answerOfReceiver(sequence + 1, reply, to.sharedSecret)).toBeUndefined();
    }
    await turns(10);
    expect(received).toEqual(['100', '100', '100']);
    expect(shop.sent).toEqual([]);
  });

  it('takes any amount whole', async () => {
    await fc.assert(
      fc.asyncProperty(side, async (amount) => {
        // The server adds up what a connection has received, up to 2^64−1.
        const { destinationAccount: destinationAddress, sharedSecret: secret } = shop.server.generateAddressAndSecret();
        expect((await shop.answer(moneyPacket({ ...to, destinationAddress, sharedSecret: secret, amount, least: amount }))).fulfilled).toBe(
          true,
        );
        expect(received.at(-1)).toBe(amount.toString());
      }),
    );
  });

  it('takes nothing when less arrives than the least, and says how much it was', async () => {
    const bytes = moneyPacket({ ...to, least: 101n });
    const answer = await shop.answer(bytes);
    expect(answer).toMatchObject({ fulfilled: false, code: 'F99' });
    const { data } = deserializeIlpPrepare(bytes);
    expect(await amountAtReceiver(data, deserializeIlpReply(answer.bytes), to.sharedSecret)).toBe(100n);
    expect(received).toEqual([]);
  });
});

describe('the reference implementation’s receiver', () => {
  const shop = new StreamServer({ serverSecret: Buffer.alloc(32, 6), serverAddress: 'test.shop' });
  const { ilpAddress: destinationAddress, sharedSecret: secret } = shop.generateCredentials({ paymentTag: 'invoice-1' });
  const to: MoneyPacket = { ...money, destinationAddress, sharedSecret: secret };

  it('takes the packet for the payment, and says what arrived', async () => {
    await fc.assert(
      fc.asyncProperty(side, async (amount) => {
        const prepare = deserializeIlpPrepare(moneyPacket({ ...to, amount, least: amount, sequence: 7 }));
        const arrived = shop.createReply(prepare);
        if (!('accept' in arrived)) return expect.fail('it was rejected');
        expect(arrived.paymentTag).toBe('invoice-1');
        const fulfil = arrived.accept();
        expect(hash('sha256', fulfil.fulfillment, 'buffer')).toEqual(prepare.executionCondition);
        expect(await answerOfReceiver(7, fulfil, secret)).toEqual({ arrived: amount, closes: false, takes: undefined });
      }),
    );
  });

  it('takes nothing when less arrives than the least', () => {
    expect(shop.createReply(deserializeIlpPrepare(moneyPacket({ ...to, least: 101n })))).toMatchObject({ code: 'F04' });
  });

  it('closes the connection when it declines for good', async () => {
    const arrived = shop.createReply(deserializeIlpPrepare(moneyPacket(to)));
    if (!('accept' in arrived)) return expect.fail('it was rejected');
    expect(await answerOfReceiver(1, arrived.finalDecline(), secret)).toEqual({ arrived: 100n, closes: true, takes: undefined });
  });
});

const fulfilmentOf = (reply: IlpReply): Buffer => (isFulfill(reply) ? reply.fulfillment : expect.fail('it was rejected'));
