import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayAt } from '../../../src-shared/calendar.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import { newId } from '../../platform/ids.ts';
import { changeShop } from '../../shop/shop.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { openPayments, type Payments } from '../testing/payments.ts';
import { listLimits, type Refunder, setLimit } from './refund-limits.ts';
import { refundsOf } from './refund-rows.ts';
import { refunds } from './tables.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const ADA: Refunder = { id: 'ada', role: 'cashier' };
const BOB: Refunder = { id: 'bob', role: 'cashier' };
const MIA: Refunder = { id: 'mia', role: 'manager' };
const OWNER: Refunder = { id: 'owner', role: 'owner' };
const HOUR_MS = 3_600_000;
const DAYS = { timeZone: 'UTC', dayEndsAt: 0 };

let node: Payments;
let shop: WalletAddress;
let buyer: WalletAddress;

beforeEach(async () => {
  node = openPayments({ quiet: true });
  shop = await node.account('shop', 0n);
  buyer = await node.account('buyer', 1_000_000n);
  await node.database.write((tx) => changeShop(tx, { timeZone: 'UTC' }));
});
afterEach(() => node.close());

/** A sale that the buyer has paid. */
async function sold(amount: bigint, madeAt: 'till' | 'desk' = 'till'): Promise<string> {
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null, kept: { madeAt } });
  if (!made.ok) throw new Error(made.error);
  const payee = node.urls.incomingPayment(made.value.id);
  const quote = await node.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee, send: amount });
  if (!quote.ok) throw new Error(quote.error.code);
  const payment = await node.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
  if (!payment.ok) throw new Error(payment.error.code);
  await node.finished(payment.value.id);
  return made.value.id;
}
const refund = (by: Refunder, incomingPaymentId: string, amount: bigint, id = newId()) =>
  node.refunds.create({ id, incomingPaymentId, amount, by });
const limit = (role: 'cashier' | 'manager', perPayment: bigint, perDay: bigint) => setLimit(node, { role, ...USD }, { perPayment, perDay });
const fail = async (id: string) => {
  await node.database.write((tx) => tx.update(refunds).set({ state: 'failed', failure: 'test' }));
  return (await refundsOf(node.database.read, id, { most: 100 })).length;
};

describe('a refund limit', () => {
  it('lets a cashier refund nothing until there is one, a manager anything, and the owner always', async () => {
    const id = await sold(1_000n);
    expect(await refund(ADA, id, 1n)).toEqual({ ok: false, error: 'no_limit_set' });
    expect((await refund(MIA, id, 300n)).ok).toBe(true);
    await limit('manager', 400n, 500n);
    expect(await refund(MIA, id, 101n)).toEqual({ ok: false, error: { over: 'payment', limit: 400n, left: 100n } });
    expect((await refund(OWNER, id, 600n)).ok).toBe(true);
    await setLimit(node, { role: 'manager', ...USD }, null);
    expect(await listLimits(node.database.read)).toEqual([]);
    expect((await refund(MIA, id, 100n)).ok).toBe(true);
  });

  it('is one of the currency of the account', async () => {
    await setLimit(node, { role: 'cashier', assetCode: 'EUR', assetScale: 2 }, { perPayment: 500n, perDay: 500n });
    expect(await refund(ADA, await sold(100n), 1n)).toEqual({ ok: false, error: 'no_limit_set' });
  });

  it('lets cashiers refund what was sold at the till today, and nothing else', async () => {
    await limit('cashier', 1_000n, 1_000n);
    expect(await refund(ADA, await sold(100n, 'desk'), 1n)).toEqual({ ok: false, error: 'not_todays_sale' });
    const id = await sold(100n);
    node.clock.advance(24 * HOUR_MS);
    expect(await refund(ADA, id, 1n)).toEqual({ ok: false, error: 'not_todays_sale' });
    expect((await refund(ADA, await sold(100n), 1n)).ok).toBe(true);
    expect(await refund(ADA, randomUUID(), 1n)).toEqual({ ok: false, error: 'not_found' });
  });

  it('counts all cashiers together on one payment, and each of them on one day', async () => {
    await limit('cashier', 600n, 1_000n);
    const [first, second, third] = [await sold(1_000n), await sold(1_000n), await sold(1_000n)];
    expect((await refund(ADA, first, 500n)).ok).toBe(true);
    expect(await refund(BOB, first, 101n)).toEqual({ ok: false, error: { over: 'payment', limit: 600n, left: 100n } });
    expect((await refund(ADA, second, 450n)).ok).toBe(true);
    expect(await refund(ADA, third, 51n)).toEqual({ ok: false, error: { over: 'day', limit: 1_000n, left: 50n } });
    expect((await refund(BOB, third, 600n)).ok).toBe(true);
  });

  it('does not grow when the same person asks from everywhere at once, and a repetition counts once', async () => {
    await limit('cashier', 1_000n, 1_000n);
    const ids = await Promise.all(Array.from({ length: 6 }, () => sold(400n)));
    const asked = await Promise.all(ids.map((id) => refund(ADA, id, 400n)));
    expect(asked.filter(({ ok }) => ok)).toHaveLength(2);
    const done = ids[asked.findIndex(({ ok }) => ok)] ?? '';
    const [row] = await refundsOf(node.database.read, done, { most: 100 });
    expect((await refund(ADA, done, 400n, row?.id)).ok).toBe(true);
  });

  it('gives a share back when nothing has left, and not before', async () => {
    await limit('cashier', 1_000n, 500n);
    const id = await sold(1_000n);
    expect((await refund(ADA, id, 500n)).ok).toBe(true);
    expect(await refund(ADA, id, 1n)).toMatchObject({ ok: false, error: { over: 'day', left: 0n } });
    expect(await fail(id)).toBe(1);
    expect((await refund(ADA, id, 500n)).ok).toBe(true);
  });

  it('follows a person into another role, and is not begun anew by another end of the day', async () => {
    const id = await sold(1_000n);
    expect((await refund({ ...ADA, role: 'manager' }, id, 300n)).ok).toBe(true);
    await limit('cashier', 1_000n, 400n);
    expect(await refund(ADA, id, 101n)).toMatchObject({ ok: false, error: { over: 'day', left: 100n } });
    // At 00:00 UTC it is another day in Los Angeles.
    for (const timeZone of ['Pacific/Auckland', 'America/Los_Angeles', 'UTC']) {
      await node.database.write((tx) => changeShop(tx, { timeZone }));
      expect(await refund(ADA, id, 101n), timeZone).toMatchObject({ ok: false, error: { over: 'day', left: 100n } });
    }
  });
});

