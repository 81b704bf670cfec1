import { randomBytes, randomUUID } from 'node:crypto';
import { deserializeIlpReply, type IlpPrepare, type IlpReply, isFulfill, isReject, serializeIlpPrepare } from 'ilp-packet';
import { ConnectionCloseFrame, type Frame, StreamCloseFrame, StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assetKey } from '../../src-shared/amounts.ts';
import { exchangeAccount } from '../exchange/exchange-accounts.ts';
import type { ReceiverCredentials } from '../ilp/stream-credentials.ts';
import { craft } from '../ilp/testing/network.ts';
import { accountId } from '../ledger/ledger.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { listMovements } from '../operator-api/queries/accounts.ts';
import { readIldcpAnswer } from '../peers/ildcp.ts';
import type { NewPeer } from '../peers/peer-registry.ts';
import { receivedPackets } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(async () => {
  expect(await brokenInvariants(node.database.read)).toEqual([]);
  await node.close();
});

type Known = Record<'id' | 'token', string>;

const addPeer = async (changes: Partial<NewPeer> = {}): Promise<Known> => {
  const id = randomUUID();
  const added = await node.payments.peers.operator.registry.add(
    newPeer({ id, ilpAddress: `g.peer-${id.slice(0, 8)}`, creditLimit: 1_000_000n, ...changes }),
  );
  if (!added.ok) throw new Error(added.error);
  return { id, token: added.value.incomingToken };
};

/** Sends bytes to the node as a peer does. */
const post = (token: string, payload: Buffer, type = 'application/octet-stream') =>
  node.app.inject({ method: 'POST', url: '/ilp', headers: { authorization: `Bearer ${token}`, 'content-type': type }, payload });

const hand = async ({ token }: Known, bytes: Buffer): Promise<IlpReply> => {
  const answer = await post(token, bytes);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/octet-stream']);
  return deserializeIlpReply(answer.rawPayload);
};
const codeOf = (reply: IlpReply): string => (isReject(reply) ? reply.code : 'fulfil');

const invoice = async (name: 'alice' | 'bob' | 'carol' = 'carol', value?: bigint, expiresAt?: number) => {
  const walletAddress = node.accounts[name];
  const { assetCode, assetScale } = walletAddress;
  const amount = value === undefined ? {} : { incomingAmount: { value, assetCode, assetScale } };
  const made = await node.payments.incomingPayments.create({ walletAddress, client: null, ...amount, expiresAt });
  if (!made.ok) throw new Error(made.error);
  return { id: made.value.id, ...(await node.payments.credentials(made.value.id, { assetCode, assetScale })) };
};

const soon = (ms = 30_000): Date => new Date(node.clock.now() + ms);
const money = (
  to: ReceiverCredentials,
  amount: bigint,
  changes: Partial<IlpPrepare> = {},
  frames: Frame[] = [new StreamMoneyFrame(1, 1)],
) => craft(to, { frames, amount: amount.toString(), changes: { expiresAt: soon(), ...changes } });
const plain = (changes: Partial<IlpPrepare>): Buffer =>
  serializeIlpPrepare({
    amount: '0',
    destination: 'g.a',
    executionCondition: randomBytes(32),
    expiresAt: soon(),
    data: Buffer.alloc(0),
    ...changes,
  });

const balance = async (id: string): Promise<bigint> => {
  const rows = await node.database.read.select().from(ledgerAccounts);
  return rows.find((row) => row.id === id)?.balance ?? 0n;
};
const position = (peer: Known) => balance(accountId('peer', peer.id));
const purse = (name: 'alice' | 'bob' | 'carol') => balance(accountId('customer', node.accounts[name].id));
const nodeAddress = () => node.payments.peers.operator.nodeAddress;

