import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src-shared/operator-contract/contract.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { people } from '../tables.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { waitingActs } from './tables.ts';
import { lapseAll, MAY_ASK, WAITS_MS } from './waiting-acts.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const NOT_WAITING = { code: 'NOT_WAITING' };

let desk: Desk;
let shop: WalletAddress;
let supplier: WalletAddress;
const ids: Record<string, string> = {};

beforeEach(async () => {
  desk = openDesk();
  shop = await desk.account('shop', 100_000n);
  supplier = await desk.account('supplier', 0n);
  for (const [name, role] of [
    ['ada', 'manager'],
    ['bob', 'manager'],
    ['cara', 'cashier'],
    ['olga', 'owner'],
  ] as const) {
    const made = await desk.context.people.invite({ name, role });
    if (!made.ok) throw new Error(made.error);
    ids[name] = made.value.id;
  }
  await desk.database.write((tx) => tx.update(people).set({ state: 'active' }));
});
afterEach(() => desk.close());

const as = (name: string, role: Role = 'manager', kind: 'person' | 'script' | 'key' = 'person') =>
  desk.callsAs({ role, doer: { kind, id: ids[name] ?? name, name, role } });
const owner = (kind: 'person' | 'script' = 'person') =>
  desk.callsAs({ role: 'owner', doer: { kind, id: 'owner', name: '', role: 'owner' } });
const protect = (above: bigint | null = 10_000n) => owner().secondPerson.set({ what: 'money', ...USD, above });
const balance = async ({ id }: WalletAddress) => (await owner().accounts.get({ id })).balance;

