import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DyingNode } from '../nodes/dying-node.ts';
import { type Deaths, received } from './dying-shop.ts';

const EACH = 5n;

/** A shop issues receipts. They have numbers without gaps and stay as they are, whenever the node dies. */
export async function expectReceiptsWithoutGaps(dying: DyingNode, { kills, points }: Deaths): Promise<void> {
  const account = async (name: string, openingBalance: bigint) => {
    const made = { requestId: randomUUID(), name, publicName: name, assetCode: 'USD', assetScale: 2, openingBalance };
    return await dying.node.operator.accounts.create(made);
  };
  const [shop, payer] = [await account('receipts-shop', 0n), await account('receipts-buyer', 1_000_000n)];
  const customer = {
    get operator() {
      return dying.node.operator;
    },
  };
  const paid = () => received({ dying, shop, payer, customer }, EACH);
  const issued = new Map<string, string | undefined>();
  const enough = dying.deaths + kills;
  for (let nth = 0; dying.deaths < enough; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(kills * 8 + 40);
    const ids = [await paid(), await paid()];
    await dying.restart(points[nth % points.length]);
    const issue = (id: string) => dying.node.operator.receipts.issue({ kind: 'sale', id });
    await Promise.allSettled([...ids, ...ids].map(issue));
    for (const id of ids) issued.set(id, (await dying.untilDone(() => issue(id))).content?.number);
  }
  const numbers = [...issued.values()].sort();
  expect(numbers.map((number) => number?.slice(-6))).toEqual(numbers.map((_, before) => String(before + 1).padStart(6, '0')));
  for (const [id, number] of issued) {
    const { content } = await dying.untilDone(() => dying.node.operator.receipts.get({ kind: 'sale', id }));
    expect(content).toMatchObject({ number, total: EACH, paid: EACH });
  }
  console.log(`${kills} kills, ${issued.size} receipts`);
}
