import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Role } from '../../../../src-shared/people/roles.ts';
import { letDecide } from '../../../payments/claims/claims.ts';
import { findIncomingPayment, receive } from '../../../payments/incoming/incoming-payments.ts';
import { findClaim } from '../../../payments/refunds/claim-rows.ts';
import { claimTries } from '../../../payments/refunds/tables.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { people } from '../../tables.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const ANN = 'https://wallet.example/ann';

let desk: Desk;
let shop: WalletAddress;
const ids: Record<string, string> = {};
beforeEach(async () => {
  desk = openDesk();
  shop = await desk.account('shop', 50_000n);
  for (const [name, role] of [['ada', 'manager'] as const, ['bob', 'manager'] as const, ['cara', 'cashier'] as const]) {
    const made = await desk.context.people.invite({ name, role });
    if (!made.ok) throw new Error(made.error);
    ids[name] = made.value.id;
  }
  await desk.database.write((tx) => tx.update(people).set({ state: 'active' }));
});
afterEach(() => desk.close());

const as = (name: string, role: Role = 'manager') => desk.callsAs({ role, doer: { kind: 'person', id: ids[name] ?? name, name, role } });
const owner = () => as('owner', 'owner');

/** A payment of somebody unknown that has arrived. @param client the app that asked for it; null for the operator */
async function received(amount: bigint, client: string | null = null): Promise<string> {
  const made = await desk.incomingPayments.create({ walletAddress: shop, client, ...(client === null && { kept: { madeAt: 'till' } }) });
  if (!made.ok) throw new Error(made.error);
  await desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, made.value.id);
    if (payment !== undefined) await receive(tx, payment, amount, desk.clock.now());
  });
  return made.value.id;
}
/** A wallet that a customer has named, and that could not confirm the payment. */
async function named(id: string): Promise<string> {
  const walletId = randomUUID();
  const at = desk.clock.now();
  await desk.database.write(async (tx) => {
    await tx.insert(claimTries).values({
      ...{ id: walletId, claimId: id, state: 'listing', payer: ANN, visitorHash: '', tries: 0, createdAt: at, lapsesAt: at, updatedAt: at },
    });
    const claim = await findClaim(tx, id);
    if (claim !== undefined) await letDecide(tx, claim, { id: walletId }, { finding: 'other_way', said: 900n }, at);
  });
  return walletId;
}
const make = (paymentId: string, amount: bigint, by = owner(), requestId = randomUUID()) =>
  by.claims.make({ requestId, paymentId, amount, reason: 'One book' });

