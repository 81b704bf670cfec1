import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Grant } from '../../../src-shared/operator-contract/apps.ts';
import { ManualClock } from '../../platform/clock.ts';
import { parseAccess } from '../rights/wire-access.ts';
import { accessTokens, grants } from '../tables.ts';
import { grantRequest, openTestAccess, payingAccess, type TestAccess, testClient } from '../testing/access.ts';
import { ask, issued } from '../testing/flows.ts';
import { freezeAccess } from './after-copy.ts';
import type { GrantOrder } from './grant-list.ts';
import { reserve } from './spending-limits.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 15));
let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({ clock });
});
afterEach(() => access.dispose());

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
const LIMITS = { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 }, interval: 'R/2026-01-01T00:00:00Z/P1M' };

test('the view of a grant has its budget, its tokens and its payments, as the contract requires', async () => {
  const { grant, token } = await issued(access, { access: payingAccess(LIMITS) });
  const limits = parseAccess(payingAccess(LIMITS))[0]?.limits;
  await access.database.write((tx) =>
    reserve(tx, { grantId: grant.id, limits, receiver: 'x', debit: usd(250n), receive: usd(240n), now: clock.now() }),
  );
  access.payments.set(grant.id, 1);
  const managed = await access.tokens.findManaged(token.id, token.value);
  if (managed === undefined) throw new Error('no token');
  clock.advance(1_000);
  const next = await access.tokens.rotate(managed);
  clock.advance(600_000);

  const shown = await access.views.getGrant(grant.id);
  expect(Grant.parse(shown)).toEqual(shown);
  expect(shown).toMatchObject({
    state: 'issued',
    interactive: true,
    payments: 1,
    budgets: [
      {
        kind: 'debit',
        limit: usd(1000n),
        spent: usd(250n),
        windowStart: new Date('2026-01-01T00:00:00Z'),
        windowEnd: new Date('2026-02-01T00:00:00Z'),
      },
    ],
    tokens: [
      { id: next.ok && next.value.id, state: 'expired', awaitsRotation: false },
      { id: token.id, state: 'rotated' },
    ],
  });
  const text = JSON.stringify(shown, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(text).not.toContain(token.value);
  expect(next.ok && text.includes(next.value.value)).toBe(false);
});

test('the pages of grants list the newest first, even when grants are added in between', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    const asked = await access.grants.request({
      client: { kind: 'wallet-address', id: `https://c${i}.example/x`, walletAddress: `https://c${i}.example/x` },
      access: [{ type: 'quote', actions: ['create'] }],
      subject: undefined,
      interact: undefined,
      endpoint: 'https://pay.example/auth',
    });
    if (!asked.ok) throw new Error(asked.error);
    if (i % 3 === 0) clock.advance(1);
  }
  const whole = await access.views.listGrants({ cursor: undefined, limit: 100 });
  let cursor: string | undefined;
  do {
    const page = await access.views.listGrants({ cursor, limit: 2 });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    if (ids.length === 4) await ask(access);
  } while (cursor !== undefined);
  expect(ids).toEqual(whole.items.map(({ id }) => id));
  expect(new Set(ids).size).toBe(7);
  expect(whole.nextCursor).toBeNull();
  const times = whole.items.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('the view of a grant request shows what was asked for, without a budget', async () => {
  const { grantId } = await ask(access);
  const shown = await access.views.getGrant(grantId);
  expect(shown).toMatchObject({ state: 'pending', budgets: [], tokens: [], decidedAt: null });
  expect(shown?.access[0]?.limits?.debitAmount).toEqual(usd(1000n));
});

test('a revocation ends a grant once', async () => {
  const { grant } = await issued(access);
  expect(await access.views.revokeGrant(grant.id)).toEqual({ ok: true, value: undefined });
  expect(await access.views.revokeGrant(grant.id)).toEqual({ ok: true, value: undefined });
  expect(await access.views.getGrant(grant.id)).toMatchObject({ state: 'revoked', tokens: [{ state: 'revoked' }] });
  expect(await access.views.revokeGrant('nothing')).toEqual({ ok: false, error: 'not_found' });
  expect(await access.views.getGrant('nothing')).toBeUndefined();
});

test('a revocation of everything ends every grant and grant request of one client, and none of another', async () => {
  const { grant } = await issued(access);
  const { grantId: waiting } = await ask(access);
  const other = await access.grants.request(grantRequest({ client: testClient('alice') }));
  if (!other.ok) throw new Error(other.error);
  expect(await access.views.revokeAllOf(grant.clientId)).toBe(2);
  for (const id of [grant.id, waiting]) expect(await access.views.getGrant(id)).toMatchObject({ state: 'revoked' });
  expect((await access.views.listGrants({ cursor: undefined, limit: 9 })).items.map(({ state }) => state).toSorted()).toEqual([
    'pending',
    'revoked',
    'revoked',
  ]);
  expect(await access.views.revokeAllOf(grant.clientId)).toBe(0);
});

test('a grant says when it was last used', async () => {
  const { grant } = await issued(access);
  expect(await access.views.getGrant(grant.id)).toMatchObject({ lastUsedAt: null });
  access.uses.note(grant.id);
  const at = new Date(clock.now());
  clock.advance(5_000);
  expect(await access.views.getGrant(grant.id)).toMatchObject({ lastUsedAt: at });
});

test('frozen grants that the operator had allowed are counted, listed and allowed again, several at once', async () => {
  const { grant } = await issued(access, { access: payingAccess(LIMITS) });
  clock.advance(1);
  const { grant: newer } = await issued(access, { access: payingAccess(LIMITS) });
  const free = await access.grants.request({
    client: { kind: 'wallet-address', id: 'https://payer.example/x', walletAddress: 'https://payer.example/x' },
    access: [{ type: 'incoming-payment', actions: ['create'] }],
    subject: undefined,
    interact: undefined,
    endpoint: 'https://pay.example/auth',
  });
  if (!free.ok) throw new Error(free.error);
  expect([await access.views.countFrozen(), await access.views.listFrozen(10)]).toEqual([0, []]);
  await access.database.write((tx) => freezeAccess(tx, clock.now()));
  expect(await access.views.countFrozen()).toBe(2);
  expect((await access.views.listFrozen(10)).map(({ id, state }) => [id, state])).toEqual([
    [newer.id, 'frozen'],
    [grant.id, 'frozen'],
  ]);
  const again = [];
  for (const id of [grant.id, newer.id, grant.id, 'unknown']) again.push(await access.views.allowAgain(id));
  expect(again).toEqual([true, true, false, false]);
  expect(await access.views.countFrozen()).toBe(0);
  for (const { id } of [grant, newer]) expect(await access.views.getGrant(id)).toMatchObject({ state: 'issued' });
});

test('what the operator allowed is listed without what nobody was asked for, searched, sorted and found when it is not used', async () => {
  const first = await issued(access);
  clock.advance(1_000);
  const free = await access.grants.request({
    ...grantRequest({ client: testClient('alice') }),
    access: [{ type: 'quote', actions: ['create'] }],
    interact: undefined,
  });
  if (!free.ok) throw new Error(free.error);
  const { grantId: unopened } = await ask(access);
  const { grant: second } = await issued(access);
  const list = async (more: object = {}) => {
    const { items } = await access.views.listGrants({ cursor: undefined, limit: 9, which: 'allowed', ...more });
    return items.map(({ id }) => id);
  };
  const all = await access.views.listGrants({ cursor: undefined, limit: 9 });
  expect(all).toMatchObject({ free: 1 });
  expect(all.items.map(({ id }) => id)).toContain(unopened);
  expect(await list()).toEqual(expect.arrayContaining([second.id, first.grant.id]));
  expect((await list({ order: 'oldest' }))[0]).toBe(first.grant.id);
  expect((await list({ order: 'used' }))[0]).toBe(second.id);
  expect(await list({ text: ` ${first.grant.clientId.toUpperCase()} ` })).toContain(first.grant.id);
  expect(await list({ text: 'nobody like this' })).toEqual([]);
  await access.database.write((tx) => tx.update(grants).set({ clientName: 'Corner Books' }).where(eq(grants.id, second.id)));
  expect(await list({ text: 'corner' })).toEqual([second.id]);
  expect(await list({ which: 'free' })).toHaveLength(1);
  expect(await list({ which: 'free' })).not.toEqual(expect.arrayContaining([unopened, first.grant.id, second.id]));
  expect(await list({ unusedDays: 90 })).toEqual([]);
  const useNow = (id: string) => access.database.write((tx) => tx.update(grants).set({ lastUsedAt: clock.now() }).where(eq(grants.id, id)));
  await useNow(first.grant.id);
  clock.advance(91 * 24 * 60 * 60_000);
  expect((await list({ unusedDays: 90 })).toSorted()).toEqual([first.grant.id, second.id].toSorted());
  await useNow(second.id);
  expect(await list({ unusedDays: 90 })).toEqual([first.grant.id]);
  expect(await access.views.revokeSeveral([first.grant.id, second.id, 'nothing'])).toBe(2);
  expect(await list({ unusedDays: 90 })).toEqual([]);
  expect(await access.views.revokeSeveral([first.grant.id])).toBe(0);
});

test('the list is read in parts in every order, also when a grant is used or removed meanwhile', async () => {
  const ids: string[] = [];
  for (const name of ['carol', 'alice', 'dave', 'bob', 'alice']) {
    clock.advance(1_000);
    const { id } = (await issued(access)).grant;
    await access.database.write((tx) =>
      tx
        .update(grants)
        .set({ clientId: `https://apps.example/${name}` })
        .where(eq(grants.id, id)),
    );
    ids.push(id);
  }
  const [carol = '', alice = '', dave = '', bob = '', aliceToo = ''] = ids;
  const use = (id: string, at: number) => access.database.write((tx) => tx.update(grants).set({ lastUsedAt: at }).where(eq(grants.id, id)));
  await use(alice, clock.now() + 5_000);
  await use(carol, clock.now() + 9_000);
  const read = async (order: GrantOrder, between: () => Promise<unknown> = async () => undefined) => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part = await access.views.listGrants({ cursor, limit: 2, which: 'allowed', order });
      seen.push(...part.items.map(({ id }) => id));
      cursor = part.nextCursor;
      if (seen.length === 2) await between();
    }
    return seen;
  };
  const newest = [aliceToo, bob, dave, alice, carol];
  expect(await read('newest')).toEqual(newest);
  expect(await read('oldest')).toEqual(newest.toReversed());
  expect(await read('name')).toEqual([...[alice, aliceToo].toSorted(), bob, carol, dave]);
  expect(await read('used')).toEqual([carol, alice, aliceToo, bob, dave]);
  expect(await read('used', () => use(dave, clock.now() + 20_000))).toEqual([carol, alice, aliceToo, bob]);
  const remove = (id: string) => access.database.write((tx) => tx.delete(grants).where(eq(grants.id, id)));
  await access.database.write((tx) => tx.delete(accessTokens).where(eq(accessTokens.grantId, bob)));
  expect(await read('newest', () => remove(bob))).toEqual(newest);
  expect((await access.views.listGrants({ cursor: 'made up', limit: 1, order: 'used' })).items.map(({ id }) => id)).toEqual([dave]);
});
