import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LeavingPacket } from '../../ilp/packet-book.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { outgoingPayments } from '../tables.ts';
import { PEER, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { createPacketBook } from './sent-packets.ts';

let world: TwoWorlds;
let paymentId: string;
beforeEach(async () => {
  world = await TwoWorlds.open();
  await world.node.worker.stop();
  paymentId = (await world.pay(world.elsewhere.invoice(), 500n)).id;
  await world.node.database.write((tx) => tx.update(outgoingPayments).set({ state: 'sending', attempt: 3 }));
});
afterEach(() => world.close());

/** Sets a packet of the payment's third attempt aside. */
async function hold(amount: bigint, changes: Partial<LeavingPacket> = {}): Promise<string> {
  const { database, clock } = world.node;
  const outcome = await createPacketBook({ database, clock, seal: new Seal(Buffer.alloc(32, 2)) }).hold({
    ...{ condition: randomBytes(32), peerId: PEER, sender: { outgoingPaymentId: paymentId, attempt: 3 }, prepare: Buffer.from('packet') },
    ...{ sourceAmount: amount, sourceAsset: USD, peerAmount: amount, peerAsset: USD, expiresAt: clock.now() + 30_000 },
    sharedSecret: undefined,
    ...changes,
  });
  return outcome.ok ? 'held' : outcome.error;
}

describe('a packet to a peer', () => {
  it('is held only for the attempt that has claimed the payment, while the attempt may send', async () => {
    for (const attempt of [2, 4]) expect(await hold(1n, { sender: { outgoingPaymentId: paymentId, attempt } })).toBe('sender_stopped');
    for (const state of ['funded', 'retrying', 'settling', 'unknown', 'failed'] as const) {
      await world.node.database.write((tx) => tx.update(outgoingPayments).set({ state }));
      expect(await hold(1n)).toBe('sender_stopped');
    }
    expect(await world.books()).toMatchObject({ escrow: 500n, inFlight: 0n });
  });

  it('is held for no more than is left beside what is held already', async () => {
    expect(await hold(501n)).toBe('sender_stopped');
    expect([await hold(300n), await hold(201n), await hold(200n), await hold(1n)]).toEqual([
      'held',
      'sender_stopped',
      'held',
      'sender_stopped',
    ]);
    expect(await world.read(paymentId)).toMatchObject({ held: 500n, sent: 0n });
  });

  it('is held only while the peer may be owed that much, with what is on its way to it', async () => {
    await world.wing.registry.edit(PEER, { debtLimit: 400n });
    expect([await hold(300n), await hold(101n), await hold(100n), await hold(1n)]).toEqual(['held', 'peer_credit', 'held', 'peer_credit']);
    expect(await world.books()).toMatchObject({ inFlight: 400n });
  });

  it('keeps its peer from being removed, even when it brings the peer less than a unit', async () => {
    expect(await hold(1n, { peerAmount: 0n })).toBe('held');
    expect(await world.books()).toMatchObject({ peer: 0n, inFlight: 0n });
    expect(await world.wing.registry.remove(PEER)).toEqual({ ok: false, error: 'not_settled' });
  });

  it('is held only for a peer that is not paused', async () => {
    await world.wing.registry.setState(PEER, 'paused');
    expect(await hold(1n)).toBe('peer_credit');
  });
});
