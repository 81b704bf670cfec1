import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';

// The shop issues receipts again and again, and the node is killed at each step of it.

/** How often the node is killed while receipts are issued. */
const KILLS = isLong ? 50 : 2;
const POINTS = ['receipt-step:1', 'receipt-step:2', ...[1, 2, 3, 4].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`])];

let dying: DyingNode;
beforeAll(async () => {
  dying = await DyingNode.start('receipts');
});
afterAll(() => dying.stop());

it(
  'receipts have numbers without gaps, each payment has one, and what it says stays, whenever the node is killed',
  async () => {
    const account = async (name: string, openingBalance: bigint) => {
      const made = { requestId: randomUUID(), name, publicName: name, assetCode: 'USD', assetScale: 2, openingBalance };
      return (await dying.node.operator.accounts.create(made)).id;
    };
    const [shop, buyer] = [await account('shop', 0n), await account('buyer', 1_000_000n)];
    /** A payment request of the shop that the buyer has paid. */
    const paid = async () => {
      const request = { requestId: randomUUID(), accountId: shop, amount: 5n };
      const { id, link } = await dying.untilDone(() => dying.node.operator.requests.create(request));
      const quote = { requestId: randomUUID(), accountId: buyer, payee: link };
      const { id: quoteId } = await dying.untilDone(() => dying.node.operator.payments.quote(quote));
      const pay = { requestId: randomUUID(), accountId: buyer, quoteId, note: '' };
      await dying.untilDone(() => dying.node.operator.payments.pay(pay));
      await expect
        .poll(() => dying.untilDone(async () => (await dying.node.operator.requests.get({ id })).status), { timeout: 20_000 })
        .toBe('paid');
      return id;
    };
    const issued = new Map<string, string | undefined>();
    for (let nth = 0; dying.deaths < KILLS; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(KILLS * 8 + 40);
      const ids = [await paid(), await paid()];
      await dying.restart(POINTS[nth % POINTS.length]);
      const issue = (id: string) => dying.node.operator.receipts.issue({ kind: 'sale', id });
      await Promise.allSettled([...ids, ...ids].map(issue));
      for (const id of ids) issued.set(id, (await dying.untilDone(() => issue(id))).content?.number);
    }
    const numbers = [...issued.values()].sort();
    expect(numbers.map((number) => number?.slice(-6))).toEqual(numbers.map((_, before) => String(before + 1).padStart(6, '0')));
    for (const [id, number] of issued) {
      const { content } = await dying.untilDone(() => dying.node.operator.receipts.get({ kind: 'sale', id }));
      expect(content).toMatchObject({ number, total: 5n, paid: 5n });
    }
    console.log(`${dying.deaths} kills, ${issued.size} receipts`);
  },
  Math.max(300_000, KILLS * 90_000),
);
