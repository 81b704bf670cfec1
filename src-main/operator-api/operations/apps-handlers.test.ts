import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Grant } from '../../../src-shared/operator-contract/apps.ts';
import { ClientTiers } from '../../access/clients/client-tiers.ts';
import type { Client as AppClient } from '../../access/clients/clients.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

const APP = 'https://shop.example/till';
const THE_APP: AppClient = { kind: 'wallet-address', id: APP, walletAddress: APP };
const GRANT: Grant = {
  id: randomUUID(),
  client: { id: APP, host: 'shop.example/till', selfAssertedName: null },
  state: 'issued',
  access: [],
  asked: [],
  budgets: [],
  tokens: [],
  interactive: false,
  payments: 0,
  createdAt: new Date(0),
  decidedAt: null,
  expiresAt: null,
  lastUsedAt: null,
};

let desk: Desk;
let client: Client;
let disconnect: () => Promise<void>;
let tiers: ClientTiers;
const openTiers = () => new ClientTiers({ ...desk.context, clientRate: 20_000 });

beforeEach(async () => {
  desk = openDesk();
  tiers = openTiers();
  desk.context.access = { ...desk.context.access, tiers };
  const connect = TRANSPORTS['a port'];
  if (connect === undefined) throw new Error('no such transport');
  ({ client, close: disconnect } = await connect(desk));
});
afterEach(async () => {
  await disconnect();
  await desk.close();
});

const unlimited = {
  ...{ requestsPerSecond: null, failuresPerSecond: null, outboundPerSecond: null },
  ...{ bytesPerHour: null, rows: null, processorPerSecond: null },
};

const grantOf = (app: Grant['client']) => vi.spyOn(desk.context.access.views, 'getGrant').mockResolvedValue({ ...GRANT, client: app });

it('the operator trusts an app more or less, and that counts at once here and within seconds in another process', async () => {
  grantOf(GRANT.client);
  const elsewhere = openTiers();
  expect([await tiers.tierOf(THE_APP), await elsewhere.tierOf(THE_APP)]).toEqual(['stranger', 'stranger']);
  const shown = await client.apps.chooseTrust({ id: GRANT.id, tier: 'trusted' });
  expect(shown).toMatchObject({ tier: 'trusted', chosen: 'trusted', usual: 'stranger', canChoose: true });
  expect(shown.limits).toEqual({
    stranger: {
      ...{ requestsPerSecond: 50, failuresPerSecond: 2, outboundPerSecond: 2 },
      ...{ bytesPerHour: 16 * 1024 * 1024, rows: 2_000, processorPerSecond: 100 },
    },
    known: { ...unlimited, requestsPerSecond: 20_000 },
    trusted: unlimited,
  });
  expect([await tiers.tierOf(THE_APP), await elsewhere.tierOf(THE_APP)]).toEqual(['trusted', 'stranger']);
  desk.clock.advance(5_000);
  expect(await elsewhere.tierOf(THE_APP)).toBe('trusted');
  await client.apps.chooseTrust({ id: GRANT.id, tier: 'stranger' });
  expect(await tiers.tierOf(THE_APP)).toBe('stranger');
  expect(await client.apps.chooseTrust({ id: GRANT.id, tier: null })).toMatchObject({ tier: 'stranger', chosen: null });
  const { items } = await client.activity.list({});
  expect(items.map(({ operation, facts }) => [operation, facts.client, facts.tier])).toEqual(
    ['usual', 'stranger', 'trusted'].map((tier) => ['apps.chooseTrust', APP, tier]),
  );
});

it('a choice that is made while the tier is looked up counts for the next request', async () => {
  const looking = tiers.tierOf(THE_APP);
  await tiers.choose(APP, 'known');
  await looking;
  expect(await tiers.tierOf(THE_APP)).toBe('known');
});

it('nothing is chosen for accounts of this node and for clients that are only a key', async () => {
  const own = desk.context.urls.walletAddress('alice');
  for (const [id, host, tier] of [
    [own, 'wallet.example/alice', 'trusted'],
    ['jwk:abc', null, 'stranger'],
  ] as const) {
    grantOf({ id, host, selfAssertedName: null });
    expect(await client.apps.trust({ id: GRANT.id })).toMatchObject({ tier, canChoose: false });
    const { error } = await safe<unknown, Error>(client.apps.chooseTrust({ id: GRANT.id, tier: 'known' }));
    expect(error instanceof ORPCError && [error.code, error.status]).toEqual(['NO_CHOICE', 409]);
  }
});
