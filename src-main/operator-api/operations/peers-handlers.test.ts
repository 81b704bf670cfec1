import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { healthText } from '../../../src-shared/words/health.ts';
import { peerTestText } from '../../../src-shared/words/peer-test.ts';
import { overview } from '../queries/health/overview.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

describe.each(Object.entries(TRANSPORTS))('peers over %s', (_, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;
  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    const { error } = await safe<unknown, Error>(work);
    return error instanceof ORPCError ? error.code : `no error: ${String(error)}`;
  };
  const bakery = {
    ...{ name: 'Bakery', assetCode: 'USD', assetScale: 2, ilpAddress: 'g.bakery', routes: [], endpoint: 'https://bakery.example/ilp' },
    ...{ creditLimit: 100n, debtLimit: null, maxPacketAmount: null, deduplicates: true, outgoingToken: 'a-token-of-theirs-0' },
  };
  const add = (changes: Partial<typeof bakery> = {}) => client.peers.add({ requestId: randomUUID(), ...bakery, ...changes });

  it('are added, listed, changed, settled with and removed', async () => {
    const { peer, incomingToken } = await add();
    expect(incomingToken).toMatch(/^[\w-]{43}$/);
    expect(peer).toMatchObject({ name: 'Bakery', state: 'active', position: 0n, creditLimit: 100n, lastSeenAt: null, lastProblem: null });
    expect(JSON.stringify(peer, (__, value) => String(value))).not.toContain('a-token-of-theirs-0');
    expect((await client.peers.list({})).items).toEqual([peer]);
    expect(await client.peers.edit({ id: peer.id, creditLimit: 50n, debtLimit: 20n })).toMatchObject({ creditLimit: 50n, debtLimit: 20n });
    const { incomingToken: renewed } = await client.peers.renewToken({ id: peer.id });
    expect(renewed).not.toBe(incomingToken);
    expect(await client.peers.pause({ id: peer.id })).toMatchObject({ state: 'paused' });
    expect(await client.peers.resume({ id: peer.id })).toMatchObject({ state: 'active' });
    const settle = (direction: 'received' | 'paid', amount: bigint) =>
      client.peers.settle({ id: peer.id, requestId: randomUUID(), direction, amount, note: 'bank' });
    expect(await settle('received', 30n)).toMatchObject({ position: 30n });
    expect(await codeOf(client.peers.remove({ id: peer.id }))).toBe('NOT_SETTLED');
    expect(await codeOf(settle('paid', 81n))).toBe('PAST_CREDIT');
    expect(await settle('paid', 30n)).toMatchObject({ position: 0n });
    expect(await client.peers.remove({ id: peer.id })).toMatchObject({ state: 'removed' });
    expect((await client.peers.list({})).items).toEqual([]);
  });

  it('are told one address for each currency of the accounts and peers', async () => {
    const { ilpAddress } = await client.peers.self();
    const account = { requestId: randomUUID(), name: 'shop', publicName: 'Shop', openingBalance: 0n };
    await client.accounts.create({ ...account, assetCode: 'USD', assetScale: 2 });
    await add();
    await add({ ilpAddress: 'g.tokyo', assetCode: 'JPY', assetScale: 0 });
    const { addresses } = await client.peers.self();
    expect(addresses).toEqual([
      { assetCode: 'USD', assetScale: 2, ilpAddress: `${ilpAddress}.USD-2` },
      { assetCode: 'JPY', assetScale: 0, ilpAddress: `${ilpAddress}.JPY-0` },
    ]);
  });

  it('are refused with a reason', async () => {
    const { peer } = await add();
    expect(await codeOf(add())).toBe('ADDRESS_TAKEN');
    expect(await codeOf(add({ ilpAddress: (await client.peers.self()).ilpAddress }))).toBe('OWN_ADDRESS');
    expect(await codeOf(add({ ilpAddress: 'not an address' }))).toBe('BAD_REQUEST');
    expect(await codeOf(add({ outgoingToken: 'with\r\nanother: header' }))).toBe('BAD_REQUEST');
    expect(await codeOf(client.peers.edit({ id: peer.id, creditLimit: -1n }))).toBe('BAD_REQUEST');
    const nobody = { id: randomUUID() };
    for (const ask of [client.peers.pause, client.peers.remove, client.peers.test, client.peers.edit, client.peers.renewToken])
      expect(await codeOf(ask(nobody))).toBe('NOT_FOUND');
  });

  it('are tested, and the overview names those with a problem', async () => {
    const stateOf = async () => {
      const check = (await overview(desk.context)).health.find(({ name }) => name === 'peers');
      return check && { state: check.state, words: healthText(check) };
    };
    expect(await stateOf()).toBeUndefined();
    expect(await client.node.info()).toMatchObject({ connected: false });
    const { peer } = await add();
    expect(await stateOf()).toMatchObject({ state: 'good' });
    expect(await client.node.info()).toMatchObject({ connected: true });
    const tested = await client.peers.test({ id: peer.id });
    expect([tested.outcome, peerTestText(tested)]).toEqual(['unreachable', expect.stringMatching(/could not reach it/)]);
    expect(await stateOf()).toMatchObject({ state: 'warning', words: expect.stringMatching(/^Bakery: Your node could not reach it/) });
    expect((await client.peers.list({})).items[0]?.lastProblem).toBe('unreachable');
    await client.peers.settle({ id: peer.id, requestId: randomUUID(), direction: 'paid', amount: 100n, note: '' });
    expect((await stateOf())?.words).toContain('Bakery owes as much as it may');
    await client.peers.settle({ id: peer.id, requestId: randomUUID(), direction: 'received', amount: 120n, note: '' });
    await client.peers.edit({ id: peer.id, debtLimit: 20n });
    expect((await stateOf())?.words).toContain('Your node owes Bakery as much as it may');
    await client.peers.pause({ id: peer.id });
    expect(await stateOf()).toMatchObject({ state: 'warning', words: 'Bakery is paused.' });
  });
});
