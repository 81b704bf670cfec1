import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { ManualClock } from '../../platform/clock.ts';
import { findGrant } from '../grant-rows.ts';
import { grants } from '../tables.ts';
import { openTestAccess, payingAccess, TEST_ORIGIN, type TestAccess } from '../testing/access.ts';
import { approved, ask, issued, open, otherCode } from '../testing/flows.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 31));
let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({ clock });
});
afterEach(() => access.dispose());

/** Makes a grant request that the operator has on the screen. */
async function shown(limits?: object) {
  const pending = await ask(access, limits && { access: payingAccess(limits) });
  const code = await open(access, pending);
  const request = await access.views.getApproval(pending.grantId);
  if (request === undefined) throw new Error('not shown');
  return { pending, request, code, decision: { id: request.id, code, shownHash: request.shownHash } };
}

test('the operator reads the stored grant request, as the contract requires', async () => {
  const limits = { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 }, interval: 'R/2026-01-31T00:00:00Z/P1M' };
  const { request, pending } = await shown(limits);
  expect(ApprovalRequest.parse(request)).toEqual(request);
  expect(request).toMatchObject({
    id: pending.grantId,
    client: { host: '127.0.0.1:3000/bob', selfAssertedName: 'Bob' },
    account: { name: 'alice', walletAddress: `${TEST_ORIGIN}/alice` },
    returnsTo: 'https://shop.example/back?session=7',
    opened: true,
    unlimited: false,
    nextWindows: [
      { start: new Date('2026-01-31T00:00:00Z'), end: new Date('2026-02-28T00:00:00Z') },
      { start: new Date('2026-02-28T00:00:00Z'), end: new Date('2026-03-31T00:00:00Z') },
      { start: new Date('2026-03-31T00:00:00Z'), end: new Date('2026-04-30T00:00:00Z') },
    ],
  });
  expect(JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain('code":');
});

test.each(['https://shop.example', 'http://[::1]:3999/cb', 'com.example.app:/cb', 'com.example.app://cb?x=%'])(
  'the console can show a request that returns to %s',
  async (uri) => {
    const { grantId } = await ask(access, { interact: { finish: { uri, nonce: 'n' } }, subject: `${TEST_ORIGIN}/bob` });
    expect(ApprovalRequest.safeParse(await access.views.getApproval(grantId)).success).toBe(true);
  },
);

test('the right code approves what was asked for', async () => {
  const { decision } = await shown();
  expect(await access.approvals.approve(decision)).toEqual({ ok: true, value: undefined });
  expect(await findGrant(access.database.read, decision.id)).toMatchObject({ state: 'approved', granted: payingAccess() });
  expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'not_waiting' } });
});

test('five wrong codes end a request, and a single one does not change what was shown', async () => {
  const { decision, code } = await shown();
  for (const attemptsLeft of [4, 3, 2, 1, 0]) {
    const outcome = await access.approvals.approve({ ...decision, code: otherCode(code) });
    expect(outcome).toEqual({ ok: false, error: { code: 'wrong_code', attemptsLeft } });
  }
  expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'not_waiting' } });
  expect((await findGrant(access.database.read, decision.id))?.state).toBe('denied');
});

test('a grant request has no code before its page was opened', async () => {
  const { grantId } = await ask(access);
  expect(await access.views.listApprovals()).toEqual([]);
  const request = await access.views.getApproval(grantId);
  const outcomes = ['', '0000', 'null'].map((code) => access.approvals.approve({ id: grantId, code, shownHash: request?.shownHash ?? '' }));
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toEqual({ ok: false, error: { code: 'not_waiting' } });
});

describe('an approval is refused', () => {
  test.each([
    { requested: payingAccess({ debitAmount: { value: '1001', assetCode: 'USD', assetScale: 2 } }) },
    { requested: payingAccess({}) },
    { clientId: 'https://other.example/x' },
    { clientName: 'Bank' },
    { finishUri: 'https://other.example/' },
    { finishUri: null },
    { subject: `${TEST_ORIGIN}/alice` },
    { lapsesAt: Date.UTC(2030, 0, 1) },
  ])('when the request has changed since it was shown: %j', async (change) => {
    const { decision } = await shown();
    await access.database.write((tx) => tx.update(grants).set(change).where(eq(grants.id, decision.id)));
    expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'changed' } });
    expect((await findGrant(access.database.read, decision.id))?.state).toBe('pending');
  });

  test('when its hash is of another request, missing or cut', async () => {
    const [one, two] = [await shown(), await shown()];
    for (const shownHash of [two.request.shownHash, '', one.request.shownHash.slice(1)]) {
      expect(await access.approvals.approve({ ...one.decision, shownHash })).toEqual({ ok: false, error: { code: 'changed' } });
    }
  });
});

