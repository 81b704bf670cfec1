import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sentPackets } from '../../peers/tables.ts';
import { TwoWorlds } from '../testing/two-worlds.ts';
import type { SentPacket } from './sent-packets.ts';

describe('two packets of which only the receiver can tell', () => {
  let world: TwoWorlds;
  beforeEach(async () => {
    world = await TwoWorlds.open({ peer: { deduplicates: false }, maxPacketAmount: 100n, quiet: true });
  });
  afterEach(() => world.close());

  /** Pays in three packets, of which the last two get no answer. @returns how to change them, and to ask about them. */
  async function twoHeld(amount: bigint) {
    const { id } = await world.pay(world.elsewhere.invoice(), amount);
    await world.until(id, ({ sent, held }) => sent + held === amount);
    await world.node.worker.stop();
    const held = (await world.packets()).filter(({ state }) => state === 'held');
    const [first, last] = held.sort((a, b) => (a.sourceAmount < b.sourceAmount ? -1 : 1));
    if (first === undefined || last === undefined || held.length > 2) throw new Error('not two packets');
    const change = (changes: Partial<SentPacket>) =>
      world.node.database.write((tx) => tx.update(sentPackets).set(changes).where(eq(sentPackets.condition, first.condition)));
    const ask = async () => await world.node.held.askAbout(await world.read(id), new AbortController().signal);
    return { id, expiresAt: last.expiresAt, change, ask };
  }
  const later = (time: number) => world.clock.advance(time - world.clock.now());

  it('are judged together, so the smaller one may have arrived without the larger one', async () => {
    world.fates('pass', 'lose', 'mute');
    const { id, expiresAt, ask } = await twoHeld(250n);
    later(expiresAt + 10_000);
    expect(await ask()).toEqual({ state: 'answered' });
    expect(await world.read(id)).toMatchObject({ sent: 150n, held: 0n });
    expect(world.elsewhere.taken).toBe(150n);
  });

  it('are not judged while one of them may still arrive', async () => {
    world.fates('pass', 'lose', 'mute');
    const { id, expiresAt, change, ask } = await twoHeld(300n);
    await change({ expiresAt: expiresAt + 5_000 });
    later(expiresAt + 10_000);
    expect(await ask()).toEqual({ state: 'waiting', until: expiresAt + 15_000 });
    expect(await world.read(id)).toMatchObject({ sent: 100n, held: 200n });
    later(expiresAt + 15_000);
    expect(await ask()).toEqual({ state: 'answered' });
    expect(await world.read(id)).toMatchObject({ sent: 200n, held: 0n });
  });

  it.each<[string, Partial<SentPacket>]>([
    ['somebody else has to tell of the other', { state: 'unknown' }],
    ['the count before them is not the same', { receivedFromOthers: 50n }],
    ['nobody knows the count before the other', { receivedFromOthers: null }],
  ])('are unknown when %s', async (_, changes) => {
    world.fates('pass', 'lose', 'mute');
    const { id, expiresAt, change, ask } = await twoHeld(300n);
    await change(changes);
    later(expiresAt + 10_000);
    expect(await ask()).toEqual({ state: 'unknown' });
    expect(await world.read(id)).toMatchObject({ state: 'unknown', sent: 100n, held: 200n });
  });
});
