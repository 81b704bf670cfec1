import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Amount } from '../../../src-shared/amounts.ts';
import { ManualClock } from '../../platform/clock.ts';
import type { Limits } from '../rights/access-rights.ts';
import { grantSpendings, grants } from '../tables.ts';
import { openTestAccess, type TestAccess } from '../testing/access.ts';
import { issued } from '../testing/flows.ts';
import { type LimitRefusal, type Reserved, release, reserve, spent } from './spending-limits.ts';

const usd = (value: bigint): Amount => ({ value, assetCode: 'USD', assetScale: 2 });
const eur = (value: bigint): Amount => ({ value, assetCode: 'EUR', assetScale: 2 });
const RECEIVER = 'https://shop.example/incoming-payments/1';
const DAY = 86_400_000;

const clock = new ManualClock(Date.UTC(2026, 0, 1));
let access: TestAccess;
let grantId: string;
beforeEach(async () => {
  access = openTestAccess({ clock });
  grantId = (await issued(access)).grant.id;
});
afterEach(() => access.dispose());

const pay = (limits: Limits | undefined, debit = usd(100n), receive = eur(90n), receiver = RECEIVER) =>
  access.database.write((tx) => reserve(tx, { grantId, limits, receiver, debit, receive, now: clock.now() }));

async function reserved(payment: ReturnType<typeof pay>): Promise<Reserved> {
  const outcome = await payment;
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value;
}

async function refusal(payment: ReturnType<typeof pay>): Promise<LimitRefusal> {
  const before = await access.database.read.select().from(grantSpendings);
  const outcome = await payment;
  if (outcome.ok) throw new Error('it was reserved');
  expect(await access.database.read.select().from(grantSpendings)).toEqual(before);
  return outcome.error;
}

test('a budget for 10 payments reserves exactly 10 of 200 that come at once', async () => {
  const limits = { debitAmount: usd(1_000n) };
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => pay(limits)));
  const paid = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value.grantSpentDebit.value] : []));
  expect(paid).toEqual(Array.from({ length: 10 }, (_, i) => BigInt(i + 1) * 100n));
  expect(outcomes.filter((outcome) => !outcome.ok && outcome.error === 'over_limit')).toHaveLength(190);
});

describe('a payment', () => {
  test('fits up to the last unit of the limit, and not beyond it', async () => {
    await reserved(pay({ debitAmount: usd(150n) }));
    await reserved(pay({ debitAmount: usd(150n) }, usd(50n)));
    expect(await refusal(pay({ debitAmount: usd(150n) }, usd(1n)))).toBe('over_limit');
  });

  test('must fit into both limits when there are two', async () => {
    const limits = { debitAmount: usd(1_000n), receiveAmount: eur(100n) };
    await reserved(pay(limits));
    expect(await refusal(pay(limits, usd(1n), eur(11n)))).toBe('over_limit');
    await reserved(pay(limits, usd(1n), eur(10n)));
  });

  test('is refused for another receiver', async () => {
    expect(await refusal(pay({ receiver: RECEIVER }, usd(1n), eur(1n), `${RECEIVER}0`))).toBe('receiver_not_allowed');
    await reserved(pay({ receiver: RECEIVER }));
  });

  test('is refused in another asset than that of the limit', async () => {
    expect(await refusal(pay({ debitAmount: eur(100n) }))).toBe('asset_mismatch');
    expect(await refusal(pay({ receiveAmount: usd(100n) }))).toBe('asset_mismatch');
    expect(await refusal(pay({ debitAmount: { value: 100n, assetCode: 'USD', assetScale: 3 } }))).toBe('asset_mismatch');
  });

  test('is refused outside the interval, and when nobody can read the interval', async () => {
    expect(await refusal(pay({ interval: 'R1/2027-01-01T00:00:00Z/P1D' }))).toBe('outside_interval');
    expect(await refusal(pay({ interval: 'R1/2025-01-01T00:00:00Z/P1D' }))).toBe('outside_interval');
    expect(await refusal(pay({ interval: 'every day' }))).toBe('outside_interval');
  });

  test('is refused when its grant or its token has ended in the meantime', async () => {
    const { grant, token } = await issued(access);
    const payWith = (id: string) =>
      access.database.write((tx) =>
        reserve(tx, { grantId: id, limits: undefined, receiver: RECEIVER, debit: usd(1n), receive: usd(1n), now: clock.now() }),
      );
    expect((await payWith(grant.id)).ok).toBe(true);
    await access.tokens.rotateByOperator(token.id);
    expect(await payWith(grant.id)).toEqual({ ok: false, error: 'grant_ended' });
    await access.continuations.cancel(grantId);
    expect(await refusal(pay(undefined))).toBe('grant_ended');
  });

  test('is refused from the moment on at which its grant expires, also when its request came before', async () => {
    const expiresAt = clock.now() + 1;
    await access.database.write((tx) => tx.update(grants).set({ expiresAt }).where(eq(grants.id, grantId)));
    await reserved(pay(undefined));
    clock.advance(1);
    expect(await refusal(pay(undefined))).toBe('grant_ended');
    clock.jump(-1);
  });

  test('counts against its own grant only', async () => {
    const limits = { debitAmount: usd(100n) };
    const payFrom = (id: string) =>
      access.database.write((tx) =>
        reserve(tx, { grantId: id, limits, receiver: RECEIVER, debit: usd(100n), receive: eur(90n), now: clock.now() }),
      );
    const other = (await issued(access)).grant.id;
    await reserved(payFrom(other));
    await reserved(payFrom(grantId));
    await access.database.write((tx) => release(tx, { grantId: other, windowStart: 0, debit: usd(40n), receive: eur(0n) }));
    expect(await refusal(pay(limits, usd(1n)))).toBe('over_limit');
    expect((await spent(access.database.read, { id: other, limits }, clock.now())).debit).toEqual(usd(60n));
    await access.continuations.cancel(other);
    expect(await refusal(payFrom(other))).toBe('grant_ended');
    expect((await pay(limits, usd(0n))).ok).toBe(true);
  });

  test('counts amounts of another scale apart', async () => {
    const cents = { value: 90n, assetCode: 'EUR', assetScale: 3 };
    await reserved(pay(undefined));
    expect((await reserved(pay(undefined, usd(1n), cents))).grantSpentReceive).toEqual(cents);
    expect((await reserved(pay(undefined, usd(1n), cents))).grantSpentReceive).toEqual({ ...cents, value: 180n });
    expect((await reserved(pay(undefined, usd(1n), eur(5n)))).grantSpentReceive).toEqual(eur(95n));
  });

  test('is refused when an amount could not state the sum', async () => {
    const most = 2n ** 63n - 1n;
    await reserved(pay(undefined, usd(most)));
    expect((await reserved(pay(undefined, usd(most)))).grantSpentDebit.value).toBe(2n * most);
    expect(await refusal(pay(undefined, usd(2n)))).toBe('over_limit');
    expect((await reserved(pay(undefined, usd(1n)))).grantSpentDebit.value).toBe(2n ** 64n - 1n);
  });
});