describe('a request without a limit', () => {
  test('says so, and needs a limit or the name of the account', async () => {
    const { decision, request } = await shown({});
    expect(request.unlimited).toBe(true);
    expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'limit_needed' } });
    for (const wrong of [
      { unlimitedForAccountNamed: 'bob' },
      { unlimitedForAccountNamed: '' },
      { unlimitedForAccountNamed: 'Alice' },
      { debitLimit: 2n ** 64n },
    ]) {
      expect(await access.approvals.approve({ ...decision, ...wrong })).toEqual({ ok: false, error: { code: 'limit_needed' } });
    }
    expect(await access.approvals.approve({ ...decision, unlimitedForAccountNamed: 'alice' })).toMatchObject({ ok: true });
  });

  test('is granted with the limit that the operator sets, beside the rest', async () => {
    const receiver = 'https://shop.example/incoming-payments/1';
    const { decision } = await shown({ receiver });
    await access.approvals.approve({ ...decision, debitLimit: 5n });
    expect((await findGrant(access.database.read, decision.id))?.granted).toEqual(
      payingAccess({ receiver, debitAmount: { value: '5', assetCode: 'USD', assetScale: 2 } }),
    );
  });

  test('counts no wrong code while the limit is missing', async () => {
    const { decision, code } = await shown({});
    await access.approvals.approve({ ...decision, code: otherCode(code) });
    expect((await findGrant(access.database.read, decision.id))?.wrongCodes).toBe(0);
  });
});

describe('a limit that bounds nothing', () => {
  const usd = (value: bigint | string) => ({ value: String(value), assetCode: 'USD', assetScale: 2 });
  const eur = (value: bigint | string) => ({ value: String(value), assetCode: 'EUR', assetScale: 2 });
  const OFTEN = 'R/2026-01-31T00:00:00Z/PT1S';
  test.each([
    ['only on what arrives', { receiveAmount: usd(1_000n) }],
    ['only on what arrives, at one receiver', { receiveAmount: usd(1_000n), receiver: 'https://shop.example/incoming-payments/1' }],
    ['the largest amount there is', { debitAmount: usd(2n ** 64n - 1n) }],
    ['more than an account can hold', { debitAmount: usd(2n ** 63n - 1n) }],
    ['fifty dollars every second', { debitAmount: usd(5_000n), interval: OFTEN }],
    ['fifty dollars every second, both ways', { debitAmount: usd(5_000n), receiveAmount: usd(5_000n), interval: OFTEN }],
  ])('%s needs a limit or the name of the account', async (_, limits) => {
    const { decision, request } = await shown(limits);
    expect(request).toMatchObject({ unlimited: true, nextWindows: [] });
    for (const wrong of [{}, { unlimitedForAccountNamed: 'bob' }, { debitLimit: 2n ** 63n - 1n }]) {
      expect(await access.approvals.approve({ ...decision, ...wrong })).toEqual({ ok: false, error: { code: 'limit_needed' } });
    }
    expect(await access.approvals.approve({ ...decision, unlimitedForAccountNamed: 'alice' })).toMatchObject({ ok: true });
    expect((await findGrant(access.database.read, decision.id))?.granted).toEqual(payingAccess(limits));
  });

  test('is not made one by lowering what may arrive', async () => {
    const { decision } = await shown({ receiveAmount: usd(1_000n) });
    const lowered = await access.approvals.approve({ ...decision, receiveLimit: 5n });
    expect(lowered).toEqual({ ok: false, error: { code: 'limit_needed' } });
  });

  test.each([
    ['beside what may arrive', { receiveAmount: usd(1_000n) }, { receiveAmount: usd(1_000n), debitAmount: usd(1_020n) }],
    [
      'in each window, where the windows are long enough',
      { receiveAmount: usd(1_000n), interval: 'R/2026-01-31T00:00:00Z/P1M' },
      { receiveAmount: usd(1_000n), interval: 'R/2026-01-31T00:00:00Z/P1M', debitAmount: usd(1_020n) },
    ],
    ['instead of one that no account holds', { debitAmount: usd(2n ** 64n - 1n) }, { debitAmount: usd(1_020n) }],
    ['once and for all instead of every second', { debitAmount: usd(50n), interval: OFTEN }, { debitAmount: usd(1_020n) }],
  ])('gets the operator’s own %s', async (_, asked, granted) => {
    const { decision } = await shown(asked);
    expect(await access.approvals.approve({ ...decision, debitLimit: 1_020n })).toMatchObject({ ok: true });
    expect((await findGrant(access.database.read, decision.id))?.granted).toEqual(payingAccess(granted));
  });

  test.each([
    [{ receiveAmount: usd(1_000n) }, 1_020n],
    [{ receiveAmount: usd(1n) }, 2n],
    [{ receiveAmount: eur(1_000n) }, 510n],
    [{ receiveAmount: { value: '1000', assetCode: 'JPY', assetScale: 0 } }, undefined],
    [{ receiveAmount: usd(2n ** 64n - 1n) }, undefined],
    [{ receiveAmount: usd(1_000n), interval: OFTEN }, undefined],
    [{ debitAmount: usd(500n), receiveAmount: usd(1_000n) }, undefined],
    [{}, undefined],
  ])('comes with the limit that fits what may arrive: %j', async (limits, value) => {
    const { request } = await shown(limits);
    expect(request.suggestedLimit).toEqual(value === undefined ? null : { value, assetCode: 'USD', assetScale: 2 });
  });
});

