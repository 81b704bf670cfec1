import { randomUUID } from 'node:crypto';
import { deserializeIlpReply, type IlpReply, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReceiverCredentials } from '../ilp/stream-credentials.ts';
import { craft } from '../ilp/testing/network.ts';
import { accountId } from '../ledger/ledger.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

// Two processes of one node, over one database. What was changed at one of them never decides as it was before at the
// other, not even in the moment of the change.

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };

let here: TestNode;
let there: TestNode;
beforeEach(async () => {
  here = await openTestNode();
  there = await openTestNode({ beside: here });
  await here.payments.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 1_000_000n, note: '' });
});
afterEach(async () => {
  expect(await brokenInvariants(here.database.read)).toEqual([]);
  await there.close();
  await here.close();
});

const setRate = (rate: string) =>
  here.payments.rates.set({ base: 'USD', quote: 'EUR', rate, spreadBps: 0, source: 'test', asOf: here.clock.now(), maxAgeSeconds: 3_600 });

/** Lets something happen at the one process right after the other has read a rate, once. */
function afterReadingThere(change: () => Promise<unknown>): void {
  const { rates } = there.payments;
  const read = rates.rateBetween.bind(rates);
  vi.spyOn(rates, 'rateBetween').mockImplementationOnce(async (from, to) => {
    const rate = await read(from, to);
    await change();
    return rate;
  });
}

describe('packets of a peer', () => {
  let peer: Record<'id' | 'token', string>;
  let to: ReceiverCredentials;
  beforeEach(async () => {
    await setRate('0.5');
    const id = randomUUID();
    const added = await here.payments.peers.operator.registry.add(newPeer({ id, creditLimit: 1_000_000n }));
    if (!added.ok) throw new Error(added.error);
    peer = { id, token: added.value.incomingToken };
    await there.payments.peers.directory.reload();
    const made = await here.payments.incomingPayments.create({ walletAddress: here.accounts.bob, client: null });
    if (!made.ok) throw new Error(made.error);
    to = await here.payments.credentials(made.value.id, EUR);
  });

  const packet = (amount: bigint) =>
    craft(to, {
      frames: [new StreamMoneyFrame(1, 1)],
      amount: amount.toString(),
      changes: { expiresAt: new Date(here.clock.now() + 30_000) },
    });
  const hand = async (node: TestNode, bytes: Buffer, token = peer.token): Promise<IlpReply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
    const { rawPayload } = await node.app.inject({ method: 'POST', url: '/ilp', headers, payload: bytes });
    return deserializeIlpReply(rawPayload);
  };
  const codeOf = (reply: IlpReply): string => (isReject(reply) ? reply.code : 'fulfil');
  const arrived = async (): Promise<bigint> => {
    const rows = await here.database.read.select().from(ledgerAccounts);
    return rows.find(({ id }) => id === accountId('customer', here.accounts.bob.id))?.balance ?? 0n;
  };

  it('are converted at the rate that counts when their money moves', async () => {
    afterReadingThere(() => setRate('2'));
    expect(codeOf(await hand(there, await packet(100n)))).toBe('fulfil');
    expect(await arrived()).toBe(200n);
    afterReadingThere(() => here.payments.rates.remove('USD', 'EUR'));
    expect(codeOf(await hand(there, await packet(100n)))).toBe('F02');
    expect(await arrived()).toBe(200n);
  });

  it('lose less than a unit and gain none, whichever process takes which', async () => {
    await setRate('0.0213');
    const packets = await Promise.all(Array.from({ length: 40 }, () => packet(41n)));
    for (const [nth, bytes] of packets.slice(0, 20).entries())
      expect(codeOf(await hand(nth % 2 === 0 ? here : there, bytes))).toBe('fulfil');
    // Each process begins at another end, so that both convert packets of the payment at the same time.
    const others = packets.slice(20);
    const together = await Promise.all([
      ...others.map((bytes) => hand(here, bytes)),
      ...others.toReversed().map((bytes) => hand(there, bytes)),
    ]);
    expect(new Set(together.map(codeOf))).toEqual(new Set(['fulfil']));
    expect(await arrived()).toBe((40n * 41n * 213n) / 10_000n);
  });

  it('are not taken once the peer is paused', async () => {
    await here.payments.peers.operator.registry.setState(peer.id, 'paused');
    expect(codeOf(await hand(there, await packet(100n)))).toBe('T03');
    expect(await arrived()).toBe(0n);
  });

  it('are not taken with a token that was replaced', async () => {
    const renewed = await here.payments.peers.operator.registry.renewToken(peer.id);
    expect(renewed.ok).toBe(true);
    expect(codeOf(await hand(there, await packet(100n)))).toBe('T03');
    expect(await arrived()).toBe(0n);
  });
});

describe('quotes and payments', () => {
  const receiver = async (): Promise<string> => {
    const made = await here.payments.incomingPayments.create({ walletAddress: here.accounts.bob, client: null });
    if (!made.ok) throw new Error(made.error);
    return here.urls.incomingPayment(made.value.id);
  };
  const debitAmount = { value: 100n, ...USD };

  it('are priced at the rate that counts when the price is stored', async () => {
    await setRate('0.5');
    afterReadingThere(() => setRate('2'));
    const wanted = { walletAddress: there.accounts.alice, client: null, receiver: await receiver(), debitAmount };
    expect(await there.payments.quotes.create(wanted)).toMatchObject({ ok: true, value: { debitAmount: 100n, receiveAmount: 200n } });

    afterReadingThere(() => setRate('3'));
    const direct = { walletAddress: there.accounts.alice, right: null, incomingPayment: await receiver(), debitAmount };
    const paid = await there.payments.outgoingPayments.createFromIncomingPayment(direct);
    expect(paid).toMatchObject({ ok: true, value: { debitAmount: 100n, receiveAmount: 300n } });
    // The invariants are read in several statements, so nothing may move meanwhile.
    const stateOf = async () => paid.ok && (await there.payments.outgoingPayments.find(paid.value.id))?.state;
    await expect.poll(stateOf, { timeout: 20_000 }).toBe('completed');
  });

  it('are refused when the rate is removed before the price is stored', async () => {
    await setRate('0.5');
    afterReadingThere(() => here.payments.rates.remove('USD', 'EUR'));
    const wanted = { walletAddress: there.accounts.alice, client: null, receiver: await receiver(), debitAmount };
    expect(await there.payments.quotes.create(wanted)).toEqual({ ok: false, error: { code: 'no_rate' } });
  });
});
