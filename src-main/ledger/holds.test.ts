import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { catchRefusal, Refused } from '../platform/result.ts';
import { accountId, drawHeld, heldUnder, holdTransfer, openAccounts, postHeld, type Transfer, transfer } from './ledger.ts';
import { openPeerAccount, setOverdraft } from './peer-accounts.ts';
import { ledgerAccounts, ledgerTransfers } from './tables.ts';
import { brokenInvariants } from './testing/invariants.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
/** The ids of these accounts are in this order. A transfer changes the account with the lower id first. */
const [a, b, c] = ['a', 'b', 'c'].map((owner) => accountId('customer', owner)) as [string, string, string];
const external = accountId('external', 'USD/2');
const peer = accountId('peer', 'p');
/** What every customer has at first. */
const OPENING = 100n;

let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  await test.database.write(async (tx) => {
    for (const owner of ['a', 'b', 'c']) await openAccounts(tx, owner, USD, 0);
    await openAccounts(tx, 'euro', EUR, 0);
    await openPeerAccount(tx, 'p', USD, 3n * OPENING, 0);
    for (const credit of [a, b, c]) await transfer(tx, { kind: 'settlement', debit: peer, credit, amount: OPENING, at: 0 });
  });
});
afterEach(async () => {
  expect(await brokenInvariants(test.database.read)).toEqual([]);
  await test.dispose();
});

const move = (debit: string, credit: string, amount: bigint) =>
  catchRefusal(
    test.database.write(async (tx) => {
      const moved = await transfer(tx, { kind: 'payment', debit, credit, amount, at: 0 });
      if (!moved.ok) throw new Refused(moved.error);
      return moved;
    }),
  );
const hold = (wanted: Partial<Transfer>) => {
  const held = { id: 'held', kind: 'payment' as const, debit: a, credit: b, amount: 10n, at: 5, ...wanted };
  return test.database.write((tx) => holdTransfer(tx, held));
};
const draw = (amount: bigint, isFurther?: boolean) =>
  catchRefusal(
    test.database.write(async (tx) => {
      const drawn = await drawHeld(tx, await heldUnder(tx, 'held'), { amount, at: 7, ...(isFurther !== undefined && { isFurther }) });
      if (!drawn.ok) throw new Refused(drawn.error);
      return drawn;
    }),
  );
const post = (isFurther?: boolean) => test.database.write((tx) => postHeld(tx, 'held', isFurther));
async function account(id: string) {
  const [row] = await test.database.read.select().from(ledgerAccounts).where(eq(ledgerAccounts.id, id));
  return [row?.balance, row?.pending];
}
const rowsOf = (paymentId: string) => test.database.read.select().from(ledgerTransfers).where(eq(ledgerTransfers.paymentId, paymentId));
/** Gives an account all that an account can have. */
const fill = (credit: string, had: bigint) => move(external, credit, MAX_MOVED - had);

describe('a transfer that does not fit', () => {
  it.each([
    [a, b],
    [b, a],
  ])('is refused when %s has less than that for %s', async (debit, credit) => {
    expect(await move(debit, credit, OPENING + 1n)).toEqual({ ok: false, error: 'insufficient' });
    expect([await account(debit), await account(credit)]).toEqual([
      [OPENING, 0n],
      [OPENING, 0n],
    ]);
  });

  it.each([
    [a, b],
    [c, b],
  ])('from %s is refused when %s would have more than can be counted', async (debit, credit) => {
    await fill(credit, OPENING);
    expect(await move(debit, credit, 1n)).toEqual({ ok: false, error: 'too_large' });
    expect([await account(debit), await account(credit)]).toEqual([
      [OPENING, 0n],
      [MAX_MOVED, 0n],
    ]);
  });

  it('is refused when more would have come from outside than can be counted', async () => {
    await fill(a, OPENING);
    expect(await move(external, b, OPENING)).toMatchObject({ ok: true });
    expect(await move(external, b, 1n)).toEqual({ ok: false, error: 'insufficient' });
    expect(await account(external)).toEqual([-MAX_MOVED, 0n]);
  });
});