it('shows each claim with its link to those who may make one, and without it to an accountant', async () => {
  const paymentId = await received(1_000n);
  const { id, link, state } = await make(paymentId, 600n);
  expect([state, link]).toEqual(['open', expect.stringMatching(/\/claim\/[\w-]{32}$/)]);
  const seen = (role: Role) => as('x', role).claims.of({ paymentId });
  expect(await seen('manager')).toMatchObject({ claimable: { value: 400n }, claims: [{ id, link, reason: 'One book' }] });
  expect((await seen('cashier')).claims).toMatchObject([{ link }]);
  expect((await seen('accountant')).claims).toMatchObject([{ id, link: null }]);
  const apps = await received(100n, 'https://till.example/app');
  await expect(as('cara', 'cashier').claims.of({ paymentId: apps })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(make(apps, 1n, as('cara', 'cashier'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await owner().refunds.of({ paymentId })).toMatchObject({ payers: [], refunds: [] });
  const { timeline } = await owner().payments.get({ id: paymentId });
  expect(timeline.at(-1)).toMatchObject({ type: 'incoming_payment.claim_made', body: { amount: '600' } });
});

it('shows the newest claims of a payment first, and reads the others in parts', async () => {
  const paymentId = await received(1_000n);
  const made: string[] = [];
  for (let number = 0; number < 45; number += 1) {
    const { id } = await make(paymentId, 1n);
    made.unshift(id);
    if (number < 44) await owner().claims.cancel({ id });
    desk.clock.advance(1);
  }
  const all: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const part = await owner().claims.of({ paymentId, cursor });
    expect([part.claims.length <= 20, part.claimable.value]).toEqual([true, 999n]);
    all.push(...part.claims.map(({ id }) => id));
    cursor = part.nextCursor;
  }
  expect(all).toEqual(made);
});

it('has an error of its own for each refusal', async () => {
  const paymentId = await received(1_000n);
  await expect(make(paymentId, 1_001n)).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
  await expect(make(randomUUID(), 1n)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(make(paymentId, 1n, as('cara', 'cashier'))).rejects.toMatchObject({ code: 'NO_REFUND_LIMIT' });
  await owner().refundLimits.set({ role: 'cashier', ...USD, amounts: { perPayment: 300n, perDay: 300n } });
  await expect(make(paymentId, 301n, as('cara', 'cashier'))).rejects.toMatchObject({
    ...{ code: 'OVER_PAYMENT_LIMIT', data: { limit: { value: 300n }, left: { value: 300n } } },
  });
  const requestId = randomUUID();
  const { id } = await make(paymentId, 300n, as('cara', 'cashier'), requestId);
  expect((await make(paymentId, 300n, as('cara', 'cashier'), requestId)).id).toBe(id);
  await expect(make(paymentId, 200n, owner(), requestId)).rejects.toMatchObject({ code: 'REQUEST_ID_TAKEN' });
  await expect(make(paymentId, 1n)).rejects.toMatchObject({ code: 'CLAIM_OPEN' });
  await expect(owner().claims.refund({ id, walletId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_WAITING' });
  await expect(owner().claims.refuse({ id: randomUUID(), walletId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const decision = { id, walletId: await named(id) };
  await expect(as('cara', 'cashier').claims.refund(decision)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect(await as('x', 'accountant').claims.waiting()).toMatchObject({
    items: [{ id, state: 'deciding', wallet: { payer: ANN, finding: 'other_way', said: { value: 900n } } }],
    count: 1,
  });
  expect(await as('cara', 'cashier').claims.cancel({ id })).toMatchObject({ state: 'cancelled', link: null });
  await expect(owner().claims.cancel({ id })).rejects.toMatchObject({ code: 'NOT_WAITING' });
});

it('the oldest links that wait are shown, and all are counted', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 22; n += 1) {
    const { id } = await make(await received(10n), 10n);
    await named(id);
    desk.clock.advance(1);
    ids.push(id);
  }
  const { items, count } = await owner().claims.waiting();
  expect([items.map(({ id }) => id).toSorted(), count]).toEqual([ids.slice(0, 20).toSorted(), 22]);
});

it('the operator’s decision refunds, and the payment says that it was claimed and not proven', async () => {
  const paymentId = await received(1_000n);
  const { id } = await make(paymentId, 1_000n);
  await owner().claims.refund({ id, walletId: await named(id) });
  const payment = await owner().payments.get({ id: paymentId });
  expect(payment.refunds).toMatchObject([{ id, payer: ANN, claimed: 'operator', amount: { value: 1_000n } }]);
  expect(payment.payers).toEqual([]);
  const [act] = (await owner().activity.list({ limit: 1 })).items;
  expect(act).toMatchObject({ operation: 'claims.refund', facts: { amount: '1000' } });
});

it('above an amount, making a link and deciding about a wallet each wait for another person', async () => {
  await owner().secondPerson.set({ what: 'money', ...USD, above: 500n });
  const paymentId = await received(1_000n);
  const requestId = randomUUID();
  await expect(make(paymentId, 600n, as('ada'), requestId)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  const confirm = async () => {
    const [act] = (await as('bob').waiting.list()).items;
    if (act === undefined) throw new Error('nothing waits');
    await expect(as('ada').waiting.confirm({ id: act.id, hash: act.hash })).rejects.toMatchObject({ code: 'SAME_PERSON' });
    await as('bob').waiting.confirm({ id: act.id, hash: act.hash });
    return act;
  };
  expect(await confirm()).toMatchObject({ operation: 'claims.make', amount: { value: 600n }, note: 'One book', whom: null });
  const decision = { id: requestId, walletId: await named(requestId) };
  await expect(as('ada').claims.refund(decision)).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  expect((await owner().payments.get({ id: paymentId })).refunds).toEqual([]);
  expect(await confirm()).toMatchObject({ operation: 'claims.refund', whom: ANN, amount: { value: 600n } });
  expect((await owner().payments.get({ id: paymentId })).refunds).toMatchObject([{ id: requestId, payer: ANN, claimed: 'operator' }]);
});