describe('money of a peer', () => {
  it('arrives, and the peer owes it', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 500n);
    expect(isFulfill(await hand(peer, await money(to, 300n)))).toBe(true);
    expect([await purse('carol'), await position(peer)]).toEqual([300n, -300n]);
    expect(isFulfill(await hand(peer, await money(to, 200n)))).toBe(true);
    expect(await node.payments.incomingPayments.find(to.id)).toMatchObject({ received: 500n, completed: true });
    expect(node.payments.peers.sightings.of(peer.id).lastSeenAt).toBe(node.clock.now());
  });

  it('is taken once, however often a packet comes and whatever happened in between', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 300n);
    const packet = await money(to, 300n);
    const first = await post(peer.token, packet);
    expect(codeOf(deserializeIlpReply(first.rawPayload))).toBe('fulfil');
    // The answer stays the same after the payment has completed, the peer is paused and the packet has expired.
    await node.payments.peers.operator.registry.setState(peer.id, 'paused');
    node.clock.advance(60_000);
    const again = await Promise.all(Array.from({ length: 5 }, () => post(peer.token, packet)));
    for (const { rawPayload } of again) expect(rawPayload.equals(first.rawPayload)).toBe(true);
    expect([await purse('carol'), await position(peer)]).toEqual([300n, -300n]);
  });

  it('is taken once when copies of a packet come at the same time', async () => {
    const peer = await addPeer();
    const to = await invoice('carol');
    const packet = await money(to, 70n);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(peer.token, packet)));
    expect(new Set(answers.map(({ rawPayload }) => rawPayload.toString('hex'))).size).toBe(1);
    expect(await purse('carol')).toBe(70n);
  });

  it('is kept apart by peer, so that the packet of one says nothing about that of another', async () => {
    const [one, other] = [await addPeer(), await addPeer()];
    const packet = await money(await invoice('carol'), 10n);
    expect([codeOf(await hand(one, packet)), codeOf(await hand(other, packet))]).toEqual(['fulfil', 'fulfil']);
    expect([await position(one), await position(other), await purse('carol')]).toEqual([-10n, -10n, 20n]);
  });

  it('is taken within the credit limit of the peer, and settlements count', async () => {
    const peer = await addPeer({ creditLimit: 100n });
    const to = await invoice('carol');
    expect(codeOf(await hand(peer, await money(to, 101n)))).toBe('T04');
    expect(codeOf(await hand(peer, await money(to, 100n)))).toBe('fulfil');
    expect(codeOf(await hand(peer, await money(to, 1n)))).toBe('T04');
    const received = { id: randomUUID(), peerId: peer.id, direction: 'received' as const, amount: 40n, note: 'bank transfer' };
    for (let i = 0; i < 2; i++) expect(await node.payments.peers.operator.settle(received)).toMatchObject({ ok: true });
    expect(codeOf(await hand(peer, await money(to, 40n)))).toBe('fulfil');
    expect(codeOf(await hand(peer, await money(to, 1n)))).toBe('T04');
    expect([await position(peer), await purse('carol'), await balance(accountId('external', 'USD/2'))]).toEqual([-100n, 140n, -100_040n]);
  });

  it('is refused for good once refused, because the peer has given it back', async () => {
    const peer = await addPeer({ creditLimit: 0n });
    const to = await invoice('carol');
    const packet = await money(to, 5n);
    const first = await post(peer.token, packet);
    expect(codeOf(deserializeIlpReply(first.rawPayload))).toBe('T04');
    await node.payments.peers.operator.registry.edit(peer.id, { creditLimit: 1_000n });
    expect((await post(peer.token, packet)).rawPayload.equals(first.rawPayload)).toBe(true);
    expect(codeOf(await hand(peer, await money(to, 5n)))).toBe('fulfil');
    expect(await purse('carol')).toBe(5n);
  });

  it.each([
    ['a pause', async (peer: Known) => void (await node.payments.peers.operator.registry.setState(peer.id, 'paused')), 'T03'],
    ['too little time', async () => undefined, 'R02'],
  ] as const)('is refused for good after %s', async (_, before, code) => {
    const peer = await addPeer();
    const packet = await money(await invoice('carol'), 5n, code === 'R02' ? { expiresAt: soon(999) } : {});
    await before(peer);
    expect(codeOf(await hand(peer, packet))).toBe(code);
    await node.payments.peers.operator.registry.setState(peer.id, 'active');
    node.clock.jump(-500);
    expect(codeOf(await hand(peer, packet))).toBe(code);
    expect(await purse('carol')).toBe(0n);
  });

  it('is not taken by a payment that takes nothing any more', async () => {
    const peer = await addPeer();
    const closed = await invoice('carol', 50n);
    const completing = await money(closed, 50n);
    const late = await money(closed, 1n);
    expect(codeOf(await hand(peer, completing))).toBe('fulfil');
    expect(codeOf(await hand(peer, late))).toBe('F02');
    const expiring = await invoice('carol', 50n, node.clock.now() + 1_000);
    node.clock.advance(1_000);
    expect(codeOf(await hand(peer, await money(expiring, 1n)))).toBe('F02');
    // The node still answers a packet without money.
    expect(codeOf(await hand(peer, await money(closed, 0n)))).toBe('fulfil');
    expect(await purse('carol')).toBe(50n);
  });

  it('is not taken by a payment that completes at the same moment', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 100n);
    // Either of them may be written first. Each completes the payment.
    const packets = [await money(to, 100n), await money(to, 100n)];
    const replies = await Promise.all(packets.map((bytes) => node.payments.peers.packets.handle(bytes, known(peer))));
    expect(replies.map((bytes) => codeOf(deserializeIlpReply(bytes))).toSorted()).toEqual(['F02', 'fulfil']);
    expect(await purse('carol')).toBe(100n);
  });

  it.each([
    [100n, 101n, 102n],
    [10_099n, 10_199n, 10_200n],
  ])('completes a payment of %s with a packet of up to %s, not %s, and credits what was asked for', async (asked, most, tooMuch) => {
    const peer = await addPeer();
    const to = await invoice('carol', asked);
    expect(codeOf(await hand(peer, await money(to, tooMuch)))).toBe('F07');
    expect(codeOf(await hand(peer, await money(to, most)))).toBe('fulfil');
    expect(await node.payments.incomingPayments.find(to.id)).toMatchObject({ received: asked, completed: true });
    const exchange = await balance(exchangeAccount(node.accounts.carol));
    expect([await purse('carol'), exchange, await position(peer)]).toEqual([asked, most - asked, -most]);
  });

  it('appears in the payment, and the account book links to that payment', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 500n);
    await hand(peer, await money(to, 500n));
    const [row] = await node.database.read.select().from(receivedPackets);
    expect(row).toMatchObject({ peerId: peer.id, incomingPaymentId: to.id, sourceAmount: 500n, amount: 500n });
    const { items } = await listMovements(node.database.read, { accountId: node.accounts.carol.id, from: undefined, limit: 5 });
    expect(items).toMatchObject([{ kind: 'received', change: 500n, paymentId: to.id, other: null }]);
  });
});

