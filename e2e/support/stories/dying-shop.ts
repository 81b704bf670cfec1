import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import type { DyingNode } from '../nodes/dying-node.ts';
import type { RunningNode } from '../nodes/running-node.ts';

/** A shop whose node dies again and again, and a customer who pays it. */
export interface DyingShop {
  readonly dying: DyingNode;
  /** The account of the shop, at the node that dies. */
  readonly shop: Account;
  readonly customer: Pick<RunningNode, 'operator'>;
  /** The account of the customer. */
  readonly payer: Account;
}

/** How often the node of a shop dies, and where. */
export interface Deaths {
  readonly kills: number;
  /** The fail points, which take turns (src-main/platform/fail-points.ts). */
  readonly points: readonly string[];
}

/** The customer pays the shop, which does not learn who that was. @returns the id of the incoming payment. */
export async function received({ dying, shop, customer, payer }: DyingShop, amount: bigint): Promise<string> {
  const request = { requestId: randomUUID(), accountId: shop.id, amount };
  const { id, link } = await dying.untilDone(() => dying.node.operator.requests.create(request));
  const wanted = { requestId: randomUUID(), accountId: payer.id, payee: link };
  const quote = await dying.untilDone(() => customer.operator.payments.quote(wanted));
  const pay = { requestId: randomUUID(), accountId: payer.id, quoteId: quote.id };
  await dying.untilDone(() => customer.operator.payments.pay(pay));
  await expect.poll(() => dying.untilDone(async () => (await dying.node.operator.payments.get({ id })).status)).toBe('paid');
  return id;
}
