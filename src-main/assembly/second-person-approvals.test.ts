import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src-shared/people/roles.ts';
import { freezeAccess } from '../access/grants/after-copy.ts';
import { grants } from '../access/tables.ts';
import type { OperatorContext } from '../operator-api/context.ts';
import { router } from '../operator-api/router.ts';
import { secondPersonLimits } from '../operator-api/second-person/tables.ts';
import { people } from '../operator-api/tables.ts';
import { asked } from './testing/grant-steps.ts';
import { openOperator } from './testing/node-operator.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

const USD = { what: 'approvals', assetCode: 'USD', assetScale: 2 } as const;

let node: TestNode;
let context: OperatorContext;
let folder: string;
let ada: Operator;
let bob: Operator;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-second-'));
  node = await openTestNode();
  ({ context } = openOperator(node, folder));
  [ada, bob] = [await manager('Ada'), await manager('Bob')];
});
afterAll(async () => {
  await context.lock.close();
  await node.close();
  rmSync(folder, { recursive: true });
});

const as = (id: string, role: Role) =>
  createRouterClient(router, { context: { ...context, role, doer: { kind: 'person', id, name: id, role } } });
type Operator = ReturnType<typeof as>;

async function manager(name: string): Promise<Operator> {
  const made = await context.people.invite({ name, role: 'manager' });
  if (!made.ok) throw new Error(made.error);
  await node.database.write((tx) => tx.update(people).set({ state: 'active' }));
  return as(made.value.id, 'manager');
}
const protect = (above: bigint) => as('owner', 'owner').secondPerson.set({ ...USD, above });
/** The app asks for 10.00, and Ada approves it. */
async function waits(terms: { debitLimit?: bigint } = {}) {
  const request = await asked(node);
  await expect(ada.approvals.approve({ ...request, ...terms })).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  const act = (await bob.waiting.list()).items.find(({ subject }) => subject === request.id);
  if (act === undefined) throw new Error('nothing waits');
  return { request, act, shown: { id: act.id, hash: act.hash } };
}

it('an approval up to the amount is one person’s, also when they lower the limit of the app', async () => {
  expect(await ada.approvals.approve(await asked(node))).toEqual({ approved: true });
  await protect(900n);
  expect(await ada.approvals.approve({ ...(await asked(node)), debitLimit: 900n })).toEqual({ approved: true });
});

it('an approval above it waits, and is done with exactly its terms when another person confirms it', async () => {
  const { request, act, shown } = await waits({ debitLimit: 950n });
  expect(act).toMatchObject({ operation: 'approvals.approve', amount: { value: 950n }, whom: node.shop.url, isYours: false });
  // Both at once, and whoever asks again, hear of the one that waits.
  await expect(bob.approvals.approve(request)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND', data: { id: act.id } });
  expect((await bob.approvals.get({ id: request.id })).id).toBe(request.id);
  await expect(ada.waiting.confirm(shown)).rejects.toMatchObject({ code: 'SAME_PERSON' });
  await bob.waiting.confirm(shown);
  await expect(bob.approvals.get({ id: request.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const granted = await ada.apps.grant({ id: request.id });
  expect(granted.budgets).toMatchObject([{ kind: 'debit', limit: { value: 950n } }]);
  await expect(bob.waiting.confirm(shown)).rejects.toMatchObject({ code: 'NOT_WAITING' });
});

it('a request that was denied or has lapsed meanwhile is not approved', async () => {
  const denied = await waits();
  await bob.approvals.deny({ id: denied.request.id });
  await expect(bob.waiting.confirm(denied.shown)).rejects.toMatchObject({ code: 'NOT_WAITING' });
  const lapsed = await waits();
  node.clock.advance(3_600_000);
  await expect(bob.waiting.confirm(lapsed.shown)).rejects.toMatchObject({ code: expect.stringMatching(/NOT_WAITING|CANNOT_BE_DONE/) });
});

describe('what is frozen since a restore', () => {
  /** Permissions of an app, each up to this amount, that a restore has frozen. */
  async function frozen(...limits: bigint[]): Promise<string[]> {
    await protect(0n);
    const ids: string[] = [];
    for (const debitLimit of limits) {
      const { request, shown } = await waits({ debitLimit });
      await bob.waiting.confirm(shown);
      ids.push(request.id);
    }
    await node.database.write((tx) => tx.update(grants).set({ state: 'issued' }).where(inArray(grants.id, ids)));
    await node.database.write((tx) => freezeAccess(tx, node.clock.now()));
    return ids;
  }
  const stateOf = async (id: string) => (await ada.apps.grant({ id })).state;
  const waitingFor = async (id: string) => (await bob.waiting.list()).items.find(({ subject }) => subject === id);

  it('attack: one person allows it again above the amount, alone, by itself and among others', async () => {
    const [small = '', large = '', other = ''] = await frozen(300n, 800n, 900n);
    await node.database.write((tx) => tx.update(secondPersonLimits).set({ above: 500n }));
    await expect(ada.apps.allowAgain({ id: large })).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    expect(await ada.apps.allowSeveralAgain({ ids: [large, small, other, large] })).toEqual({ allowed: 1, waiting: 2 });
    expect([await stateOf(small), await stateOf(large), await stateOf(other)]).toEqual(['issued', 'frozen', 'frozen']);
    const act = await waitingFor(large);
    expect(act).toMatchObject({ operation: 'apps.allowAgain', amount: { value: 800n }, whom: node.shop.url, mayDecide: true });
    const shown = { id: act?.id ?? '', hash: act?.hash ?? '' };
    await expect(ada.waiting.confirm(shown)).rejects.toMatchObject({ code: 'SAME_PERSON' });
    await bob.waiting.confirm(shown);
    expect([await stateOf(large), await stateOf(other)]).toEqual(['issued', 'frozen']);
    // What was revoked meanwhile is not allowed again.
    const late = await waitingFor(other);
    await bob.apps.revokeGrant({ id: other });
    const confirmed = bob.waiting.confirm({ id: late?.id ?? '', hash: late?.hash ?? '' });
    await expect(confirmed).rejects.toMatchObject({ code: 'CANNOT_BE_DONE', data: { code: 'NOT_FROZEN' } });
    expect(await stateOf(other)).toBe('revoked');
  });

  it('attack: a key allows several again. What is above the amount is refused, and the others count', async () => {
    const [small = '', large = ''] = await frozen(300n, 800n);
    await node.database.write((tx) => tx.update(secondPersonLimits).set({ above: 500n }));
    const doer = { kind: 'key' as const, id: 'a key', name: 'a key', role: 'manager' as const };
    const key = createRouterClient(router, { context: { ...context, role: 'manager', doer } });
    await expect(key.apps.allowSeveralAgain({ ids: [large, small] })).rejects.toMatchObject({ code: 'NEEDS_A_PERSON' });
    expect([await stateOf(small), await stateOf(large)]).toEqual(['issued', 'frozen']);
  });
});

it('a wrong code is counted as ever, and nothing waits', async () => {
  const request = await asked(node);
  const wrong = ada.approvals.approve({ ...request, code: request.code === '0000' ? '0001' : '0000' });
  await expect(wrong).rejects.toMatchObject({ code: 'WRONG_CODE' });
  expect((await bob.waiting.list()).items.filter(({ subject }) => subject === request.id)).toEqual([]);
});
