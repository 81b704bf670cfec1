import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receivedPackets } from '../../../peers/tables.ts';
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

  it('can pay once nothing is missing, and the first payment from outside is told', async () => {
    expect(await client.wallets.outside()).toEqual({ missing: 'public_address', firstPaidAt: null });
    desk.context.about.reachableByOthers = true;
    expect(await client.wallets.outside()).toEqual({ missing: null, firstPaidAt: null });
    desk.context.reach.anyBack = async () => 'peer_paused';
    expect(await client.wallets.outside()).toEqual({ missing: 'peer_paused', firstPaidAt: null });
    desk.context.reach.anyBack = async () => undefined;
    const added = {
      ...{ requestId: randomUUID(), name: 'Bakery', assetCode: 'USD', assetScale: 2, ilpAddress: 'g.bakery', routes: [] },
      ...{ endpoint: 'https://bakery.example/ilp', creditLimit: 0n, debtLimit: null, maxPacketAmount: null },
    };
    const { peer } = await client.peers.add({ ...added, deduplicates: true, outgoingToken: 'a-token-of-theirs-0' });
    const packet = { peerId: peer.id, reply: '', sourceAmount: 1n, amount: 1n };
    const at = Date.UTC(2026, 0, 2);
    await desk.context.database.write(async (tx) => {
      await tx.insert(receivedPackets).values({ ...packet, condition: 'refused', incomingPaymentId: null, createdAt: at - 2 });
      await tx.insert(receivedPackets).values({ ...packet, condition: 'later', incomingPaymentId: 'a', createdAt: at + 1 });
      await tx.insert(receivedPackets).values({ ...packet, condition: 'first', incomingPaymentId: 'b', createdAt: at });
    });
    expect(await client.wallets.outside()).toEqual({ missing: null, firstPaidAt: new Date(at) });
  });
});
