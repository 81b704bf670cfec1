import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenInvariants } from '../../ledger/testing/invariants.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

const USD = { assetCode: 'USD', assetScale: 2 };

let desk: Desk;
let client: Client;
let disconnect: () => Promise<void>;
beforeEach(async () => {
  desk = openDesk();
  const [connect] = Object.values(TRANSPORTS);
  ({ client, close: disconnect } = (await connect?.(desk)) ?? expect.fail('no transport'));
});
afterEach(async () => {
  expect(await brokenInvariants(desk.context.database.read)).toEqual([]);
  await disconnect();
  await desk.close();
});

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const { error } = await safe<unknown, Error>(work);
  return error instanceof ORPCError ? error.code : `no error: ${String(error)}`;
};
const open = (name: string, openingBalance: bigint, requestId = randomUUID()) =>
  client.accounts.create({ requestId, name, publicName: name, ...USD, openingBalance });

it('a movement of money under the id of another one is refused and moves nothing, wherever the other was', async () => {
  const [shop, till] = [await open('shop', 100n), await open('till', 0n)];
  const peer = {
    ...{ requestId: randomUUID(), name: 'Bakery', ...USD, ilpAddress: 'g.bakery', routes: [], endpoint: 'https://bakery.example/ilp' },
    ...{ creditLimit: 1_000n, debtLimit: null, maxPacketAmount: null, deduplicates: true, outgoingToken: 'a-token-of-theirs-0' },
  };
  const { peer: bakery } = await client.peers.add(peer);
  const requestId = randomUUID();
  const deposit = { id: shop.id, requestId, amount: 20n, note: '' };
  expect(await client.accounts.deposit(deposit)).toMatchObject({ balance: 120n });

  const others = [
    () => client.accounts.deposit({ ...deposit, amount: 21n }),
    () => client.accounts.deposit({ ...deposit, id: till.id }),
    () => client.accounts.withdraw(deposit),
    () => client.rates.fund({ requestId, ...USD, amount: 20n, note: '' }),
    () => client.rates.withdraw({ requestId, ...USD, amount: 20n, note: '' }),
    () => client.peers.settle({ id: bakery.id, requestId, direction: 'received', amount: 20n, note: '' }),
    // The opening balance of an account has the id of the account.
    () => client.accounts.deposit({ ...deposit, requestId: shop.id }),
    () => open('third', 5n, requestId),
  ];
  for (const other of others) expect(await codeOf(other())).toBe('REQUEST_ID_TAKEN');

  const { items } = await client.accounts.list({});
  expect(Object.fromEntries(items.map(({ name, balance }) => [name, balance]))).toEqual({ shop: 120n, till: 0n });
  expect(await client.rates.funds()).toMatchObject([{ value: 0n }]);
  expect((await client.peers.get({ id: bakery.id })).position).toBe(0n);
});

it('the same movement under the same id moves its money once, whatever its note says', async () => {
  const shop = await open('shop', 100n);
  const deposit = { id: shop.id, requestId: randomUUID(), amount: 20n, note: 'cash' };
  await client.accounts.deposit(deposit);
  expect(await client.accounts.deposit({ ...deposit, note: 'cash of Monday' })).toMatchObject({ balance: 120n });
  const fund = { requestId: randomUUID(), ...USD, amount: 7n, note: '' };
  await client.rates.fund(fund);
  expect(await client.rates.fund(fund)).toMatchObject({ value: 7n });
});