describe('the endpoint for peers', () => {
  it('reads no packet that comes with a wrong token or type', async () => {
    const peer = await addPeer();
    const packet = plain({});
    expect((await post('guessed-token-0000', packet)).statusCode).toBe(401);
    expect((await post(peer.token, packet, 'application/json')).statusCode).toBe(400);
    expect((await post(peer.token, packet, 'text/plain')).statusCode).toBe(400);
    expect((await post(peer.token, Buffer.alloc(41_000))).statusCode).toBe(413);
    const renewed = await node.payments.peers.operator.registry.renewToken(peer.id);
    expect((await post(peer.token, packet)).statusCode).toBe(401);
    if (!renewed.ok) throw new Error('not renewed');
    expect((await post(renewed.value.incomingToken, packet)).statusCode).toBe(200);
    await node.payments.peers.operator.registry.remove(peer.id);
    expect((await post(renewed.value.incomingToken, packet)).statusCode).toBe(401);
  });

  it('rejects bytes that are no PREPARE', async () => {
    const peer = await addPeer();
    for (const bytes of [Buffer.from([12]), randomBytes(80), plain({}).subarray(0, 40), Buffer.from([13, 0])])
      expect(codeOf(await hand(peer, bytes))).toBe('F01');
  });

  it('rejects destinations that are no receiver of this node, above all those of other peers', async () => {
    const peer = await addPeer();
    await addPeer({ ilpAddress: 'g.other', routes: ['g.far'] });
    const { ilpAddress } = await invoice('carol');
    const spellings = [
      `${ilpAddress}~`,
      `${ilpAddress}.x`,
      `${ilpAddress}A`,
      ilpAddress.replace('USD-2', 'USD-0'),
      ilpAddress.slice(0, -1),
    ];
    for (const destination of ['g.other', 'g.other.a', 'g.far.b', nodeAddress(), `${nodeAddress()}.a`, 'peer.config', ...spellings])
      expect(codeOf(await hand(peer, plain({ amount: '5', destination })))).toBe('F02');
    expect(await node.database.read.select().from(receivedPackets)).toEqual([]);
  });

  it('tells a peer its currency when the peer asks for it', async () => {
    const peer = await addPeer({ assetCode: 'EUR', assetScale: 3 });
    const reply = await hand(peer, plain({ destination: 'peer.config' }));
    expect([codeOf(reply), readIldcpAnswer(reply.data)]).toEqual(['fulfil', { assetCode: 'EUR', assetScale: 3 }]);
  });

  it('rejects a packet above the maximum, and tells the maximum', async () => {
    await node.close();
    node = await openTestNode({ config: { maxPacketAmount: 1_000n } });
    const peer = await addPeer();
    const reply = await hand(peer, await money(await invoice('carol'), 1_001n));
    expect([codeOf(reply), reply.data.readBigUInt64BE(0), reply.data.readBigUInt64BE(8)]).toEqual(['F08', 1_001n, 1_000n]);
    expect(codeOf(await hand(peer, plain({ amount: (2n ** 64n - 1n).toString() })))).toBe('F08');
  });

  it('rejects expired packets', async () => {
    const peer = await addPeer();
    const to = await invoice('carol');
    expect(codeOf(await hand(peer, await money(to, 5n, { expiresAt: soon(0) })))).toBe('R00');
    expect(codeOf(await hand(peer, await money(to, 0n, { expiresAt: soon(-1) })))).toBe('R00');
    expect(codeOf(await hand(peer, await money(to, 5n, { expiresAt: soon(1_000) })))).toBe('fulfil');
  });

  it('rejects packets whose time runs out while they wait for the write, because whoever fulfils late pays', async () => {
    const peer = await addPeer();
    const packet = await money(await invoice('carol'), 5n);
    const reply = node.payments.peers.packets.handle(packet, known(peer));
    node.clock.advance(30_000);
    expect(codeOf(deserializeIlpReply(await reply))).toBe('R00');
    node.clock.jump(-30_000);
    expect(codeOf(await hand(peer, packet))).toBe('R00');
    expect([await purse('carol'), await position(peer)]).toEqual([0n, 0n]);
  });

  it('rejects more packets than any peer needs', async () => {
    const peer = await addPeer();
    const packet = plain({ destination: 'peer.config' });
    const codes = new Set<string>();
    for (let i = 0; i < 10_010; i += 1)
      codes.add(codeOf(deserializeIlpReply(await node.payments.peers.packets.handle(packet, known(peer)))));
    expect(codes).toEqual(new Set(['fulfil', 'T05']));
    // A packet that was refused for this reason is refused for good, too.
    const paying = await money(await invoice('carol'), 5n);
    expect(codeOf(await hand(peer, paying))).toBe('T05');
    node.clock.advance(1_000);
    expect(codeOf(await hand(peer, paying))).toBe('T05');
    expect(codeOf(await hand(peer, await money(await invoice('carol'), 5n)))).toBe('fulfil');
  });
});

