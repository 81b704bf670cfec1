import { randomBytes } from 'node:crypto';
import { closeConnection, PaymentError, type PaymentProgress, pay, type Quote, setupPayment, startQuote } from '@interledger/pay';
import { deserializeIlpPrepare, type IlpReply, isFulfill, isReject, serializeIlpPrepare } from 'ilp-packet';
import { fetch as fetchIldcp } from 'ilp-protocol-ildcp';
import {
  ConnectionCloseFrame,
  ErrorCode,
  type Frame,
  StreamCloseFrame,
  StreamDataFrame,
  StreamMoneyFrame,
} from 'ilp-protocol-stream/dist/src/packet.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { residentMb } from '../../bench/support/processes.ts';
import { craft, craftAround } from '../../src-main/ilp/testing/network.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { TestPeer } from '../support/other-nodes/test-peer.ts';

// Other senders that come as a peer over POST /ilp: the payment library of the reference wallet, and hostile ones.

const MAX_PACKET = 2_000;
/** The heap is so small that a node which kept tens of thousands of packets would run out of it. */
const HEAP_MB = 80;

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let euros: Account;
let token: string;
let peer: TestPeer;

beforeAll(async () => {
  const flags = ['--max-packet-amount', String(MAX_PACKET), '--log-level', 'error'];
  [node, client] = await Promise.all([
    RunningNode.start({ flags, env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` } }),
    ClientWallet.start(),
  ]);
  shop = await createAccount(node, 'shop', 0n);
  const asset = { assetCode: 'EUR', assetScale: 2 };
  euros = await node.operator.accounts.create({
    requestId: crypto.randomUUID(),
    name: 'euros',
    publicName: 'Euros',
    ...asset,
    openingBalance: 0n,
  });
  await node.operator.rates.set({
    ...{ base: 'USD', quote: 'EUR', rate: '0.9137', spreadBps: 0, source: 'made up', asOf: new Date(), maxAgeSeconds: 86_400 },
  });
  await node.operator.rates.fund({ requestId: crypto.randomUUID(), ...asset, amount: 10n ** 9n, note: '' });
  token = await receivingToken(node, client);
});
beforeEach(async () => {
  peer = await TestPeer.of(node);
});
afterAll(async () => {
  expect(readBooks(node, contradictions)).toEqual([]);
  await client.stop();
  expect(await node.stop()).toBe(0);
});

interface Invoice {
  readonly id: string;
  readonly ilpAddress: string;
  readonly sharedSecret: Buffer;
}

async function invoice(value?: string, account: Account = shop): Promise<Invoice> {
  const { assetCode, assetScale, walletAddress } = account;
  const created = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: token },
    { walletAddress, ...(value !== undefined && { incomingAmount: { value, assetCode, assetScale } }) },
  );
  const [method] = created.methods;
  if (method?.type !== 'ilp') throw new Error('it cannot be paid');
  return { id: created.id, ilpAddress: method.ilpAddress, sharedSecret: Buffer.from(method.sharedSecret, 'base64url') };
}

const read = async ({ id }: Invoice) => await client.sdk.incomingPayment.get({ url: id, accessToken: token });
const received = async (payment: Invoice): Promise<bigint> => BigInt((await read(payment)).receivedAmount.value);

const soon = (): Date => new Date(Date.now() + 20_000);
const money = (streamId = 1): Frame => new StreamMoneyFrame(streamId, 1);

/** A packet with money, as everybody who knows the secret can make it. */
const packet = (to: Invoice, amount: number, frames: Frame[] = [money()], expiresAt = soon()): Promise<Buffer> =>
  craft(to, { frames, amount: String(amount), changes: { expiresAt } });

const codeOf = (reply: IlpReply): string => (isReject(reply) ? reply.code : 'fulfilled');

describe('the payment library of the reference wallet', () => {
  const quoteFor = async (to: Invoice, wish: { amountToSend: string } | { amountToDeliver: string }) => {
    const { ilpAddress: destinationAddress, sharedSecret } = to;
    const destination = await setupPayment({ plugin: peer.plugin, destinationAddress, sharedSecret });
    // The node tells its peers by ILDCP (RFC 31) what they pay with.
    const { assetCode, assetScale } = await fetchIldcp(peer.plugin.sendData);
    const sourceAsset = { code: assetCode, scale: assetScale };
    const prices = { USD: 1, EUR: 1.0944 };
    const quote = await startQuote({ plugin: peer.plugin, destination, sourceAsset, slippage: 0.01, prices, ...wish });
    return { destination, quote };
  };
  const payFor = async (to: Invoice, wish: { amountToSend: string } | { amountToDeliver: string }): Promise<[Quote, PaymentProgress]> => {
    const { destination, quote } = await quoteFor(to, wish);
    const progress = await pay({ plugin: peer.plugin, destination, quote });
    await closeConnection(peer.plugin, destination);
    return [quote, progress];
  };

  it('pays a fixed amount, in packets as large as the node lets through', async () => {
    const to = await invoice();
    const [quote, progress] = await payFor(to, { amountToSend: '10000' });
    expect(quote.maxPacketAmount).toBe(BigInt(MAX_PACKET));
    expect(progress).toMatchObject({ amountSent: 10_000n, amountDelivered: 10_000n });
    expect(progress.error).toBeUndefined();
    expect(await received(to)).toBe(10_000n);
    expect(await peer.position()).toBe(-10_000n);
  });

  it('delivers a fixed amount, which completes the incoming payment', async () => {
    const to = await invoice('7531');
    const [, progress] = await payFor(to, { amountToDeliver: '7531' });
    expect(progress.error).toBeUndefined();
    expect(await read(to)).toMatchObject({ completed: true, methods: [] });
    expect(await received(to)).toBe(progress.amountDelivered);
    expect(await peer.position()).toBe(-progress.amountSent);
  });

  it('pays into another currency and counts what arrived in the same way as the node', async () => {
    const to = await invoice(undefined, euros);
    const [, sent] = await payFor(to, { amountToSend: '10000' });
    expect(sent.error).toBeUndefined();
    // Over many packets not a unit is lost: the rate is applied to the sum.
    expect(await received(to)).toBe(9_137n);
    expect(sent.amountDelivered).toBe(9_137n);
    const exact = await invoice('4000', euros);
    const [, delivered] = await payFor(exact, { amountToDeliver: '4000' });
    expect(delivered.error).toBeUndefined();
    // A sender that converts cannot hit the last unit. The payment gets what it asked for all the same.
    expect([4_000n, 4_001n]).toContain(delivered.amountDelivered);
    expect(await received(exact)).toBe(4_000n);
    expect((await read(exact)).completed).toBe(true);
    expect(await peer.position()).toBe(-sent.amountSent - delivered.amountSent);
  });

  it('cannot pay into an incoming payment that is completed', async () => {
    const to = await invoice('100');
    await payFor(to, { amountToDeliver: '100' });
    await expect(quoteFor(to, { amountToSend: '50' })).rejects.toBe(PaymentError.ConnectorError);
    expect(await received(to)).toBe(100n);
  });
});

describe('a hostile sender', () => {
  it('cannot pay more than was asked for through many streams and connections', async () => {
    const to = await invoice('5000');
    const replies = await Promise.all(
      Array.from({ length: 400 }, async (_, n) => await peer.send(await packet(to, 100, [money(1 + 2 * (n % 4))]))),
    );
    const accepted = replies.filter(isFulfill).length;
    expect(BigInt(accepted) * 100n).toBe(await received(to));
    expect(await received(to)).toBe(5_000n);
    expect(await peer.position()).toBe(-5_000n);
    expect((await read(to)).completed).toBe(true);
    const crowd = await invoice('5000');
    const many = Array.from({ length: 200 }, (_, n) => money(1 + 2 * n));
    expect(isFulfill(await peer.send(await packet(crowd, 100, many)))).toBe(false);
    expect(await received(crowd)).toBe(0n);
  });

  it('may exceed what was asked for by a hundredth in the packet that completes the payment, which the payment does not get', async () => {
    const to = await invoice('1000');
    const before = await peer.position();
    const [exceeding, alsoExceeding] = [await packet(to, 1_010), await packet(to, 1_010)];
    expect(codeOf(await peer.send(await packet(to, 1_011)))).not.toBe('fulfilled');
    expect(codeOf(await peer.send(exceeding))).toBe('fulfilled');
    expect(codeOf(await peer.send(alsoExceeding))).toBe('F02');
    expect(await received(to)).toBe(1_000n);
    expect(await peer.position()).toBe(before - 1_010n);
  });

  it('finds no other spelling of an address', async () => {
    const to = await invoice('1000');
    const forged = [
      `${to.ilpAddress}~`,
      `${to.ilpAddress}_`,
      `${to.ilpAddress}A`,
      `${to.ilpAddress}.x`,
      to.ilpAddress.slice(0, -1),
      to.ilpAddress.replace('.USD-2.', '.EUR-2.'),
      to.ilpAddress.replace('.USD-2.', '.USD-3.'),
      to.ilpAddress.replace(/[^.]+$/, randomBytes(60).toString('base64url')),
      `${to.ilpAddress.slice(0, -1)}${to.ilpAddress.endsWith('A') ? 'B' : 'A'}`,
    ];
    for (const ilpAddress of forged) {
      const reply = await peer.send(await packet({ ...to, ilpAddress }, 1_000));
      expect([ilpAddress, codeOf(reply)]).toEqual([ilpAddress, 'F02']);
    }
    expect(await received(to)).toBe(0n);
  });

  it('gets the same answer however often it repeats a packet, with any amount', async () => {
    const to = await invoice('100000');
    const first = await packet(to, 700);
    const replies = await Promise.all(Array.from({ length: 50 }, () => peer.send(first)));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(codeOf(replies[0] as IlpReply)).toBe('fulfilled');
    const prepare = deserializeIlpPrepare(first);
    for (const changes of [
      { amount: '1900' },
      { amount: '1' },
      { expiresAt: new Date(Date.now() - 60_000) },
      { expiresAt: new Date(Date.now() + 3_600_000) },
    ]) {
      expect(await peer.send(serializeIlpPrepare({ ...prepare, ...changes }))).toEqual(replies[0]);
    }
    expect(await received(to)).toBe(700n);
    expect(await peer.position()).toBe(-700n);
  });

  it('moves nothing with a wrong condition, without the secret, too late or to an address of nobody', async () => {
    const to = await invoice('1000');
    const make = (changes: object) => craft(to, { frames: [money()], amount: '100', changes: { expiresAt: soon(), ...changes } });
    const cases: [string, Buffer][] = [
      ['a condition of its own', await make({ executionCondition: randomBytes(32) })],
      ['a condition of zeros', await make({ executionCondition: Buffer.alloc(32) })],
      ['another secret', await packet({ ...to, sharedSecret: randomBytes(32) }, 100)],
      ['no data', await make({ data: Buffer.alloc(0) })],
      ['data of another kind', await make({ data: randomBytes(500) })],
      ['an expiry in the past', await make({ expiresAt: new Date(Date.now() - 1) })],
      ['hardly any time', await make({ expiresAt: new Date(Date.now() + 300) })],
      ['more than one packet may carry', await packet(to, MAX_PACKET + 1)],
      ['an address elsewhere', await make({ destination: 'g.elsewhere' })],
      ['its own address', await make({ destination: `test.peer.${randomBytes(4).toString('hex')}` })],
      ['frames of no kind', await craftAround(to, randomBytes(100), '100', { expiresAt: soon() })],
    ];
    for (const [what, bytes] of cases) expect([what, isFulfill(await peer.send(bytes))]).toEqual([what, false]);
    expect(await received(to)).toBe(0n);
    expect(await peer.position()).toBe(0n);
  });

  it('does no harm when it closes with errors or puts anything into a packet', async () => {
    const to = await invoice('100000');
    const evil: Frame[][] = [
      [money(), new StreamCloseFrame(1, ErrorCode.InternalError, 'down with you')],
      [money(), new ConnectionCloseFrame(ErrorCode.ProtocolViolation, 'x'.repeat(20_000))],
      [new StreamDataFrame(1, 0, randomBytes(30_000)), money()],
      [new StreamDataFrame(1, '9007199254740993', Buffer.from('far away')), money()],
    ];
    for (let round = 0; round < 50; round += 1) {
      for (const frames of evil) await peer.send(await packet(to, 1, frames));
    }
    const bytes = [Buffer.alloc(0), randomBytes(10), randomBytes(30_000), Buffer.alloc(40_000, 12)];
    for (const body of bytes) expect(codeOf(await peer.send(body))).toBe('F01');
    // The node closes the connection without reading on. A sender that is still writing then may not get to the answer.
    const tooLong = peer.post(Buffer.alloc(10_000_000)).then(({ status }) => String(status), String);
    expect(await tooLong).toMatch(/^413$|EPIPE|ECONNRESET/);
    expect(await peer.position()).toBe(-(await received(to)));
    expect(codeOf(await peer.send(await packet(to, 100)))).toBe('fulfilled');
  });

  it('leaves nothing behind in memory', async () => {
    const to = await invoice('1000000000');
    const big = [money(), new StreamDataFrame(1, 0, randomBytes(20_000))];
    const lane = async (): Promise<void> => {
      for (let n = 0; n < 375; n += 1)
        await peer.send(await packet({ ...to, sharedSecret: n % 3 === 0 ? randomBytes(32) : to.sharedSecret }, 1, big));
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    // 3,000 packets of 20 kB are 60 MB, most of this node's heap; outside of it they would show here.
    expect(residentMb(node.pid) ?? 0).toBeLessThan(400);
    expect(node.isRunning).toBe(true);
    expect(await received(to)).toBe(2_000n);
  });
});