describe('what is held', () => {
  it('is posted once', async () => {
    await hold({});
    expect([await post(), await post(), await post(true)]).toEqual([b, undefined, undefined]);
    expect([await account(a), await account(b)]).toEqual([
      [OPENING - 10n, 0n],
      [OPENING + 10n, 0n],
    ]);
  });

  it('is the most that can be drawn, in one part or in many', async () => {
    await hold({});
    expect(await draw(11n)).toEqual({ ok: false, error: 'insufficient' });
    expect([await draw(4n), await draw(6n)]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await draw(1n)).toEqual({ ok: false, error: 'insufficient' });
    expect([await account(a), await account(b)]).toEqual([
      [OPENING - 10n, 0n],
      [OPENING + 10n, 0n],
    ]);
  });

  it('stays held when the receiver could not count it any more', async () => {
    await hold({});
    await fill(b, OPENING);
    await expect(post()).rejects.toThrow('a held transfer could not be posted');
    expect(await draw(10n)).toEqual({ ok: false, error: 'too_large' });
    expect(await draw(3n)).toEqual({ ok: false, error: 'too_large' });
    expect([await account(a), await account(b)]).toEqual([
      [OPENING, 10n],
      [MAX_MOVED, 0n],
    ]);
  });

  it('stays held when a peer may not owe that much any more', async () => {
    await move(c, peer, OPENING);
    await hold({ debit: peer, credit: c, amount: OPENING });
    await test.database.write((tx) => setOverdraft(tx, 'p', OPENING));
    await expect(post()).rejects.toThrow('a held transfer could not be posted');
    expect(await draw(OPENING)).toEqual({ ok: false, error: 'insufficient' });
    expect(await account(peer)).toEqual([-2n * OPENING, OPENING]);
  });

  it('never moves into another asset', async () => {
    await hold({ credit: accountId('customer', 'euro') });
    await expect(post()).rejects.toThrow('one asset');
    await expect(draw(10n)).rejects.toThrow('one asset');
    expect(await account(a)).toEqual([OPENING, 10n]);
  });

  it('becomes a row of its own with each part that is drawn, and all of them belong to the payment', async () => {
    await hold({ paymentId: 'o' });
    for (const part of [3n, 2n, 5n]) expect(await draw(part)).toEqual({ ok: true, value: undefined });
    const rows = (await rowsOf('o')).map(({ amount, state, createdAt }) => [amount, state, createdAt]);
    expect(rows.sort()).toEqual([
      [2n, 'posted', 7],
      [3n, 'posted', 7],
      [5n, 'posted', 7],
    ]);
    expect([await account(a), await account(b)]).toEqual([
      [OPENING - 10n, 0n],
      [OPENING + 10n, 0n],
    ]);
  });

  it('keeps the time at which it was held while a part is drawn', async () => {
    await hold({ paymentId: 'o' });
    await draw(3n);
    const pending = (await rowsOf('o')).filter(({ state }) => state === 'pending');
    expect(pending).toMatchObject([{ amount: 7n, createdAt: 5, number: null }]);
  });

  it('gets a row with a number where it belongs to no payment, even if such money has moved before', async () => {
    await hold({});
    await draw(4n, true);
    await post(true);
    await hold({ id: 'another' });
    await test.database.write((tx) => postHeld(tx, 'another', true));
    const moved = await test.database.read
      .select()
      .from(ledgerTransfers)
      .where(eq(ledgerTransfers.kind, 'payment'))
      .orderBy(ledgerTransfers.number);
    expect(moved.map(({ amount, number }) => [amount, number])).toEqual([
      [4n, 4n],
      [6n, 5n],
      [10n, 6n],
    ]);
  });
});
