import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peers } from '../../../peers/tables.ts';
import { ok } from '../../../platform/result.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

describe.each(Object.entries(TRANSPORTS))('wallets elsewhere over %s', (_, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;
  let accountId: string;
  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
    const account = { requestId: randomUUID(), name: 'shop', publicName: 'Shop', openingBalance: 0n };
    ({ id: accountId } = await client.accounts.create({ ...account, assetCode: 'USD', assetScale: 2 }));
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  it('are looked at in the name of an account, and each missing step has its code', async () => {
    const asked: string[] = [];
    desk.context.reach.report = async (text, account) => {
      asked.push(`${text} for ${account.name}`);
      return ok({
        wallet: {
          ...{ id: 'https://wallet.example/ann', publicName: 'Ann', assetCode: 'EUR', assetScale: 2 },
          ...{ authServer: 'https://auth.wallet.example', resourceServer: 'https://wallet.example' },
        },
        lines: [
          { step: 'answers', state: 'good' },
          { step: 'way_out', state: 'missing', problem: 'packet_refused', code: 'F00' },
        ],
      });
    };
    expect(await client.wallets.check({ accountId, wallet: ' wallet.example/ann ' })).toEqual({
      ...{ walletAddress: 'https://wallet.example/ann', name: 'Ann', asset: { assetCode: 'EUR', assetScale: 2 }, own: false },
      lines: [
        { step: 'answers', state: 'good', problem: null, code: null },
        { step: 'way_out', state: 'missing', problem: 'packet_refused', code: 'F00' },
      ],
      example: null,
    });
    expect(asked).toEqual(['wallet.example/ann for shop']);
  });

  it('are told apart from accounts of this node, and need an account of this node', async () => {
    expect(await client.wallets.check({ accountId, wallet: 'own.example/shop' })).toMatchObject({ own: true, lines: [] });
    const { error } = await safe(client.wallets.check({ accountId: randomUUID(), wallet: 'wallet.example/ann' }));
    expect(error instanceof ORPCError && error.code).toBe('NOT_FOUND');
  });

  it('can pay once nothing is missing, and it is told when somebody from outside last paid', async () => {
    expect(await client.wallets.outside()).toEqual({ missing: 'public_address', lastPaidAt: null });
    desk.context.about.reachableByOthers = true;
    expect(await client.wallets.outside()).toEqual({ missing: 'peer_unreachable', lastPaidAt: null });
    desk.context.reach.anyBack = async () => 'peer_paused';
    expect(await client.wallets.outside()).toEqual({ missing: 'peer_paused', lastPaidAt: null });
    desk.context.reach.anyBack = async () => undefined;
    const added = {
      ...{ requestId: randomUUID(), name: 'Bakery', assetCode: 'USD', assetScale: 2, ilpAddress: 'g.bakery', routes: [] },
      ...{ endpoint: 'https://bakery.example/ilp', creditLimit: 0n, debtLimit: null, maxPacketAmount: null },
    };
    const { peer } = await client.peers.add({ ...added, deduplicates: true, outgoingToken: 'a-token-of-theirs-0' });
    expect(await client.wallets.outside()).toEqual({ missing: null, lastPaidAt: null });
    const at = desk.context.clock.now();
    await desk.context.database.write((tx) => tx.update(peers).set({ lastBroughtAt: at }).where(eq(peers.id, peer.id)));
    expect(await client.wallets.outside()).toEqual({ missing: null, lastPaidAt: new Date(at) });
    await client.peers.test({ id: peer.id });
    expect(await client.wallets.outside()).toEqual({ missing: 'peer_unreachable', lastPaidAt: new Date(at) });
  });

  it('cannot pay after a look at the public address has failed, until one succeeds or somebody pays', async () => {
    desk.context.about.reachableByOthers = true;
    const missing = async () => (await client.wallets.outside()).missing;
    expect(await missing()).toBe('peer_unreachable');
    const states: string[] = [];
    for await (const { state } of await client.health.reach()) states.push(state);
    expect(states).toContain('bad');
    expect(await missing()).toBe('address_unreachable');
    expect((await client.node.overview()).health).toContainEqual({
      ...{ name: 'outside', state: 'warning', missing: 'address_unreachable', lastPaidAt: null },
    });
    desk.context.lastLook.note('reachable');
    expect(await missing()).toBe('peer_unreachable');
  });
});
