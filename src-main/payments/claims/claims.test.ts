import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../src-shared/people/roles.ts';
import { events } from '../../journal/tables.ts';
import { newId } from '../../platform/ids.ts';
import { DAY_MS } from '../../platform/retention/rule.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, receive } from '../incoming/incoming-payments.ts';
import { claimsOf, findClaim, type StoredTry } from '../refunds/claim-rows.ts';
import { notePayer } from '../refunds/payers.ts';
import { setLimit } from '../refunds/refund-limits.ts';
import { refundsOf } from '../refunds/refund-rows.ts';
import { claimTries } from '../refunds/tables.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { doubtClaims } from './after-copy.ts';
import { expireIn, letDecide, refundIn } from './claims.ts';

const ANN = 'https://wallet.example/ann';
const OWNER = { id: 'owner', role: 'owner' as Role };
const ADA = { id: 'ada', role: 'cashier' as Role };

let node: Payments;
let shop: WalletAddress;
beforeEach(async () => {
  node = openPayments({ quiet: true });
  shop = await node.account('shop', 5_000n);
});
afterEach(() => node.close());

/** A payment of somebody unknown that has arrived. */
async function received(amount: bigint, madeAt: 'till' | 'desk' = 'till'): Promise<string> {
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null, kept: { madeAt } });
  if (!made.ok) throw new Error(made.error);
  await node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, made.value.id);
    if (payment !== undefined) await receive(tx, payment, amount, node.clock.now());
  });
  return made.value.id;
}
const make = (incomingPaymentId: string, amount: bigint, id: string = newId(), by = OWNER) =>
  node.claims.make({ id, incomingPaymentId, amount, by });
/** Makes a claim. @returns its id */
async function made(incomingPaymentId: string, amount: bigint): Promise<string> {
  const id = newId();
  expect(await make(incomingPaymentId, amount, id)).toEqual({ ok: true, value: undefined });
  return id;
}
/** A wallet that was named for a claim and that could not confirm. */
async function named(claimId: string, payer = ANN): Promise<string> {
  const id = randomUUID();
  const at = node.clock.now();
  const row: StoredTry = {
    ...{ id, claimId, state: 'listing', payer, finding: null, said: null, visitorHash: '', sealed: 'x', tries: 0 },
    ...{ dueAt: at, holder: null, createdAt: at, lapsesAt: at + DAY_MS, updatedAt: at },
  };
  await node.database.write(async (tx) => {
    await tx.insert(claimTries).values(row);
    const claim = await findClaim(tx, claimId);
    if (claim !== undefined) await letDecide(tx, claim, { id }, { finding: 'not_paid', said: 0n }, at);
  });
  return id;
}
const stateOf = async (id: string) => (await findClaim(node.database.read, id))?.state;
const told = async (id: string) =>
  (await node.database.read.select().from(events).where(eq(events.subject, id)).orderBy(events.position)).map(({ type }) => type).slice(2);