test.each([
  [5n, '5'],
  [2_000n, '1000'],
])('the operator can lower a limit and never raise it: %d', async (debitLimit, value) => {
  const { decision } = await shown();
  await access.approvals.approve({ ...decision, debitLimit });
  expect((await findGrant(access.database.read, decision.id))?.granted).toEqual(
    payingAccess({ debitAmount: { value, assetCode: 'USD', assetScale: 2 } }),
  );
});

describe('a limit that the operator sets', () => {
  const asked = {
    debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 },
    receiveAmount: { value: '18446744073709551615', assetCode: 'JPY', assetScale: 0 },
    interval: 'R/2026-01-31T00:00:00Z/P1M',
  };
  test.each([
    [{ receiveLimit: 7n }, '1000', '7'],
    [{ debitLimit: 999n, receiveLimit: 2n ** 64n - 2n }, '999', '18446744073709551614'],
    [{ debitLimit: 1_001n, receiveLimit: 2n ** 70n }, '1000', '18446744073709551615'],
  ])('is granted when it is lower, and the other limits stay: %o', async (lowered, debit, receive) => {
    const { decision, request } = await shown(asked);
    await access.approvals.approve({ ...decision, ...lowered });
    const granted = payingAccess({
      ...asked,
      debitAmount: { ...asked.debitAmount, value: debit },
      receiveAmount: { ...asked.receiveAmount, value: receive },
    });
    expect(await findGrant(access.database.read, decision.id)).toMatchObject({ granted, requested: payingAccess(asked) });
    const view = await access.views.getGrant(decision.id);
    expect(view?.access[0]?.limits?.receiveAmount?.value).toBe(BigInt(receive));
    expect(view?.asked).toEqual(request.access);
  });

  test('is refused for an amount that was not asked for', async () => {
    const only = await shown();
    expect(await access.approvals.approve({ ...only.decision, receiveLimit: 5n })).toEqual({
      ok: false,
      error: { code: 'nothing_to_limit' },
    });
    const list = await ask(access, {
      access: [{ type: 'incoming-payment', actions: ['list-all'], identifier: `${TEST_ORIGIN}/alice` }],
    });
    const code = await open(access, list);
    const request = await access.views.getApproval(list.grantId);
    const decision = { id: list.grantId, code, shownHash: request?.shownHash ?? '', debitLimit: 5n };
    expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'nothing_to_limit' } });
    expect((await findGrant(access.database.read, only.decision.id))?.state).toBe('pending');
  });
});

describe('an end that the operator sets', () => {
  test('must lie in the future', async () => {
    const { decision } = await shown();
    for (const at of [clock.now(), clock.now() - 1]) {
      expect(await access.approvals.approve({ ...decision, expiresAt: new Date(at) })).toEqual({
        ok: false,
        error: { code: 'expiry_past' },
      });
    }
    expect((await findGrant(access.database.read, decision.id))?.state).toBe('pending');
  });

  test('is kept and shown, and ends a grant that the client has not fetched before', async () => {
    const { decision, pending } = await shown();
    const expiresAt = new Date(clock.now() + 60_000);
    await access.approvals.approve({ ...decision, expiresAt });
    expect(await access.views.getGrant(decision.id)).toMatchObject({ state: 'approved', expiresAt });
    clock.advance(60_000);
    const grant = await access.continuations.find(pending.continuation.id, pending.continuation.token);
    if (grant === undefined) throw new Error('no grant');
    const late = await access.continuations.continue(grant, access.continuations.interactRef(grant.id));
    expect(late).toEqual({ ok: false, error: 'not_found' });
    expect(await access.views.getGrant(decision.id)).toMatchObject({ state: 'lapsed' });
  });
});

test('a denial ends a grant request, and a request that has ended cannot be decided', async () => {
  const { decision } = await shown();
  expect(await access.approvals.deny(decision.id)).toEqual({ ok: true, value: undefined });
  expect(await access.approvals.deny(decision.id)).toEqual({ ok: false, error: 'not_waiting' });
  expect(await access.approvals.approve(decision)).toEqual({ ok: false, error: { code: 'not_waiting' } });
  const unknown = '99999999-9999-4999-8999-999999999999';
  expect(await access.approvals.deny(unknown)).toEqual({ ok: false, error: 'not_found' });
  expect(await access.approvals.approve({ ...decision, id: unknown })).toEqual({ ok: false, error: { code: 'not_found' } });
  const given = await issued(access);
  expect(await access.approvals.deny(given.grant.id)).toEqual({ ok: false, error: 'not_waiting' });
});

test('an approved grant lapses when the client does not fetch it in time', async () => {
  const pending = await approved(access);
  const grant = await access.continuations.find(pending.continuation.id, pending.continuation.token);
  clock.advance(10 * 60_000);
  if (grant === undefined) throw new Error('no grant');
  const late = await access.continuations.continue(grant, access.continuations.interactRef(grant.id));
  expect(late).toEqual({ ok: false, error: 'not_found' });
});
