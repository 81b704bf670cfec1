import { isContractProcedure } from '@orpc/contract';
import { expect, test } from 'vitest';
import { contract, type OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { type Audience, everyone, owner, ROLES } from '../../../src-shared/people/roles.ts';
import { ADDRESSES, mayOpen } from './addresses.ts';

/** The operation that each page begins with. */
const BEGINS: Readonly<Record<string, OperationName>> = {
  '/get-paid': 'requests.create',
  '/get-paid/': 'requests.get',
  '/till': 'requests.create',
  '/pay': 'payments.quote',
  '/payments': 'payments.list',
  '/approvals': 'approvals.list',
  '/apps': 'apps.grants',
  '/accounts': 'accounts.list',
  '/accounts/new': 'accounts.create',
  '/peers': 'peers.list',
  '/peers/new': 'peers.add',
  '/peers/invite': 'invitations.create',
  '/peers/accept': 'invitations.accept',
  '/peers/rafiki': 'peers.add',
  '/reach': 'wallets.outside',
  '/rates': 'rates.list',
  '/health': 'node.overview',
  '/health/log': 'health.log',
  '/products': 'products.list',
  '/closings': 'closings.current',
  '/closings/': 'closings.list',
  '/receipts/': 'receipts.get',
  '/reports': 'reports.sales',
  '/statements': 'statements.look',
  '/activity': 'activity.list',
  '/settings': 'people.me',
  '/welcome': 'accounts.create',
  '/restore': 'restore.begin',
};

function mayCall(operation: OperationName): Audience {
  let part: unknown = contract;
  for (const name of operation.split('.')) part = (part as Record<string, unknown>)[name];
  if (!isContractProcedure(part)) throw new Error(`no operation ${operation}`);
  return (part['~orpc'].meta as { may: Audience }).may;
}

test('a page is open to whoever may call the operation that it begins with', () => {
  expect(Object.keys(BEGINS).sort()).toEqual(Object.keys(ADDRESSES).sort());
  for (const [address, operation] of Object.entries(BEGINS))
    for (const role of ROLES) expect(mayOpen(address).includes(role), `${address} ${role}`).toBe(mayCall(operation).includes(role));
});

test('the longest address counts, without the search, and the beginning of a word is no address', () => {
  expect(mayOpen('/peers/new?currency=EUR')).toBe(owner);
  expect(mayOpen('/peers/0123')).toBe(mayOpen('/peers'));
  expect(mayOpen('/get-paid/0123#x')).toBe(everyone);
  expect(mayOpen('/payables')).toBe(everyone);
  expect(mayOpen('/')).toBe(everyone);
  expect(mayOpen('/settings')).toBe(everyone);
});
