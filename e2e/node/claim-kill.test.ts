import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { TwoNodes } from '../support/nodes/two-nodes.ts';

// Customers whom the shop does not know take back by claim links what they paid from another node. The shop's node is
// killed at each step: while the link is made, while the wallet is named, and while it is asked and refunded.

/** How often the shop's node is killed. */
const KILLS = Number(process.env.PAYDESK_TEST_CLAIM_KILLS ?? 50);
const EACH = 100n;
const POINTS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `claim-step:${nth}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
  ...[1, 2, 3, 4].map((nth) => `refund-step:${nth}`),
];

let nodes: TwoNodes;
let dying: DyingNode;
beforeAll(async () => {
  nodes = await TwoNodes.start({ flags: ['--log-level', 'error'] });
  dying = DyingNode.firstOf(nodes);
});
afterAll(() => dying.stop());

/** A customer at another node pays the shop, which does not learn who that was. @returns the id of the payment. */
async function received(): Promise<string> {
  const accountId = nodes.accounts.a.USD.shop.id;
  const from = nodes.accounts.b.USD.payer.id;
  const { id, link } = await dying.untilDone(() => nodes.a.operator.requests.create({ requestId: randomUUID(), accountId, amount: EACH }));
  const quote = await dying.untilDone(() => nodes.b.operator.payments.quote({ requestId: randomUUID(), accountId: from, payee: link }));
  await nodes.b.operator.payments.pay({ requestId: randomUUID(), accountId: from, quoteId: quote.id });
  await expect.poll(() => dying.untilDone(async () => (await nodes.a.operator.payments.get({ id })).status)).toBe('paid');
  return id;
}

/** A browser at the shop's pages. It keeps the cookie and follows nothing by itself. */
async function visit(url: string, cookie: string, fields?: Record<string, string>) {
  const { origin } = new URL(url);
  const headers = { accept: 'text/html', cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  const form = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields).toString() };
  const answer = await fetch(url, { ...form, headers, redirect: 'manual' });
  if (answer.status >= 500 || answer.status === 429) throw new Error(`answered ${answer.status}`);
  const body = await answer.text();
  return { location: answer.headers.get('location') ?? '', cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? cookie, body };
}

/** The customer names their wallet and allows it there. */
async function claimAt(link: string): Promise<void> {
  const wallet = nodes.accounts.b.USD.payer.walletAddress;
  for (let tries = 0; tries < 5; tries += 1) {
    const named = await dying.untilDone(() => visit(link, '', { wallet }));
    if (!named.location.includes('/claim/go/')) return;
    const go = await dying.untilDone(() => visit(nodes.a.publicUrl + named.location, named.cookie));
    const interact = /url=([^"]+)"/.exec(go.body)?.[1]?.replaceAll('&amp;', '&');
    if (interact === undefined) continue;
    await visit(interact, '');
    const request = (await nodes.b.operator.approvals.list()).at(-1);
    const code = /data-code="(\d+)"/.exec((await visit(interact, '')).body)?.[1] ?? '';
    await nodes.b.operator.approvals.approve({ id: request?.id ?? '', code, shownHash: request?.shownHash ?? '' });
    const { location } = await visit(interact, '');
    await dying.untilDone(() => visit(location, named.cookie));
    return;
  }
}

/** The claim ends by its refund. Where a step was lost with the node, the operator decides. */
async function refunded(id: string, paymentId: string): Promise<'by itself' | 'by the operator'> {
  let how: 'by itself' | 'by the operator' = 'by itself';
  const stands = async () => {
    const claim = (await nodes.a.operator.claims.of({ paymentId })).claims.find((one) => one.id === id);
    if (claim?.state !== 'deciding' || claim.wallet === null) return claim?.state;
    how = 'by the operator';
    await nodes.a.operator.claims.refund({ id, walletId: claim.wallet.id });
    return 'refunded';
  };
  await expect.poll(() => dying.untilDone(stands), { timeout: 180_000, interval: 300 }).toBe('refunded');
  const state = async () => (await nodes.a.operator.payments.get({ id: paymentId })).refunds.map((refund) => refund.state);
  await expect.poll(() => dying.untilDone(state), { timeout: 60_000 }).toEqual(['done']);
  return how;
}

it(
  'a claim link is refunded once, whenever the node is killed while it is made, confirmed and refunded',
  async () => {
    const buyer = nodes.accounts.b.USD.payer.id;
    const balance = async () => (await nodes.b.operator.accounts.get({ id: buyer })).balance;
    const before = await balance();
    const [made, how]: [string[], string[]] = [[], []];
    for (let nth = 0; dying.deaths < KILLS; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(KILLS * 4 + 30);
      const paymentId = await received();
      await dying.restart(POINTS[nth % POINTS.length]);
      const requestId = randomUUID();
      const make = () => nodes.a.operator.claims.make({ requestId, paymentId, amount: EACH });
      await Promise.allSettled([make(), make()]);
      const { link } = await dying.untilDone(make);
      await claimAt(link ?? '');
      how.push(await refunded(requestId, paymentId));
      made.push(paymentId);
      expect(await balance()).toBe(before);
    }
    for (const id of made) {
      const { refunds } = await dying.untilDone(() => nodes.a.operator.payments.get({ id }));
      expect(refunds).toHaveLength(1);
    }
    const alone = how.filter((one) => one === 'by itself').length;
    console.log(`${dying.deaths} kills, ${made.length} claims, ${alone} of them refunded by themselves`);
  },
  Math.max(600_000, KILLS * 60_000),
);
