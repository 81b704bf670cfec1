import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { queries } from './operator-client.ts';
import { keysOf } from './query-keys.ts';

const id = '00000000-0000-4000-8000-000000000001';

/** One query of every kind that the console has, as the screens make it. */
const QUERIES = {
  info: queries.node.info.queryKey(),
  overview: queries.node.overview.queryKey(),
  accounts: queries.accounts.list.queryKey({ input: {} }),
  account: queries.accounts.get.queryKey({ input: { id } }),
  movements: queries.accounts.movements.infiniteKey({ input: () => ({ id }), initialPageParam: undefined }),
  keys: queries.accounts.keys.list.queryKey({ input: { id } }),
  payments: queries.payments.list.infiniteKey({ input: () => ({ direction: 'in' }), initialPageParam: undefined }),
  recent: queries.payments.list.queryKey({ input: { limit: 6 } }),
  payment: queries.payments.get.queryKey({ input: { id } }),
  requests: queries.requests.open.queryKey(),
  request: queries.requests.get.queryKey({ input: { id } }),
  approvals: queries.approvals.list.queryKey(),
  approval: queries.approvals.get.queryKey({ input: { id } }),
  grants: queries.apps.grants.infiniteKey({ input: () => ({}), initialPageParam: undefined }),
  grant: queries.apps.grant.queryKey({ input: { id } }),
  rates: queries.rates.list.queryKey(),
  funds: queries.rates.funds.queryKey(),
  pairs: queries.pairs.list.queryKey(),
  rateSources: queries.rateSources.list.queryKey(),
  backups: queries.backups.status.queryKey(),
  desktop: queries.desktop.get.queryKey(),
  timeZone: queries.settings.timeZone.queryKey(),
  activity: queries.activity.list.infiniteKey({ input: () => ({}), initialPageParam: undefined }),
};

let queryClient: QueryClient;
beforeEach(() => {
  queryClient = new QueryClient();
  for (const queryKey of Object.values(QUERIES)) queryClient.setQueryData([...queryKey], {});
});

async function invalidated(...topics: Parameters<typeof keysOf>[0][]): Promise<string[]> {
  await Promise.all(keysOf(topics.flatMap((one) => [...one])).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const old = Object.entries(QUERIES).filter(([, queryKey]) => queryClient.getQueryState([...queryKey])?.isInvalidated);
  return old.map(([name]) => name).sort();
}

test.each([
  ['accounts', ['account', 'accounts', 'funds', 'movements', 'overview']],
  ['payments', ['overview', 'payment', 'payments', 'recent', 'request', 'requests']],
  ['approvals', ['approval', 'approvals', 'overview']],
  ['apps', ['grant', 'grants', 'overview']],
  ['keys', ['keys']],
  ['rates', ['funds', 'overview', 'pairs', 'rateSources', 'rates']],
  ['backups', ['backups', 'overview']],
  ['settings', ['desktop', 'timeZone']],
  ['activity', ['activity']],
  ['node', ['info', 'overview']],
] as const)('a change of %s makes just its queries old', async (topic, expected) => {
  expect(await invalidated([topic])).toEqual(expected);
});

test('all topics together make everything old, and no key is there twice', async () => {
  const keys = keysOf([
    'accounts',
    'payments',
    'approvals',
    'apps',
    'keys',
    'rates',
    'backups',
    'settings',
    'activity',
    'node',
    'payments',
  ]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(
    await invalidated(['accounts', 'payments', 'approvals', 'apps', 'keys', 'rates', 'backups', 'settings', 'activity', 'node']),
  ).toEqual(Object.keys(QUERIES).sort());
});

test('no topic makes nothing old', async () => {
  expect(await invalidated([])).toEqual([]);
});