type Client = ReturnType<typeof owner>;
/** What a person asks for when they pay the supplier. */
async function payment(client: Client, amount: bigint) {
  const payee = desk.walletAddresses.urlOf(supplier);
  const quote = await client.payments.quote({ requestId: randomUUID(), accountId: shop.id, payee, send: amount });
  return { requestId: randomUUID(), accountId: shop.id, quoteId: quote.id, payee, note: 'Flour' };
}
/** Lets a payment wait. @returns what the others see. */
async function asked(name = 'ada', amount = 20_000n) {
  const client = as(name);
  const wanted = await payment(client, amount);
  await expect(client.payments.pay(wanted)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND', data: { id: wanted.requestId } });
  const [act] = (await as('bob').waiting.list()).items;
  if (act === undefined) throw new Error('nothing waits');
  return { act, wanted, confirm: (by: Client) => by.waiting.confirm({ id: act.id, hash: act.hash }) };
}
const paid = async () =>
  (await owner().payments.list({ direction: 'out' })).items.filter(({ description }) => description === 'Flour').length;

describe('above an amount', () => {
  it('nothing needs a second person until the owner says so, who needs one for that', async () => {
    await as('ada').payments.pay(await payment(as('ada'), 20_000n));
    await desk.database.write((tx) => tx.update(people).set({ state: 'invited' }));
    await expect(protect()).rejects.toMatchObject({ code: 'NO_SECOND_PERSON' });
    await expect(as('ada').secondPerson.set({ what: 'money', ...USD, above: 1n })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('a payment waits, moves nothing, and is done as it was shown when another person confirms it', async () => {
    await protect();
    await as('ada').payments.pay(await payment(as('ada'), 10_000n));
    expect(await paid()).toBe(1);
    const { act, wanted, confirm } = await asked();
    expect(act).toMatchObject({
      ...{ operation: 'payments.pay', by: { name: 'ada' }, accountName: 'shop', whom: wanted.payee, note: 'Flour' },
      ...{ amount: { value: 20_000n, ...USD }, receiveAmount: { value: 20_000n }, isYours: false, mayDecide: true },
    });
    expect((await as('ada').waiting.list()).items).toMatchObject([{ isYours: true, mayDecide: false }]);
    expect((await as('cara', 'cashier').waiting.list()).items).toEqual([]);
    expect([await paid(), await balance(shop)]).toEqual([1, 90_000n]);
    // The same click again waits once, and the price of that moment has ended when Bob comes.
    await expect(as('ada').payments.pay(wanted)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    desk.clock.advance(3 * 3_600_000);
    expect(await confirm(as('bob'))).toEqual({ done: true });
    expect([await paid(), (await as('bob').waiting.list()).items.length]).toEqual([2, 0]);
    expect(await balance(shop)).toBe(70_000n);
    expect((await as('ada').payments.pay(wanted)).amount?.value).toBe(20_000n);
    expect(await paid()).toBe(2);
    const acts = (await owner().activity.list({ limit: 3 })).items;
    expect(acts.map(({ operation, by }) => [operation, by?.name])).toEqual([
      ['waiting.confirm', 'bob'],
      ['waiting.ask', 'ada'],
      ['payments.pay', 'ada'],
    ]);
    expect(acts[0]?.facts).toMatchObject({ asked: 'payments.pay', name: 'ada', amount: '20000', whom: wanted.payee });
  });

  it('the same person does not confirm, on another device or with the token of the computer, and no key does', async () => {
    await protect();
    const { confirm } = await asked();
    await expect(confirm(as('ada'))).rejects.toMatchObject({ code: 'SAME_PERSON' });
    await expect(confirm(as('ada', 'owner'))).rejects.toMatchObject({ code: 'SAME_PERSON' });
    await expect(confirm(as('a key', 'manager', 'key'))).rejects.toMatchObject({ code: 'NEEDS_A_PERSON' });
    await expect(confirm(owner('script'))).rejects.toMatchObject({ code: 'NEEDS_A_PERSON' });
    await expect(confirm(as('cara', 'cashier'))).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    const byScript = await payment(owner('script'), 30_000n);
    await expect(owner('script').payments.pay(byScript)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    const own = (await owner().waiting.list()).items.find(({ id }) => id === byScript.requestId);
    expect(own).toMatchObject({ isYours: true, mayDecide: false, by: { kind: 'script' } });
    const taken = owner().waiting.confirm({ id: byScript.requestId, hash: own?.hash ?? '' });
    await expect(taken).rejects.toMatchObject({ code: 'SAME_PERSON' });
    const byKey = as('a key', 'manager', 'key');
    await expect(byKey.payments.pay(await payment(byKey, 20_000n))).rejects.toMatchObject({ code: 'NEEDS_A_PERSON' });
    expect([await paid(), await balance(shop)]).toEqual([0, 100_000n]);
  });

  it('two confirmations at the same moment do it once', async () => {
    await protect();
    const { confirm } = await asked();
    const both = await Promise.allSettled([confirm(as('bob')), confirm(as('olga', 'owner')), confirm(owner()), confirm(as('bob'))]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject(NOT_WAITING);
    expect([await paid(), await balance(shop)]).toEqual([1, 80_000n]);
  });

  it('a confirmation and a withdrawal at the same moment have one outcome', async () => {
    await protect();
    const { act, confirm } = await asked();
    const [done, back] = await Promise.allSettled([confirm(as('bob')), as('ada').waiting.withdraw({ id: act.id })]);
    expect([done?.status, back?.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
    expect(await paid()).toBe(done?.status === 'fulfilled' ? 1 : 0);
  });

  it('what changed meanwhile gives a clear refusal, and nothing is done', async () => {
    await protect();
    const { act, confirm, wanted } = await asked();
    await desk.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 90_000n, note: '' });
    await expect(confirm(as('bob'))).rejects.toMatchObject({ code: 'CANNOT_BE_DONE', data: { code: 'INSUFFICIENT_BALANCE' } });
    await desk.walletAddresses.move({ id: randomUUID(), kind: 'deposit', walletAddressId: shop.id, amount: 90_000n, note: '' });
    const role = (id: string, to: Role) => desk.database.write((tx) => tx.update(people).set({ role: to }).where(eq(people.id, id)));
    await role(ids.ada ?? '', 'cashier');
    await expect(confirm(as('bob'))).rejects.toMatchObject({ code: 'FIRST_GONE' });
    await role(ids.ada ?? '', 'manager');
    await role(ids.bob ?? '', 'accountant');
    await expect(confirm(as('bob'))).rejects.toMatchObject({ code: 'NOT_ALLOWED_YOURSELF' });
    await role(ids.bob ?? '', 'manager');
    await expect(as('bob').waiting.confirm({ id: act.id, hash: 'another' })).rejects.toMatchObject({ code: 'CHANGED' });
    const [row] = await desk.database.read.select().from(waitingActs);
    const input = JSON.stringify({ ...JSON.parse(row?.input ?? ''), payee: desk.walletAddresses.urlOf(shop) });
    await desk.database.write((tx) => tx.update(waitingActs).set({ input }));
    await expect(confirm(as('bob'))).rejects.toMatchObject({ code: 'CHANGED' });
    await desk.database.write((tx) => tx.update(waitingActs).set({ input: row?.input ?? '' }));
    await desk.context.people.remove(ids.ada ?? '');
    await expect(confirm(as('bob'))).rejects.toMatchObject({ code: 'FIRST_GONE' });
    expect(await paid()).toBe(0);
    desk.clock.advance(WAITS_MS);
    await expect(confirm(as('bob'))).rejects.toMatchObject(NOT_WAITING);
    expect((await as('bob').waiting.list()).items).toEqual([]);
    await expect(as('ada').payments.pay(wanted)).rejects.toMatchObject({ code: expect.stringMatching(/QUOTE_ENDED|WAITING_ENDED/) });
  });

  it('another person refuses, the first one withdraws, and a restored copy lets it lapse', async () => {
    await protect();
    const first = await asked();
    await expect(as('ada').waiting.refuse({ id: first.act.id })).rejects.toMatchObject({ code: 'SAME_PERSON' });
    await expect(as('bob').waiting.withdraw({ id: first.act.id })).rejects.toMatchObject(NOT_WAITING);
    await as('bob').waiting.refuse({ id: first.act.id });
    await expect(first.confirm(as('bob'))).rejects.toMatchObject(NOT_WAITING);
    await expect(as('ada').payments.pay(first.wanted)).rejects.toMatchObject({ code: 'WAITING_ENDED' });
    const second = await asked();
    await as('ada').waiting.withdraw({ id: second.act.id });
    await expect(second.confirm(as('bob'))).rejects.toMatchObject(NOT_WAITING);
    const third = await asked();
    await desk.database.write(lapseAll);
    await expect(third.confirm(as('bob'))).rejects.toMatchObject(NOT_WAITING);
    expect(await paid()).toBe(0);
  });

  it('less protection needs a second person, and more does not', async () => {
    await protect(10_000n);
    await protect(5_000n);
    for (const above of [5_001n, null]) await expect(protect(above)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    const [act, ...others] = (await as('ada').waiting.list()).items;
    expect(others).toEqual([]);
    expect(act).toMatchObject({ operation: 'secondPerson.set', what: 'money', amount: { value: 5_001n }, mayDecide: true });
    const confirmed = { id: act?.id ?? '', hash: act?.hash ?? '' };
    await expect(owner().waiting.confirm(confirmed)).rejects.toMatchObject({ code: 'SAME_PERSON' });
    expect((await owner().secondPerson.get()).limits).toMatchObject([{ above: 5_000n }]);
    await as('ada').waiting.confirm(confirmed);
    expect((await owner().secondPerson.get()).limits).toMatchObject([{ above: 5_001n }]);
  });

  it('at most 50 acts wait', async () => {
    await protect(0n);
    const [row] = await asked().then(() => desk.database.read.select().from(waitingActs));
    if (row === undefined) throw new Error('nothing waits');
    await desk.database.write((tx) => tx.insert(waitingActs).values(Array.from({ length: 49 }, () => ({ ...row, id: randomUUID() }))));
    await expect(as('ada').payments.pay(await payment(as('ada'), 1n))).rejects.toMatchObject({ code: 'TOO_MANY_WAITING' });
  });
});

describe('a refund above an amount', () => {
  let sale: string;
  beforeEach(async () => {
    const made = await owner().requests.create({ requestId: randomUUID(), accountId: supplier.id, amount: 40_000n, madeAt: 'till' });
    const quote = await owner().payments.quote({ requestId: randomUUID(), accountId: shop.id, payee: made.link });
    const { id } = await owner().payments.pay({ requestId: randomUUID(), accountId: shop.id, quoteId: quote.id });
    await desk.finished(id);
    sale = made.id;
    await owner().refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 30_000n, perDay: 30_000n } });
    await protect();
  });

  it('waits, counts as the first person’s, and is not confirmed by one who may not do it themselves', async () => {
    const cara = as('cara', 'cashier');
    const wanted = { requestId: randomUUID(), paymentId: sale, amount: 25_000n, reason: 'Returned' };
    await expect(cara.refunds.create(wanted)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    const [act] = (await cara.waiting.list()).items;
    expect(act).toMatchObject({ operation: 'refunds.create', subject: sale, note: 'Returned', isYours: true, mayDecide: false });
    const shown = { id: act?.id ?? '', hash: act?.hash ?? '' };
    await owner().refundLimits.set({ role: 'manager', ...USD, amounts: { perPayment: 20_000n, perDay: 20_000n } });
    await expect(as('bob').waiting.confirm(shown)).rejects.toMatchObject({ code: 'NOT_ALLOWED_YOURSELF' });
    expect((await cara.refunds.of({ paymentId: sale })).refunds).toEqual([]);
    await as('olga', 'owner').waiting.confirm(shown);
    const { refunds, allowance } = await cara.refunds.of({ paymentId: sale });
    expect(refunds).toMatchObject([{ amount: { value: 25_000n }, reason: 'Returned' }]);
    expect(allowance.day?.left.value).toBe(5_000n);
    await cara.refunds.create(wanted);
    expect((await cara.refunds.of({ paymentId: sale })).refunds).toHaveLength(1);
  });

  it('is refused when the first person’s limit was lowered meanwhile', async () => {
    const wanted = { requestId: randomUUID(), paymentId: sale, amount: 25_000n };
    await expect(as('cara', 'cashier').refunds.create(wanted)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
    const [act] = (await as('bob').waiting.list()).items;
    await owner().refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 10_000n, perDay: 10_000n } });
    const confirmed = as('bob').waiting.confirm({ id: act?.id ?? '', hash: act?.hash ?? '' });
    await expect(confirmed).rejects.toMatchObject({ code: 'CANNOT_BE_DONE', data: { code: 'OVER_PAYMENT_LIMIT' } });
  });
});

it('who may ask for what waits is who may do it by the contract', () => {
  const stated = {
    'payments.pay': contract.payments.pay,
    'refunds.create': contract.refunds.create,
    'claims.make': contract.claims.make,
    'claims.refund': contract.claims.refund,
    'approvals.approve': contract.approvals.approve,
    'apps.allowAgain': contract.apps.allowAgain,
    'secondPerson.set': contract.secondPerson.set,
  };
  for (const [
    operation,
    {
      '~orpc': { meta },
    },
  ] of Object.entries(stated))
    expect(MAY_ASK).toHaveProperty([operation], meta.may);
  expect(Object.keys(MAY_ASK).sort()).toEqual(Object.keys(stated).sort());
});