const PEOPLE: readonly Refunder[] = [ADA, BOB, MIA];
const step = fc.oneof(
  fc.record({ do: fc.constant('sell' as const), amount: fc.bigInt(1n, 900n) }),
  fc.record({ do: fc.constant('refund' as const), who: fc.nat(2), sale: fc.nat(8), amount: fc.bigInt(1n, 500n) }),
  fc.record({ do: fc.constant('fail' as const), which: fc.nat(8) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.nat(20) }),
  fc.record({
    do: fc.constant('limit' as const),
    role: fc.constantFrom('cashier', 'manager'),
    perPayment: fc.bigInt(1n, 600n),
    perDay: fc.bigInt(1n, 900n),
  }),
);

it('refunds exactly what a model of people, days and limits allows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      await node.database.write((tx) => tx.delete(refunds));
      for (const role of ['cashier', 'manager'] as const) await setLimit(node, { role, ...USD }, null);
      await node.refundWorker.stop();
      const limits = new Map<Role, { perPayment: bigint; perDay: bigint }>();
      const sales: { id: string; amount: bigint; day: string }[] = [];
      const made: { id: string; by: Refunder; sale: number; amount: bigint; day: string }[] = [];
      const sum = (these: typeof made) => these.reduce((total, { amount }) => total + amount, 0n);
      const today = () => dayAt(node.clock.now(), DAYS);
      const mayRefund = (by: Refunder, nth: number, amount: bigint): boolean => {
        const sale = sales[nth];
        const bounds = limits.get(by.role);
        if (sale === undefined || sum(made.filter((one) => one.sale === nth)) + amount > sale.amount) return false;
        if (bounds === undefined) return by.role === 'manager';
        if (by.role === 'cashier' && sale.day !== today()) return false;
        const ofSale = sum(made.filter((one) => one.sale === nth && one.by.role === by.role));
        const ofDay = sum(made.filter((one) => one.by === by && one.day === today()));
        return ofSale + amount <= bounds.perPayment && ofDay + amount <= bounds.perDay;
      };
      for (const one of steps) {
        if (one.do === 'sell') sales.push({ id: await sold(one.amount), amount: one.amount, day: today() });
        if (one.do === 'wait') node.clock.advance(one.hours * HOUR_MS);
        if (one.do === 'limit') {
          limits.set(one.role as Role, one);
          await limit(one.role as 'cashier' | 'manager', one.perPayment, one.perDay);
        }
        if (one.do === 'refund' && sales.length > 0) {
          const [by, nth, id] = [PEOPLE[one.who] ?? ADA, one.sale % sales.length, newId()];
          const expected = mayRefund(by, nth, one.amount);
          expect((await refund(by, sales[nth]?.id ?? '', one.amount, id)).ok).toBe(expected);
          if (expected) made.push({ id, by, sale: nth, amount: one.amount, day: today() });
        }
        if (one.do === 'fail' && made.length > 0) {
          const [gone] = made.splice(one.which % made.length, 1);
          await node.database.write((tx) =>
            tx
              .update(refunds)
              .set({ state: 'failed', failure: 'test' })
              .where(eq(refunds.id, gone?.id ?? '')),
          );
        }
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
