import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPacketText } from '../../../src-shared/words/open-packets.ts';
import { PEER, START, TwoWorlds, USD } from '../../payments/testing/two-worlds.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

let world: TwoWorlds;
let desk: Desk;
beforeEach(async () => {
  world = await TwoWorlds.open({ peer: { deduplicates: false } });
  desk = openDesk(world.node);
});
afterEach(() => desk.close());

/** Makes a payment whose only packet gets no answer. */
async function unanswered() {
  world.fates('lose');
  const receiver = world.elsewhere.invoice();
  const { id } = await world.pay(receiver, 500n);
  await world.until(id, ({ state, held }) => state === 'retrying' && held > 0n);
  return { id, receiver };
}

describe.each(Object.entries(TRANSPORTS))('packets without an answer, over %s', (_name, connect) => {
  let client: Client;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ client, close } = await connect(desk));
  });
  afterEach(() => close());

  it('are shown with what the node does about them, and end as the operator says', async () => {
    const { id, receiver } = await unanswered();
    const waiting = await client.payments.get({ id });
    expect(waiting).toMatchObject({ status: 'retrying', failure: null, held: { value: 500n, ...USD } });
    expect(waiting.openPackets).toEqual([
      {
        ...{ peerId: PEER, peerName: 'Bakery', amount: { value: 500n, ...USD }, state: 'held' },
        ...{ sentAt: new Date(START), expiresAt: new Date(START + 29_000), askedAgain: expect.any(Boolean) },
      },
    ]);
    expect(waiting.openPackets.map(openPacketText)).toEqual([expect.stringContaining('Bakery has not answered')]);
    await expect(client.payments.resolve({ id, outcome: 'arrived' })).rejects.toMatchObject({ code: 'NOT_UNKNOWN' });
    world.elsewhere.of(receiver).received += 700n;
    await world.until(id, ({ state }) => state === 'unknown');
    const unknown = await client.payments.get({ id });
    expect(unknown).toMatchObject({ status: 'unknown', openPackets: [{ state: 'unknown' }] });
    expect(unknown.openPackets.map(openPacketText)).toEqual([expect.stringContaining('say here')]);
    const resolved = await client.payments.resolve({ id, outcome: 'arrived' });
    expect(resolved).toMatchObject({ status: 'completed', openPackets: [], held: { value: 0n }, progress: { value: 500n } });
    expect(resolved.timeline.map(({ type }) => type)).toContain('outgoing_payment.resolved');
    expect((await client.activity.list({})).items).toMatchObject([
      { operation: 'payments.resolve', subject: id, facts: { outcome: 'arrived' } },
    ]);
    await expect(client.payments.resolve({ id, outcome: 'not_arrived' })).rejects.toMatchObject({ code: 'NOT_UNKNOWN' });
    await expect(client.payments.resolve({ id: randomUUID(), outcome: 'arrived' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('give their money back when the operator says that it did not arrive, and name the reason', async () => {
    const { id, receiver } = await unanswered();
    world.elsewhere.of(receiver).received += 700n;
    await world.until(id, ({ state }) => state === 'unknown');
    const resolved = await client.payments.resolve({ id, outcome: 'not_arrived' });
    expect(resolved).toMatchObject({ status: 'failed', failure: { code: 'unresolved' }, progress: { value: 0n } });
    expect(await world.books()).toMatchObject({ customer: 100_000n, escrow: 0n, inFlight: 0n });
  });

  it('are booked in part when the operator says how much arrived', async () => {
    await desk.close();
    world = await TwoWorlds.open({ peer: { deduplicates: false }, maxPacketAmount: 100n });
    desk = openDesk(world.node);
    ({ client, close } = await connect(desk));
    world.fates('pass', 'lose', 'mute');
    const receiver = world.elsewhere.invoice();
    const { id } = await world.pay(receiver, 300n);
    await world.until(id, ({ held }) => held === 200n);
    world.elsewhere.of(receiver).received += 7n;
    await world.until(id, ({ state }) => state === 'unknown');
    for (const arrived of [50n, 200n, 300n]) {
      await expect(client.payments.resolve({ id, outcome: 'part', arrived })).rejects.toMatchObject({ code: 'NOT_A_PART' });
    }
    const resolved = await client.payments.resolve({ id, outcome: 'part', arrived: 100n });
    expect(resolved).toMatchObject({ status: 'failed', openPackets: [], held: { value: 0n }, progress: { value: 200n } });
    expect(await world.books()).toMatchObject({ customer: 99_800n, escrow: 0n, inFlight: 0n, peer: 200n, taken: 200n });
    expect((await world.eventsOf(id)).slice(-3)).toEqual(['resolved', 'sent', 'failed']);
  });
});