describe('a claim link', () => {
  it('is made once for each request, and one at a time for a payment', async () => {
    const id = await received(1_000n);
    const once = newId();
    const asked = await Promise.all([make(id, 400n, once), make(id, 400n, once), make(id, 100n)]);
    expect(asked.map((one) => (one.ok ? 'made' : one.error))).toEqual(['made', 'made', 'claim_open']);
    expect(await make(id, 300n, once)).toEqual({ ok: false, error: 'id_taken' });
    expect(await make(randomUUID(), 1n)).toEqual({ ok: false, error: 'not_found' });
    expect(await claimsOf(node.database.read, id, { most: 10 })).toMatchObject([{ id: once, amount: 400n, state: 'open' }]);
    expect((await node.claims.cancel(once)).ok).toBe(true);
    expect(await node.claims.cancel(once)).toEqual({ ok: false, error: 'not_waiting' });
    await made(id, 1_000n);
    expect(await told(id)).toEqual(['incoming_payment.claim_made', 'incoming_payment.claim_cancelled', 'incoming_payment.claim_made']);
  });

  it('gives back no more than came from nobody who is known', async () => {
    const id = await received(1_000n);
    await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer: ANN, amount: 300n }, 1));
    expect(await make(id, 701n)).toEqual({ ok: false, error: 'too_much' });
    await made(id, 700n);
    expect((await node.refunds.create({ id: newId(), incomingPaymentId: id, amount: 300n, by: OWNER })).ok).toBe(true);
    expect(await node.refunds.create({ id: newId(), incomingPaymentId: id, amount: 1n, by: OWNER })).toEqual({
      ok: false,
      error: 'too_much',
    });
  });

  it('keeps its money from a payer who is proven later', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 600n);
    await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer: ANN, amount: 1_000n }, 1));
    const refund = (amount: bigint) => node.refunds.create({ id: newId(), incomingPaymentId: id, amount, by: OWNER });
    expect(await refund(401n)).toEqual({ ok: false, error: 'too_much' });
    expect((await refund(400n)).ok).toBe(true);
    await node.claims.cancel(claim);
    expect((await refund(600n)).ok).toBe(true);
  });

  it('ends after thirty days, and its money can be given back otherwise', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 1_000n);
    node.clock.advance(30 * DAY_MS - 1);
    expect(await make(id, 1n)).toEqual({ ok: false, error: 'claim_open' });
    node.clock.advance(1);
    expect(await node.claims.cancel(claim)).toEqual({ ok: false, error: 'not_waiting' });
    await made(id, 1_000n);
    expect(await stateOf(claim)).toBe('expired');
    node.clock.advance(30 * DAY_MS);
    await node.database.write((tx) => expireIn(tx, node.clock.now()));
    expect((await claimsOf(node.database.read, id, { most: 10 })).map(({ state }) => state)).toEqual(['expired', 'expired']);
  });

  it('is refunded once by the operator’s decision, however often they click', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 500n);
    expect(await node.claims.refund(claim, randomUUID())).toEqual({ ok: false, error: 'not_waiting' });
    const wallet = await named(claim);
    const clicks = [
      node.claims.refund(claim, wallet),
      node.claims.refund(claim, wallet),
      node.claims.refuse(claim, wallet),
      node.claims.cancel(claim),
    ];
    expect((await Promise.all(clicks)).map(({ ok }) => ok)).toEqual([true, false, false, false]);
    expect(await refundsOf(node.database.read, id, { most: 10 })).toMatchObject([
      { id: claim, payer: ANN, amount: 500n, claimed: 'operator', boundTo: null },
    ]);
    expect(await stateOf(claim)).toBe('refunded');
    // The id of a claim is no id for another refund, and the other way round.
    await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer: ANN, amount: 500n }, 1));
    const again = { id: claim, incomingPaymentId: id, amount: 1n, by: OWNER };
    expect(await node.refunds.create(again)).toEqual({ ok: false, error: 'id_taken' });
    const refund = newId();
    await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer: 'https://wallet.example/bob', amount: 5n }, 1));
    expect((await node.refunds.create({ ...again, id: refund, payer: 'https://wallet.example/bob' })).ok).toBe(true);
    expect(await make(id, 1n, refund)).toEqual({ ok: false, error: 'id_taken' });
  });

  it('is confirmed by a wallet at the very moment at which it is cancelled: one of both happens', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 1_000n);
    const wallet = await named(claim);
    const confirm = node.database
      .write(async (tx) => {
        const [row] = await claimsOf(tx, id, { most: 10 });
        const [own] = await tx.select().from(claimTries).where(eq(claimTries.id, wallet));
        if (row === undefined || own === undefined) throw new Error('gone');
        return await refundIn(tx, row, own, { payer: ANN, claimed: 'wallet', boundTo: 'g.peer' }, node.clock.now());
      })
      .catch(() => ({ ok: false }));
    const outcomes = await Promise.all([node.claims.cancel(claim), confirm]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await refundsOf(node.database.read, id, { most: 10 })).toHaveLength((await stateOf(claim)) === 'refunded' ? 1 : 0);
  });

  it('waits on when the account has spent the money, and says so', async () => {
    const id = await received(9_000n);
    const claim = await made(id, 9_000n);
    const wallet = await named(claim);
    expect(await node.claims.refund(claim, wallet)).toEqual({ ok: false, error: 'insufficient_balance' });
    expect(await stateOf(claim)).toBe('deciding');
  });

  it('ends after two refusals, or after three wallets', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 500n);
    await node.claims.refuse(claim, await named(claim));
    expect(await stateOf(claim)).toBe('open');
    await node.claims.refuse(claim, await named(claim));
    expect(await stateOf(claim)).toBe('refused');
    const other = await made(id, 500n);
    for (const name of ['bob', 'cem']) {
      const wallet = await named(other, `https://wallet.example/${name}`);
      await node.database.write((tx) => tx.update(claimTries).set({ state: 'ended' }).where(eq(claimTries.id, wallet)));
    }
    await node.claims.refuse(other, await named(other));
    expect(await stateOf(other)).toBe('refused');
    await made(id, 1_000n);
  });

  it('counts as used in books that were put back from a copy, and nobody carries it on', async () => {
    const id = await received(1_000n);
    const claim = await made(id, 700n);
    const wallet = await named(claim);
    await node.database.write((tx) => doubtClaims(tx, node.clock.now()));
    expect(await stateOf(claim)).toBe('doubted');
    expect(await node.claims.refund(claim, wallet)).toEqual({ ok: false, error: 'not_waiting' });
    expect(await make(id, 301n)).toEqual({ ok: false, error: 'too_much' });
    await made(id, 300n);
  });
});

describe('the limit of whoever makes a claim link', () => {
  const USD = { assetCode: 'USD', assetScale: 2 };
  it('counts the link as a refund of that person, on that day, until it ends', async () => {
    const id = await received(1_000n);
    expect(await make(id, 1n, newId(), ADA)).toEqual({ ok: false, error: 'no_limit_set' });
    await setLimit(node, { role: 'cashier', ...USD }, { perPayment: 400n, perDay: 500n });
    expect(await make(await received(10n, 'desk'), 1n, newId(), ADA)).toEqual({ ok: false, error: 'not_todays_sale' });
    expect(await make(id, 401n, newId(), ADA)).toEqual({ ok: false, error: { over: 'payment', limit: 400n, left: 400n } });
    const claim = newId();
    expect((await make(id, 400n, claim, ADA)).ok).toBe(true);
    const other = await received(1_000n);
    expect(await make(other, 101n, newId(), ADA)).toEqual({ ok: false, error: { over: 'day', limit: 500n, left: 100n } });
    // The refund of the claim counts in its place.
    expect((await node.claims.refund(claim, await named(claim))).ok).toBe(true);
    expect(await make(other, 101n, newId(), ADA)).toEqual({ ok: false, error: { over: 'day', limit: 500n, left: 100n } });
    const second = newId();
    expect((await make(other, 100n, second, ADA)).ok).toBe(true);
    await node.claims.cancel(second);
    expect((await make(other, 100n, newId(), ADA)).ok).toBe(true);
  });
});
