import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Deaths, type DyingShop, received } from './dying-shop.ts';

const EACH = 100n;

/** A browser at the shop's pages. It keeps the cookie and follows nothing by itself. */
export async function visit(url: string, cookie: string, fields?: Record<string, string>) {
  const { origin } = new URL(url);
  const headers = { accept: 'text/html', cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  const form = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields).toString() };
  const answer = await fetch(url, { ...form, headers, redirect: 'manual' });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`answered ${answer.status}`);
  const body = await answer.text();
  return { location: answer.headers.get('location') ?? '', cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? cookie, body };
}

/** The customer names their wallet and allows it there. */
async function claimAt({ dying, customer, payer: { walletAddress: wallet } }: DyingShop, link: string): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const named = await dying.untilDone(() => visit(link, '', { wallet }));
    if (!named.location.includes('/claim/go/')) return;
    const go = await dying.untilDone(() => visit(dying.node.publicUrl + named.location, named.cookie));
    const interact = /url=([^"]+)"/.exec(go.body)?.[1]?.replaceAll('&amp;', '&');
    if (interact === undefined) continue;
    await visit(interact, '');
    const request = (await customer.operator.approvals.list()).at(-1);
    const code = /data-code="(\d+)"/.exec((await visit(interact, '')).body)?.[1] ?? '';
    await customer.operator.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
    const { location } = await visit(interact, '');
    await dying.untilDone(() => visit(location, named.cookie));
    return;
  }
}

/** The claim ends by its refund. Where a step was lost with the node, the operator decides. */
async function refunded({ dying }: DyingShop, id: string, paymentId: string): Promise<'by itself' | 'by the operator'> {
  let how: 'by itself' | 'by the operator' = 'by itself';
  const stands = async () => {
    const { claims } = dying.node.operator;
    const claim = (await claims.of({ paymentId })).claims.find((one) => one.id === id);
    if (claim?.state !== 'deciding' || claim.wallet === null) return claim?.state;
    how = 'by the operator';
    await claims.refund({ id, walletId: claim.wallet.id });
    return 'refunded';
  };
  await expect.poll(() => dying.untilDone(stands), { timeout: 180_000, interval: 300 }).toBe('refunded');
  const state = async () => (await dying.node.operator.payments.get({ id: paymentId })).refunds.map((refund) => refund.state);
  await expect.poll(() => dying.untilDone(state), { timeout: 60_000 }).toEqual(['done']);
  return how;
}

/**
 * Customers whom the shop does not know take back by claim links what they paid. The node dies while the link is made,
 * while the wallet is named, and while it is asked and refunded. Each link is refunded once.
 */
export async function expectClaimsRefundedOnce(told: DyingShop, { kills, points }: Deaths): Promise<void> {
  const { dying, customer, payer } = told;
  const balance = async () => (await customer.operator.accounts.get({ id: payer.id })).balance;
  const before = await balance();
  const [made, how]: [string[], string[]] = [[], []];
  const enough = dying.deaths + kills;
  for (let nth = 0; dying.deaths < enough; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(kills * 4 + 30);
    const paymentId = await received(told, EACH);
    await dying.restart(points[nth % points.length]);
    const requestId = randomUUID();
    const make = () => dying.node.operator.claims.make({ requestId, paymentId, amount: EACH });
    await Promise.allSettled([make(), make()]);
    const { link } = await dying.untilDone(make);
    await claimAt(told, link ?? '');
    how.push(await refunded(told, requestId, paymentId));
    made.push(paymentId);
    expect(await balance()).toBe(before);
  }
  for (const id of made) {
    const { refunds } = await dying.untilDone(() => dying.node.operator.payments.get({ id }));
    expect(refunds).toHaveLength(1);
  }
  const alone = how.filter((one) => one === 'by itself').length;
  console.log(`${kills} kills, ${made.length} claims, ${alone} of them refunded by themselves`);
}