describe('a window', () => {
  const limits = { debitAmount: usd(100n), interval: 'R/2026-01-01T00:00:00Z/P1D' };

  test('has the whole budget, and gets back the money that was taken from it', async () => {
    const first = await reserved(pay(limits));
    expect(await refusal(pay(limits, usd(1n)))).toBe('over_limit');
    clock.advance(DAY);
    const second = await reserved(pay(limits, usd(60n)));
    expect(second.windowStart - first.windowStart).toBe(DAY);
    await access.database.write((tx) => release(tx, { grantId, windowStart: first.windowStart, debit: usd(100n), receive: eur(90n) }));
    expect(await refusal(pay(limits, usd(41n)))).toBe('over_limit');
    await reserved(pay(limits, usd(40n)));
    clock.jump(-DAY);
    await reserved(pay(limits, usd(100n)));
  });

  test('gets back what a payment under way did not spend, even after the grant was revoked', async () => {
    const { windowStart } = await reserved(pay(limits));
    await access.views.revokeGrant(grantId);
    await access.database.write((tx) => release(tx, { grantId, windowStart, debit: usd(100n), receive: eur(90n) }));
    expect((await access.database.read.select().from(grantSpendings)).map((row) => row.spent)).toEqual([0n, 0n]);
    expect(await refusal(pay(limits, usd(1n)))).toBe('grant_ended');
  });

  test('never gets back more than was spent', async () => {
    const { windowStart } = await reserved(pay(limits));
    const giveBack = access.database.write((tx) => release(tx, { grantId, windowStart, debit: usd(101n), receive: eur(0n) }));
    await expect(giveBack).rejects.toThrow('given back');
    const toOther = access.database.write((tx) => release(tx, { grantId, windowStart, debit: eur(1n), receive: eur(0n) }));
    await expect(toOther).rejects.toThrow('given back');
  });
});

describe('what a grant has spent', () => {
  const now = (limits?: Limits) => spent(access.database.read, { id: grantId, limits }, clock.now());

  test('is nothing before the first payment', async () => {
    expect(await now()).toEqual({ debit: undefined, receive: undefined, windowStart: 0 });
  });

  test('is the sum of its payments with this one, and the receive amounts are summed by asset', async () => {
    await reserved(pay(undefined));
    expect(await reserved(pay(undefined))).toEqual({ windowStart: 0, grantSpentDebit: usd(200n), grantSpentReceive: eur(180n) });
    expect((await reserved(pay(undefined, usd(100n), usd(95n)))).grantSpentReceive).toEqual(usd(95n));
    expect(await now({ receiveAmount: eur(1_000n) })).toMatchObject({ debit: usd(300n), receive: eur(180n) });
  });

  test('is zero in a new window, and is not stated outside of every window', async () => {
    const limits = { debitAmount: usd(100n), interval: 'R2/2026-01-01T00:00:00Z/P1D' };
    await reserved(pay(limits));
    expect(await now(limits)).toMatchObject({ debit: usd(100n), receive: eur(90n) });
    clock.advance(DAY);
    expect(await now(limits)).toMatchObject({ debit: usd(0n), receive: eur(0n) });
    clock.advance(DAY);
    expect(await now(limits)).toEqual({ debit: undefined, receive: undefined, windowStart: undefined });
    clock.jump(-2 * DAY);
  });
});
