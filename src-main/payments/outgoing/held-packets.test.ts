import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sentPackets } from '../../peers/tables.ts';
import { TwoWorlds } from '../testing/two-worlds.ts';
import { onlyChoice } from './held-packets.ts';
import type { SentPacket } from './sent-packets.ts';

const packet = fc.record({ peerId: fc.constantFrom('a', 'b'), sourceAmount: fc.bigInt(1n, 3n), peerAmount: fc.bigInt(1n, 4n) });
type Packet = Pick<SentPacket, 'peerId' | 'sourceAmount' | 'peerAmount'>;

const heldOf = (packet: Packet) => ({ packet: packet as SentPacket, peer: { assetCode: 'USD', assetScale: 2 } });
const worth = (packets: readonly Packet[]) => packets.reduce((sum, { peerAmount }) => sum + peerAmount, 0n);
const likeness = (packets: readonly Packet[]) =>
  packets
    .map((some) => Object.values(some).join(' '))
    .sort()
    .join();

it('the packets that arrived are known exactly when no others could have brought as much', () => {
  fc.assert(
    fc.property(fc.array(packet, { minLength: 1, maxLength: 8 }), fc.bigInt(0n, 20n), (packets, sum) => {
      const choices = new Set<string>();
      for (let which = 1; which < 2 ** packets.length; which += 1) {
        const chosen = packets.filter((_, index) => (which >> index) % 2 === 1);
        if (worth(chosen) === sum) choices.add(likeness(chosen));
      }
      const found = onlyChoice(packets.map(heldOf), sum);
      expect(found && likeness([...found].map(({ packet }) => packet))).toBe(choices.size === 1 ? [...choices][0] : undefined);
    }),
    { numRuns: 500 },
  );
});

it('is found at once among sixteen that all differ', () => {
  const packets = Array.from({ length: 16 }, (_, n) => heldOf({ peerId: 'a', sourceAmount: 1n, peerAmount: BigInt(2 ** n) }));
  expect(onlyChoice(packets, 2n ** 16n - 2n)?.size).toBe(15);
});

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
