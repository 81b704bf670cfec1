import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { catchRefusal, Refused } from '../platform/result.ts';
import { BooksDamaged, recordDamages } from './audit/damages.ts';
import {
  accountId,
  drawHeld,
  heldUnder,
  holdTransfer,
  openAccounts,
  postHeld,
  spendableIn,
  type Transfer,
  transfer,
  transferOnce,
  voidHeld,
} from './ledger.ts';
import { openPeerAccount, setOverdraft } from './peer-accounts.ts';
import { ledgerAccounts } from './tables.ts';
import { brokenInvariants } from './testing/invariants.ts';
import { GIVEN_BACK } from './transfer-kinds.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  await test.database.write(async (tx) => {
    for (const owner of ['a', 'b', 'c']) await openAccounts(tx, owner, USD, 0);
    await openPeerAccount(tx, 'p', USD, MOST_CREDIT, 0);
    await openAccounts(tx, 'euro', { assetCode: 'EUR', assetScale: 2 }, 0);
  });
});
afterEach(() => test.dispose());

const move = (wanted: Pick<Transfer, 'debit' | 'credit' | 'amount'>) =>
  catchRefusal(
    test.database.write(async (tx) => {
      const outcome = await transfer(tx, { kind: 'payment', at: 0, ...wanted });
      if (!outcome.ok) throw new Refused(outcome.error);
      return outcome;
    }),
  );
const draw = (id: string, amount: bigint) =>
  catchRefusal(
    test.database.write(async (tx) => {
      const outcome = await drawHeld(tx, await heldUnder(tx, id), { amount, at: 1 });
      if (!outcome.ok) throw new Refused(outcome.error);
      return outcome;
    }),
  );
const balances = async () => new Map((await test.database.read.select().from(ledgerAccounts)).map((row) => [row.id, row]));
const customer = (owner: string) => accountId('customer', owner);
const external = accountId('external', 'USD/2');
const peer = accountId('peer', 'p');
/** The most credit that any step of a test gives the peer. */
const MOST_CREDIT = 300n;

