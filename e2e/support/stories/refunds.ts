import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Deaths, type DyingShop, received } from './dying-shop.ts';

const RECEIVED = 100_000n;
const EACH = 100n;

/** Tells the books of the shop that a wallet address has paid an incoming payment, as a checkout would. */
type TellPayer = (incomingPaymentId: string, payer: { walletAddress: string; amount: bigint }) => Promise<void>;

/** All refunds of a payment. Its page has the newest of them only. */
async function refundsOf(dying: DyingShop['dying'], paymentId: string) {
  const { items, nextCursor } = await dying.untilDone(() => dying.node.operator.refunds.list({ paymentId }));
  for (let cursor = nextCursor; cursor !== null; ) {
    const at = cursor;
    const part = await dying.untilDone(() => dying.node.operator.refunds.list({ paymentId, cursor: at }));
    items.push(...part.items);
    cursor = part.nextCursor;
  }
  return items;
}

/** The shop gives back, in many refunds, what a customer has paid. Each refund is paid once, whenever the node dies. */
export async function expectRefundsPaidOnce(told: DyingShop, { kills, points }: Deaths, tellPayer: TellPayer): Promise<void> {
  const { dying, shop, customer, payer } = told;
  const paymentId = await received(told, RECEIVED);
  await tellPayer(paymentId, { walletAddress: payer.walletAddress, amount: RECEIVED });
  const balances = async () => [
    (await customer.operator.accounts.get({ id: payer.id })).balance,
    (await dying.untilDone(() => dying.node.operator.accounts.get({ id: shop.id }))).balance,
  ];
  const [before = 0n, held = 0n] = await balances();
  const asked: string[] = [];
  const enough = dying.deaths + kills;
  for (let nth = 0; dying.deaths < enough; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(kills * 6 + 30);
    await dying.restart(points[nth % points.length]);
    const requestId = randomUUID();
    asked.push(requestId);
    const ask = () => dying.node.operator.refunds.create({ requestId, paymentId, amount: EACH });
    await Promise.allSettled([ask(), ask()]);
    await dying.untilDone(ask);
    const state = async () => (await dying.node.operator.payments.get({ id: paymentId })).refunds.find(({ id }) => id === requestId)?.state;
    await expect.poll(() => dying.untilDone(state)).toBe('done');
  }
  const { refunded, payers } = await dying.untilDone(() => dying.node.operator.payments.get({ id: paymentId }));
  const refunds = await refundsOf(dying, paymentId);
  const sum = EACH * BigInt(asked.length);
  expect(refunds.map(({ id }) => id).sort()).toEqual(asked.toSorted());
  expect(new Set(refunds.map(({ outgoingPaymentId }) => outgoingPaymentId)).size).toBe(asked.length);
  expect([refunded.value, payers[0]?.refundable.value]).toEqual([sum, RECEIVED - sum]);
  expect(await balances()).toEqual([before + sum, held - sum]);
  const tooMuch = { requestId: randomUUID(), paymentId, amount: RECEIVED - sum + 1n };
  await expect(
    dying.untilDone(() => dying.node.operator.refunds.create(tooMuch).catch(({ code }: { code?: string }) => code)),
  ).resolves.toBe('REFUND_TOO_MUCH');
  console.log(`${kills} kills, ${asked.length} refunds`);
}
