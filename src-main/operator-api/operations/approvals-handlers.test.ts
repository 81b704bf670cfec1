import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Grant } from '../../../src-shared/operator-contract/apps.ts';
import type { NewKeyProblem } from '../../access/client-keys/operator-keys.ts';
import type { ApprovalProblem } from '../../access/grants/approvals.ts';
import { ok, refuse } from '../../platform/result.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';

let desk: Desk;
let client: Client;
let disconnect: () => Promise<void>;
const id = randomUUID();

beforeEach(async () => {
  desk = openDesk();
  const connect = TRANSPORTS['a port'];
  if (connect === undefined) throw new Error('no such transport');
  ({ client, close: disconnect } = await connect(desk));
});
afterEach(async () => {
  await disconnect();
  await desk.close();
});

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  const { error } = await safe<unknown, Error>(work);
  return error instanceof ORPCError && error.defined ? [error.code, error.status, error.data] : error;
}

const grant: Grant = {
  id,
  client: { id: 'https://shop.example/till', host: 'shop.example/till', selfAssertedName: null },
  state: 'issued',
  access: [{ type: 'quote', actions: ['create'], identifier: null, limits: null }],
  asked: [{ type: 'quote', actions: ['create'], identifier: null, limits: null }],
  budgets: [],
  tokens: [],
  interactive: false,
  payments: 3,
  createdAt: new Date(0),
  decidedAt: null,
  expiresAt: null,
  lastUsedAt: null,
};

it.each<[ApprovalProblem, unknown[]]>([
  [{ code: 'not_found' }, ['NOT_FOUND', 404, undefined]],
  [{ code: 'not_waiting' }, ['NOT_WAITING', 409, undefined]],
  [{ code: 'changed' }, ['CHANGED', 409, undefined]],
  [{ code: 'limit_needed' }, ['LIMIT_NEEDED', 400, undefined]],
  [{ code: 'nothing_to_limit' }, ['NOTHING_TO_LIMIT', 400, undefined]],
  [{ code: 'expiry_past' }, ['EXPIRY_PAST', 400, undefined]],
  [{ code: 'wrong_code', attemptsLeft: 4 }, ['WRONG_CODE', 400, { attemptsLeft: 4 }]],
])('the operator is told why a request was not approved: %o', async (problem, expected) => {
  vi.spyOn(desk.context.access.approvals, 'approve').mockResolvedValue(refuse(problem));
  expect(await errorOf(client.approvals.approve({ id, code: '0042', shownHash: 'x' }))).toEqual(expected);
});

it('the operation hands the operator’s decision on unchanged', async () => {
  const approve = vi.spyOn(desk.context.access.approvals, 'approve').mockResolvedValue(ok(undefined));
  const decision = {
    id,
    code: '0042',
    shownHash: 'x',
    debitLimit: 2n ** 60n,
    receiveLimit: 7n,
    expiresAt: new Date('2030-01-01T00:00:00Z'),
  };
  expect(await client.approvals.approve(decision)).toEqual({ approved: true });
  expect(approve).toHaveBeenCalledExactlyOnceWith(decision, expect.any(Function));
  expect(await errorOf(client.approvals.approve({ ...decision, code: '42' }))).toMatchObject({ code: 'BAD_REQUEST' });
  expect(approve).toHaveBeenCalledTimes(1);
});

it('the operation denies a request, or says why it cannot', async () => {
  const deny = vi
    .spyOn(desk.context.access.approvals, 'deny')
    .mockResolvedValueOnce(ok(undefined))
    .mockResolvedValue(refuse('not_waiting'));
  expect(await client.approvals.deny({ id })).toEqual({ denied: true });
  expect(await errorOf(client.approvals.deny({ id }))).toEqual(['NOT_WAITING', 409, undefined]);
  deny.mockResolvedValue(refuse('not_found'));
  expect(await errorOf(client.approvals.deny({ id }))).toEqual(['NOT_FOUND', 404, undefined]);
  expect(await errorOf(client.approvals.get({ id }))).toEqual(['NOT_FOUND', 404, undefined]);
});

it('a call that ends a token or a grant is answered with the new state of the grant', async () => {
  const { access } = desk.context;
  vi.spyOn(access.views, 'getGrant').mockResolvedValue(grant);
  vi.spyOn(access.tokens, 'rotateByOperator')
    .mockResolvedValueOnce(ok(id))
    .mockResolvedValueOnce(refuse('ended'))
    .mockResolvedValue(refuse('not_found'));
  vi.spyOn(access.tokens, 'revokeByOperator').mockResolvedValueOnce(ok(id)).mockResolvedValue(refuse('not_found'));
  vi.spyOn(access.views, 'revokeGrant').mockResolvedValueOnce(ok(undefined)).mockResolvedValue(refuse('not_found'));
  for (const call of [client.apps.rotateToken, client.apps.revokeToken, client.apps.revokeGrant]) expect(await call({ id })).toEqual(grant);
  expect(await errorOf(client.apps.rotateToken({ id }))).toEqual(['ENDED', 409, undefined]);
  for (const call of [client.apps.rotateToken, client.apps.revokeToken, client.apps.revokeGrant])
    expect(await errorOf(call({ id }))).toEqual(['NOT_FOUND', 404, undefined]);
});

it('the operator who revokes everything of an app is told how many grants and requests ended', async () => {
  const revokeAll = vi.spyOn(desk.context.access.views, 'revokeAllOf').mockResolvedValue(2);
  expect(await client.apps.revokeAll({ client: 'https://shop.example/till' })).toEqual({ ended: 2 });
  expect(revokeAll).toHaveBeenCalledExactlyOnceWith('https://shop.example/till');
});

it.each<[NewKeyProblem, string]>([
  ['invalid_key', 'INVALID_KEY'],
  ['private_key', 'PRIVATE_KEY'],
  ['key_id_taken', 'KEY_ID_TAKEN'],
])('the operator is told why a key was not added: %s', async (problem, code) => {
  const { id: accountId } = await desk.account('till', 0n);
  const add = vi.spyOn(desk.context.access.clientKeys, 'add').mockResolvedValue(refuse(problem));
  expect(await errorOf(client.accounts.keys.add({ id: accountId, label: 'Till', jwk: '{}' }))).toEqual([
    code,
    problem === 'key_id_taken' ? 409 : 400,
    undefined,
  ]);
  expect(add).toHaveBeenCalledExactlyOnceWith({ walletAddressId: accountId, label: 'Till', jwk: '{}' });
});

it('an account that does not exist has no keys, and none can be added or revoked', async () => {
  expect(await errorOf(client.accounts.keys.list({ id }))).toEqual(['NOT_FOUND', 404, undefined]);
  expect(await errorOf(client.accounts.keys.add({ id, label: 'Till', jwk: '{}' }))).toEqual(['NOT_FOUND', 404, undefined]);
  vi.spyOn(desk.context.access.clientKeys, 'revoke').mockResolvedValue(refuse('not_found'));
  expect(await errorOf(client.accounts.keys.revoke({ keyId: id }))).toEqual(['NOT_FOUND', 404, undefined]);
});