describe('the ledger', () => {
  it('refuses to move more than there is, or what is held', async () => {
    expect(await move({ debit: customer('c'), credit: customer('b'), amount: 1n })).toEqual({ ok: false, error: 'insufficient' });
    await move({ debit: external, credit: customer('c'), amount: 10n });
    const held = await test.database.write((tx) =>
      holdTransfer(tx, { kind: 'payment', debit: customer('c'), credit: customer('b'), amount: 7n, at: 0 }),
    );
    expect(held.ok).toBe(true);
    expect(await move({ debit: customer('c'), credit: customer('a'), amount: 4n })).toEqual({ ok: false, error: 'insufficient' });
    expect((await move({ debit: customer('c'), credit: customer('a'), amount: 3n })).ok).toBe(true);
    expect((await balances()).get(customer('c'))).toMatchObject({ balance: 7n, pending: 7n });
    const id = held.ok ? held.value.id : '';
    expect(await test.database.write((tx) => postHeld(tx, id))).toBe(customer('b'));
    expect(await test.database.write((tx) => postHeld(tx, id))).toBeUndefined();
    expect((await balances()).get(customer('c'))).toMatchObject({ balance: 0n, pending: 0n });
  });

  it('lets a peer owe no more than its credit, with what is held, even when its credit is lowered', async () => {
    await test.database.write((tx) => openPeerAccount(tx, 'q', USD, 10n, 0));
    const other = accountId('peer', 'q');
    const from = (amount: bigint) => move({ debit: other, credit: customer('b'), amount });
    expect([(await from(11n)).ok, (await from(6n)).ok, (await from(5n)).ok]).toEqual([false, true, false]);
    const hold = { id: 'of-a-peer', kind: 'payment' as const, debit: other, credit: customer('b'), amount: 4n, at: 0 };
    expect((await test.database.write((tx) => holdTransfer(tx, hold))).ok).toBe(true);
    expect((await from(1n)).ok).toBe(false);
    await test.database.write((tx) => setOverdraft(tx, 'q', 0n));
    expect([await test.database.write((tx) => voidHeld(tx, 'of-a-peer')), (await from(1n)).ok]).toEqual([customer('b'), false]);
    expect((await balances()).get(other)).toMatchObject({ balance: -6n, pending: 0n });
    await move({ debit: customer('b'), credit: other, amount: 6n });
  });

  it('moves what is held in parts, and never more than is held', async () => {
    await move({ debit: external, credit: customer('c'), amount: 10n });
    const before = (await balances()).get(customer('b'))?.balance ?? 0n;
    const hold = { id: 'drawn', kind: 'payment' as const, debit: customer('c'), credit: customer('b'), amount: 10n, at: 0 };
    await test.database.write((tx) => holdTransfer(tx, hold));
    expect(await spendableIn(test.database.read, customer('c'))).toBe(0n);
    expect(await draw('drawn', 4n)).toMatchObject({ ok: true });
    expect(await draw('drawn', 7n)).toEqual({ ok: false, error: 'insufficient' });
    expect((await balances()).get(customer('c'))).toMatchObject({ balance: 6n, pending: 6n });
    expect(await draw('drawn', 6n)).toMatchObject({ ok: true });
    expect(await draw('drawn', 1n)).toEqual({ ok: false, error: 'insufficient' });
    expect((await balances()).get(customer('c'))).toMatchObject({ balance: 0n, pending: 0n });
    expect((await balances()).get(customer('b'))?.balance).toBe(before + 10n);
    expect(await brokenInvariants(test.database.read)).toEqual([]);
    expect(await spendableIn(test.database.read, 'customer:nobody')).toBeUndefined();
  });

  it('keeps every other hold of the same amount when one ends, and the row of the one that was posted', async () => {
    for (const debit of ['a', 'b'].map(customer)) await move({ debit: external, credit: debit, amount: 10n });
    const hold = { kind: 'payment' as const, credit: customer('c'), amount: 10n, at: 0 };
    for (const owner of ['a', 'b']) await test.database.write((tx) => holdTransfer(tx, { ...hold, id: owner, debit: customer(owner) }));
    const pending = async () => {
      const all = await balances();
      return ['a', 'b'].map((owner) => all.get(customer(owner))?.pending);
    };
    await test.database.write((tx) => voidHeld(tx, 'a'));
    expect(await pending()).toEqual([0n, 10n]);
    await test.database.write((tx) => postHeld(tx, 'b'));
    expect(await pending()).toEqual([0n, 0n]);
    const posted = { ...hold, id: 'b', debit: customer('b') };
    expect(await test.database.write((tx) => transferOnce(tx, posted))).toEqual({ ok: true, value: false });
  });

  it('ends no hold that is not counted as pending any more', async () => {
    await move({ debit: external, credit: customer('a'), amount: 10n });
    const hold = { id: 'lost', kind: 'payment' as const, debit: customer('a'), credit: customer('b'), amount: 10n, at: 0 };
    await test.database.write((tx) => holdTransfer(tx, hold));
    await test.tamper("update ledger_accounts set pending = 9 where id = 'customer:a'");
    const counted = 'a held transfer was not counted as pending';
    await expect(test.database.write((tx) => voidHeld(tx, 'lost'))).rejects.toThrow(counted);
    await expect(test.database.write((tx) => postHeld(tx, 'lost'))).rejects.toThrow(counted);
    await expect(draw('lost', 10n)).rejects.toThrow(counted);
    expect((await balances()).get(customer('a'))).toMatchObject({ balance: 10n, pending: 9n });
  });

  it('moves and holds no new money on a damaged account, and lets what is left of a payment leave it', async () => {
    for (const debit of ['a', 'b'].map(customer)) await move({ debit: external, credit: debit, amount: 10n });
    const hold = { id: 'before', kind: 'payment' as const, debit: customer('a'), credit: customer('b'), amount: 5n, at: 0 };
    await test.database.write((tx) => holdTransfer(tx, hold));
    await test.database.write((tx) => recordDamages(tx, [{ owner: 'a', finding: 'balance', place: 'customer:a' }], 0));
    const wanted = { debit: customer('a'), credit: customer('b'), amount: 5n };
    await expect(move(wanted)).rejects.toThrow(BooksDamaged);
    await expect(move({ debit: customer('b'), credit: customer('a'), amount: 5n })).rejects.toThrow(BooksDamaged);
    await expect(test.database.write((tx) => holdTransfer(tx, { ...hold, id: 'after' }))).rejects.toThrow(BooksDamaged);
    await expect(draw('before', 5n)).rejects.toThrow(BooksDamaged);
    await expect(draw('before', 1n)).rejects.toThrow(BooksDamaged);
    const back = { kind: GIVEN_BACK, ...wanted, isEnding: true, at: 0 };
    expect((await test.database.write((tx) => transfer(tx, back))).ok).toBe(true);
    expect((await move({ debit: customer('b'), credit: customer('c'), amount: 1n })).ok).toBe(true);
  });

  it('finds its books in order when their sums exceed the range of one amount', async () => {
    await test.database.write((tx) => openAccounts(tx, 'yen', { assetCode: 'JPY', assetScale: 0 }, 0));
    const [outside, inside] = [accountId('external', 'JPY/0'), customer('yen')];
    for (let times = 0; times < 3; times += 1) {
      expect((await move({ debit: outside, credit: inside, amount: MAX_MOVED })).ok).toBe(true);
      expect((await move({ debit: inside, credit: outside, amount: MAX_MOVED })).ok).toBe(true);
    }
    expect(await brokenInvariants(test.database.read)).toEqual([]);
  });

  it('never moves money between two assets', async () => {
    await expect(move({ debit: external, credit: customer('euro'), amount: 1n })).rejects.toThrow('one asset');
  });

  it('has constraints in the database that refuse wrong balances and amounts', async () => {
    await move({ debit: external, credit: customer('a'), amount: 1n });
    const below = test.tamper("update ledger_accounts set balance = -1 where id = 'customer:b'");
    await expect(below).rejects.toThrow(/check.*ledger_accounts_not_negative/i);
    const pending = test.tamper("update ledger_accounts set pending = 1, balance = 0 where id = 'escrow:b'");
    await expect(pending).rejects.toThrow(/check.*ledger_accounts_not_negative/i);
    await expect(test.tamper('update ledger_transfers set amount = 0')).rejects.toThrow(/check.*ledger_transfers_amount/i);
  });

  it('stays balanced, with nothing below zero and no peer beyond its credit, after any sequence of operations', async () => {
    const amount = fc.oneof(fc.bigInt(1n, 200n), fc.constant(MAX_MOVED), fc.bigInt(1n, MAX_MOVED));
    const account = fc.constantFrom(customer('a'), customer('b'), accountId('escrow', 'a'), external, peer);
    const step = fc.record({
      act: fc.constantFrom('move', 'hold', 'draw', 'post', 'void', 'credit'),
      debit: account,
      credit: account,
      amount,
      pick: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const held: string[] = [];
        for (const { act, debit, credit, amount, pick } of steps) {
          if (debit === credit) continue;
          if (act === 'move') await move({ debit, credit, amount });
          else if (act === 'hold') {
            // The amount that is held must fit into the credited ledger account later. The payments wing makes sure of
            // that.
            if (credit === external || amount > 1_000n) continue;
            const outcome = await test.database.write((tx) => holdTransfer(tx, { kind: 'payment', debit, credit, amount, at: 0 }));
            if (outcome.ok) held.push(outcome.value.id);
          } else if (act === 'credit') {
            await test.database.write((tx) => setOverdraft(tx, 'p', amount % (MOST_CREDIT + 1n)));
          } else if (act === 'draw') {
            const id = held[pick % Math.max(held.length, 1)];
            if (id === undefined) continue;
            await draw(id, amount % 100n || 1n);
          } else if (held.length > 0) {
            const [id = ''] = held.splice(pick % held.length, 1);
            if (act === 'void') expect(await test.database.write((tx) => voidHeld(tx, id))).toBeDefined();
            else await test.database.write((tx) => postHeld(tx, id)).catch(() => held.push(id));
            expect((await test.database.write((tx) => voidHeld(tx, id))) !== undefined).toBe(held.includes(id));
            held.splice(held.indexOf(id), held.includes(id) ? 1 : 0);
          }
        }
        const owed = (await balances()).get(peer);
        expect((owed?.balance ?? 0n) - (owed?.pending ?? 0n)).toBeGreaterThanOrEqual(-MOST_CREDIT);
        for (const id of held) await test.database.write((tx) => voidHeld(tx, id));
        expect(await brokenInvariants(test.database.read)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
