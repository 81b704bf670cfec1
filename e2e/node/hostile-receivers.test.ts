import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deserializeIlpPrepare, type IlpPrepare, type IlpReply, serializeIlpReply } from 'ilp-packet';
import { encrypt } from 'ilp-protocol-stream/dist/src/crypto.js';
import { IlpPacketType, Packet } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, spendingToken, usd } from '../support/clients/flows.ts';
import { readBody } from '../support/nodes/http-bodies.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { ReferenceConnector, type ReferencePayment } from '../support/other-nodes/reference-connector.ts';
import { ReferenceWallet } from '../support/other-nodes/reference-wallet.ts';
import { TestPeer } from '../support/other-nodes/test-peer.ts';

// Peers and receivers that mean no good to the node that pays them: it loses no more than what they have proved to have
// got, keeps its books, and wastes neither its time nor theirs.

const AMOUNT = 1_000n;
/** The most packets of one attempt that brings nothing. */
const MOST_PACKETS = 64;
const WAITS = `select at, body ->> 'dueAt' as dueAt from events where subject = ? and type = 'outgoing_payment.retrying' order by position`;

let node: RunningNode;
let client: ClientWallet;
let buyer: Account;
let wallet: ReferenceWallet;
let server: Server;
let peer: TestPeer;
/** Every PREPARE with money that came for the payment of the test. */
let arrived: IlpPrepare[];
let answer: (prepare: IlpPrepare, payment: ReferencePayment) => IlpReply | Promise<IlpReply>;
let paying: ReferencePayment;

beforeAll(async () => {
  const connector = new ReferenceConnector({ assetCode: 'USD', assetScale: 2, incomingToken: 'unread', ilpAddress: 'test.evil' });
  [node, client, wallet] = await Promise.all([
    RunningNode.start({ flags: ['--log-level', 'error'] }),
    ClientWallet.start(),
    ReferenceWallet.start(connector),
  ]);
  server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const prepare = deserializeIlpPrepare(await readBody(request));
      // A payment of an earlier test may still be trying.
      const isOurs = prepare.destination.startsWith(paying.ilpAddress);
      if (isOurs && prepare.amount !== '0') arrived.push(prepare);
      response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(serializeIlpReply(isOurs ? await answer(prepare, paying) : reject('T00')));
    };
    reply().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  peer = await TestPeer.of(node, { ilpAddress: connector.ilpAddress, endpoint, deduplicates: false });
});
// Each pays from an account of its own: what a payment of an earlier test gives back when it gives up counts there.
beforeEach(async () => {
  buyer = await createAccount(node, `buyer-${crypto.randomUUID()}`, 10n * AMOUNT);
});
afterAll(async () => {
  expect(readBooks(node, contradictions)).toEqual([]);
  await client.stop();
  await wallet.stop();
  expect(await node.stop()).toBe(0);
  server.closeAllConnections();
  server.close();
});

const hmac = (key: Buffer, message: string | Buffer): Buffer => createHmac('sha256', key).update(message).digest();
const fulfilmentOf = ({ data }: IlpPrepare, { sharedSecret }: ReferencePayment): Buffer =>
  hmac(hmac(sharedSecret, 'ilp_stream_fulfillment'), data);
const reject = (code: string, data: Buffer = Buffer.alloc(0)): IlpReply => ({ code, message: '', triggeredBy: 'test.evil', data });
const u64 = (...values: bigint[]): Buffer => {
  const data = Buffer.alloc(8 * values.length);
  for (const [nth, value] of values.entries()) data.writeBigUInt64BE(value, 8 * nth);
  return data;
};

/** What a receiver claims in its answer to have got. */
async function says(amount: string, prepare: IlpPrepare, { sharedSecret }: ReferencePayment): Promise<Buffer> {
  const key = hmac(sharedSecret, 'ilp_stream_encryption');
  const { sequence } = await Packet.decryptAndDeserialize(key, prepare.data);
  return await encrypt(key, new Packet(sequence, IlpPacketType.Fulfill, amount)._serialize());
}

/** Pays `AMOUNT` to a receiver behind the peer, which answers as it does. @returns the payment's id. */
async function pay(answering: typeof answer): Promise<string> {
  const { value } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd(AMOUNT.toString()) });
  return await payWith(value, AMOUNT, answering);
}

/** Pays an amount with the token of a grant. @returns the payment's id. */
async function payWith(accessToken: string, amount: bigint, answering: typeof answer): Promise<string> {
  const { url, payment } = wallet.createPayment();
  [arrived, paying, answer] = [[], payment, answering];
  const debitAmount = usd(amount.toString());
  const made = await client.sdk.outgoingPayment.create(
    { url: node.publicUrl, accessToken },
    { walletAddress: buyer.walletAddress, incomingPayment: url, debitAmount },
  );
  return made.id.split('/').at(-1) ?? '';
}