const known = ({ id }: Known) => {
  const peer = node.payments.peers.directory.byId(id);
  if (peer === undefined) throw new Error('no such peer');
  return peer;
};

describe('money of a peer in another currency', () => {
  const rate = (value: string, asOf = node.clock.now()) =>
    node.payments.rates.set({ base: 'USD', quote: 'EUR', rate: value, spreadBps: 0, source: 'test', asOf, maxAgeSeconds: 3_600 });
  const fund = (amount: bigint) =>
    node.payments.exchangeAccounts.move({
      id: randomUUID(),
      kind: 'deposit',
      asset: { assetCode: 'EUR', assetScale: 2 },
      amount,
      note: '',
    });

  it('loses less than a unit over many packets, through the exchange accounts', async () => {
    await rate('0.9137');
    await fund(100_000n);
    const peer = await addPeer();
    const to = await invoice('bob');
    for (let i = 0; i < 50; i += 1) expect(codeOf(await hand(peer, await money(to, 101n)))).toBe('fulfil');
    const arrived = (5_050n * 9_137n) / 10_000n;
    expect([await purse('bob'), await position(peer)]).toEqual([arrived, -5_050n]);
    expect(await balance(accountId('exchange', assetKey({ assetCode: 'USD', assetScale: 2 })))).toBe(5_050n);
    expect(await balance(accountId('exchange', assetKey({ assetCode: 'EUR', assetScale: 2 })))).toBe(100_000n - arrived);
  });

  it('arrives in full when its packets come all at once, and each of them twice', async () => {
    await rate('0.0137');
    await fund(100_000n);
    const peer = await addPeer();
    const to = await invoice('bob');
    const packets = await Promise.all(Array.from({ length: 40 }, () => money(to, 37n)));
    const replies = await Promise.all([...packets, ...packets].map((packet) => hand(peer, packet)));
    expect(new Set(replies.map(codeOf))).toEqual(new Set(['fulfil']));
    expect([await purse('bob'), await position(peer)]).toEqual([(1_480n * 137n) / 10_000n, -1_480n]);
  });

  it('is refused without a rate, with one that is too old, and without funds, each time for good', async () => {
    const peer = await addPeer();
    const to = await invoice('bob');
    const unpriced = await money(to, 100n);
    expect(codeOf(await hand(peer, unpriced))).toBe('F02');
    await rate('2', node.clock.now() - 3_601_000);
    expect(codeOf(await hand(peer, await money(to, 100n)))).toBe('F02');
    await rate('2');
    expect(codeOf(await hand(peer, unpriced))).toBe('F02');
    const unfunded = await money(to, 100n);
    expect(codeOf(await hand(peer, unfunded))).toBe('T04');
    await fund(200n);
    expect(codeOf(await hand(peer, unfunded))).toBe('T04');
    expect(codeOf(await hand(peer, await money(to, 100n)))).toBe('fulfil');
    expect([await purse('bob'), await position(peer)]).toEqual([200n, -100n]);
  });
});

