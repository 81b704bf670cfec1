import { randomBytes, randomUUID } from 'node:crypto';
import { type PaymentProgress, pay, setupPayment, startQuote } from '@interledger/pay';
import { deserializeIlpPrepare, deserializeIlpReply, isFulfill, isReject } from 'ilp-packet';
import { type Frame, StreamDataBlockedFrame, StreamDataFrame, StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { craft } from '../ilp/testing/network.ts';
import { events } from '../journal/tables.ts';
import { findIncomingPayment } from '../payments/incoming/incoming-payments.ts';
import type { KnownPeer } from '../peers/peer-directory.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

const EUR = { assetCode: 'EUR', assetScale: 2 };
let node: TestNode;
let peer: KnownPeer;
beforeEach(async () => {
  node = await openTestNode();
  // The library reads the time of this computer, and its packets live for half a minute.
  node.clock.advance(Date.now() - node.clock.now());
  await rate('0.5');
  await node.payments.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 100_000n, note: '' });
  const id = randomUUID();
  await node.payments.peers.operator.registry.add(newPeer({ id, creditLimit: 100_000n, maxPacketAmount: 9_000n }));
  const known = node.payments.peers.directory.byId(id);
  if (known === undefined) throw new Error('the peer is not known');
  peer = known;
});
afterEach(() => node.close());

const rate = async (text: string) => {
  const asOf = node.clock.now();
  await node.payments.rates.set({ base: 'USD', quote: 'EUR', rate: text, spreadBps: 0, source: 'test', asOf, maxAgeSeconds: 3_600 });
};

/** The reference implementation's library pays 40.00 EUR out of dollars. `onMoney` runs before its money leaves. */
async function payBy(onMoney: () => Promise<void>): Promise<{ progress: PaymentProgress; received: bigint; codes: string[]; id: string }> {
  const made = await node.payments.incomingPayments.create({
    walletAddress: node.accounts.bob,
    client: null,
    incomingAmount: { value: 4_000n, ...EUR },
  });
  if (!made.ok) throw new Error(made.error);
  const { ilpAddress: destinationAddress, sharedSecret } = await node.payments.credentials(made.value.id, EUR);
  let quoted = false;
  const codes: string[] = [];
  const plugin = {
    sendData: async (bytes: Buffer): Promise<Buffer> => {
      if (quoted) await onMoney();
      const answer = await node.payments.peers.packets.handle(bytes, peer);
      const reply = deserializeIlpReply(answer);
      if (quoted && deserializeIlpPrepare(bytes).amount !== '0') codes.push(isReject(reply) ? reply.code : 'fulfilled');
      return answer;
    },
  };
  const destination = await setupPayment({ plugin, destinationAddress, sharedSecret });
  const prices = { USD: 1, EUR: 2 };
  const quote = await startQuote({
    plugin,
    destination,
    sourceAsset: { code: 'USD', scale: 2 },
    slippage: 0.05,
    prices,
    amountToDeliver: '4000',
  });
  quoted = true;
  const progress = await pay({ plugin, destination, quote });
  const { received = 0n } = (await findIncomingPayment(node.database.read, made.value.id)) ?? {};
  return { progress, received, codes, id: made.value.id };
}

describe('the payment library of the reference implementation', () => {
  it('still pays when the rate improves by more than a hundredth after its quote', async () => {
    let moved = false;
    const { progress, received, codes } = await payBy(async () => {
      if (!moved) await rate('0.6');
      moved = true;
    });
    expect(progress.error).toBeUndefined();
    expect(received).toBe(4_000n);
    expect(codes).toContain('F99');
    expect(progress.amountSent).toBeLessThan(7_000n);
  });
});

/** A packet with these frames, as everybody who knows the secret can make it. */
async function hand(id: string, amount: bigint, frames: Frame[], sequence: number) {
  const to = await node.payments.credentials(id, EUR);
  const changes = { expiresAt: new Date(node.clock.now() + 30_000) };
  const packet = await craft(to, { frames, amount: amount.toString(), sequence, changes });
  return deserializeIlpReply(await node.payments.peers.packets.handle(packet, peer));
}

describe('a sender of another make', () => {
  it('may not send more in one packet than the limit that its peer has at this node', async () => {
    const made = await node.payments.incomingPayments.create({ walletAddress: node.accounts.bob, client: null });
    if (!made.ok) throw new Error(made.error);
    const reply = await hand(made.value.id, 9_001n, [new StreamMoneyFrame(1, 1)], 1);
    expect(isReject(reply) && [reply.code, reply.data.readBigUInt64BE(0), reply.data.readBigUInt64BE(8)]).toEqual(['F08', 9_001n, 9_000n]);
    expect(isFulfill(await hand(made.value.id, 9_000n, [new StreamMoneyFrame(1, 1)], 2))).toBe(true);
  });

  it('that gives each currency a peer of its own finds the receivers below the address of their currency', async () => {
    const made = await node.payments.incomingPayments.create({ walletAddress: node.accounts.bob, client: null });
    if (!made.ok) throw new Error(made.error);
    const { ilpAddress } = await node.payments.credentials(made.value.id, EUR);
    const [address] = node.payments.peers.operator.addressesFor([EUR]);
    expect(ilpAddress.startsWith(`${address?.ilpAddress}.`)).toBe(true);
    expect(isFulfill(await hand(made.value.id, 100n, [new StreamMoneyFrame(1, 1)], 1))).toBe(true);
  });

  it('may send encrypted data about its payer along on stream 1, which harms nothing', async () => {
    const made = await node.payments.incomingPayments.create({
      ...{ walletAddress: node.accounts.bob, client: null, incomingAmount: { value: 1_500n, ...EUR } },
    });
    if (!made.ok) throw new Error(made.error);
    const { id } = made.value;
    // As such a sender does it: the data alone first, cut into frames, then data and money, then money and the rest.
    const sealed = randomBytes(3_000);
    const data = (from: number, to: number): Frame => new StreamDataFrame(1, from, sealed.subarray(from, to));
    expect(isFulfill(await hand(id, 0n, [data(0, 1_000)], 1))).toBe(true);
    expect(isFulfill(await hand(id, 1_000n, [data(1_000, 2_000), new StreamMoneyFrame(1, 1)], 2))).toBe(true);
    // A frame that was lost comes again, a later one out of order, and one that says that no more follows.
    const last = [data(0, 1_000), data(2_000, 3_000), new StreamDataBlockedFrame(1, 3_000), new StreamMoneyFrame(1, 1)];
    expect(isFulfill(await hand(id, 2_000n, last, 3))).toBe(true);
    expect(await findIncomingPayment(node.database.read, id)).toMatchObject({ received: 1_500n });
    const stored = JSON.stringify(await node.database.read.select({ body: events.body }).from(events));
    expect(stored).not.toContain(sealed.subarray(0, 30).toString('base64'));
  });
});