const payment = async (id: string) => await node.operator.payments.get({ id });
const ended = async (id: string) => {
  await expect.poll(async () => (await payment(id)).status, { interval: 20 }).toMatch(/completed|failed/);
  return await payment(id);
};
/**
 * @returns when each attempt that changed nothing ended, and when the next was to begin, in milliseconds since the
 * epoch.
 */
const waitsOf = (id: string): { at: number; dueAt: number }[] =>
  readBooks(node, (books) => books.prepare(WAITS).all(id) as { at: bigint; dueAt: string }[]).map(({ at, dueAt }) => ({
    at: Number(at),
    dueAt: Date.parse(dueAt),
  }));
const balance = async (): Promise<bigint> => (await node.operator.accounts.get({ id: buyer.id })).balance;

it('the node believes a fulfilment that says nothing about what arrived', async () => {
  const before = await balance();
  const id = await pay((prepare, to) => ({ fulfillment: fulfilmentOf(prepare, to), data: Buffer.alloc(0) }));
  expect(await ended(id)).toMatchObject({ status: 'completed', progress: { value: AMOUNT }, delivered: { value: AMOUNT } });
  expect(before - (await balance())).toBe(AMOUNT);
});

it.each(['0', '1', '9223372036854775807', '18446744073709551615'])(
  'the node keeps its books whole when a receiver claims to have got %s',
  async (claim) => {
    const before = await balance();
    const id = await pay(async (prepare, to) => ({ fulfillment: fulfilmentOf(prepare, to), data: await says(claim, prepare, to) }));
    const { progress } = await ended(id);
    expect(before - (await balance())).toBe(progress.value);
    expect(arrived.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(progress.value);
  },
);

it('an app whose receiver denies what it got is paid no more than was allowed to arrive', async () => {
  const before = await balance();
  const limits = { receiveAmount: usd(AMOUNT.toString()) };
  const { value } = await spendingToken(node, client, buyer.walletAddress, limits);
  const denying: typeof answer = async (prepare, to) => ({ fulfillment: fulfilmentOf(prepare, to), data: await says('0', prepare, to) });
  for (let payments = 0; payments < 4; payments += 1) {
    expect(await ended(await payWith(value, AMOUNT / 4n, denying))).toMatchObject({ status: 'failed', delivered: { value: 0n } });
  }
  await expect(payWith(value, AMOUNT / 4n, denying)).rejects.toMatchObject({ status: 403 });
  expect(before - (await balance())).toBe(AMOUNT);
});

it('the node pays nothing for a false fulfilment', async () => {
  const [before, position] = [await balance(), await peer.position()];
  const id = await pay(() => ({ fulfillment: randomBytes(32), data: Buffer.alloc(0) }));
  expect(await ended(id)).toMatchObject({ status: 'failed', progress: { value: 0n } });
  expect(await balance()).toBe(before);
  expect(await peer.position()).toBe(position);
});

it('the node gives up at once when a receiver calls a refusal final', async () => {
  const before = await balance();
  const id = await pay(() => reject('F02'));
  expect((await ended(id)).status).toBe('failed');
  expect(arrived).toHaveLength(1);
  expect(await balance()).toBe(before);
});

it.each<[string, () => IlpReply]>([
  ['F99 for ever', () => reject('F99')],
  ['F99 with data for ever', () => reject('F99', randomBytes(1_000))],
  ['a maximum of nothing', () => reject('F08', u64(AMOUNT, 0n))],
  [
    'a maximum that shrinks by a unit',
    () => reject('F08', u64(BigInt(arrived.at(-1)?.amount ?? 0), BigInt(arrived.at(-1)?.amount ?? 1) - 1n)),
  ],
  ['a maximum without amounts', () => reject('F08')],
  ['T00 for ever', () => reject('T00')],
  ['T04 for ever', () => reject('T04')],
  ['codes of no kind', () => reject('X99')],
])('the node sends few packets and waits in between when a receiver answers %s', async (_, refusal) => {
  const before = await balance();
  const id = await pay(refusal);
  const enough = async () => (await payment(id)).status === 'failed' || waitsOf(id).length > 1;
  await expect.poll(enough, { interval: 100 }).toBe(true);
  const packets = arrived.length;
  const waits = waitsOf(id);
  expect(packets).toBeGreaterThan(0);
  expect(packets).toBeLessThanOrEqual(MOST_PACKETS * (waits.length + 1));
  for (const [nth, { at, dueAt }] of waits.entries()) {
    expect(dueAt - at).toBeGreaterThanOrEqual(800);
    expect(at).toBeGreaterThanOrEqual(waits[nth - 1]?.dueAt ?? 0);
  }
  const { status, progress } = await payment(id);
  expect(progress.value).toBe(0n);
  expect(await balance()).toBe(status === 'failed' ? before : before - AMOUNT);
});