describe('hostile senders', () => {
  it('cannot pay more than was asked for by opening many streams', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 100n);
    const shares = (count: number) => Array.from({ length: count }, (_, i) => new StreamMoneyFrame(2 * i + 1, 1));
    for (let i = 0; i < 5; i += 1) await hand(peer, await money(to, 60n, {}, shares(2)));
    for (const count of [5, 50, 400]) expect(codeOf(await hand(peer, await money(to, 10n, {}, shares(count))))).not.toBe('fulfil');
    expect((await node.payments.incomingPayments.find(to.id))?.received).toBe(60n);
  });

  it('are told for good that a payment is closed, also by packets that nobody can fulfil', async () => {
    const peer = await addPeer();
    const to = await invoice('carol', 10n);
    const probe = () => money(to, 1n, { executionCondition: randomBytes(32) });
    expect(codeOf(await hand(peer, await probe()))).toBe('F99');
    await hand(peer, await money(to, 10n));
    expect(codeOf(await hand(peer, await probe()))).toBe('F02');
  });

  it('cannot end the node by closing streams and connections with errors', async () => {
    const peer = await addPeer();
    const to = await invoice('carol');
    const closes = [new StreamMoneyFrame(1, 1), new StreamCloseFrame(1, 2, 'boom'), new ConnectionCloseFrame(2, 'boom')];
    for (let i = 0; i < 3; i += 1) await hand(peer, await money(to, 10n, {}, closes));
    expect(codeOf(await hand(peer, await money(to, 10n)))).toBe('fulfil');
  });

  it('get no fulfilment for a packet with other frames, because its condition differs', async () => {
    const peer = await addPeer();
    const to = await invoice('carol');
    const executionCondition = randomBytes(32);
    expect(codeOf(await hand(peer, await money(to, 10n, { executionCondition })))).not.toBe('fulfil');
    expect(await purse('carol')).toBe(0n);
  });
});
