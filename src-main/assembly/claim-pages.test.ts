import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { grants } from '../access/tables.ts';
import { findIncomingPayment, receive } from '../payments/incoming/incoming-payments.ts';
import { triesOf } from '../payments/refunds/claim-rows.ts';
import { claims, refunds } from '../payments/refunds/tables.ts';
import { changeShop } from '../shop/shop.ts';
import { type LinkedNodes, openLinkedNodes } from './testing/linked-nodes.ts';

/** The shop is one node, and the wallet of its customer is another. */
let nodes: LinkedNodes;
let cookie: string;
let path: string;
let claimId: string;
let paymentId: string;
beforeEach(async () => {
  cookie = '';
  nodes = await openLinkedNodes();
  const { payer: node } = nodes;
  const made = await node.payments.incomingPayments.create({ walletAddress: node.accounts.alice, client: null });
  if (!made.ok) throw new Error(made.error);
  paymentId = made.value.id;
  await node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, paymentId);
    if (payment !== undefined) await receive(tx, payment, 1_250n, node.clock.now());
    await changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Books & Tea' } });
  });
  claimId = randomUUID();
  const by = { id: 'owner', role: 'owner' as const };
  const reason = '<b>Roses</b>';
  expect((await node.checkout.claims.operator.make({ id: claimId, incomingPaymentId: paymentId, amount: 1_000n, reason, by })).ok).toBe(
    true,
  );
  path = `/claim/${node.checkout.claims.links.secretOf(claimId)}`;
});
afterEach(() => nodes.close());

/** The owner of the wallet allows what waits there. @returns what was asked, and where the browser comes back to. */
async function approved(interactUrl: string) {
  const { payee } = nodes;
  const look = () => payee.app.inject({ url: new URL(interactUrl).pathname, headers: { accept: 'text/html' } });
  await look();
  const [approval] = await payee.access.views.listApprovals();
  const [grant] = (await payee.database.read.select().from(grants)).filter(({ id }) => id === approval?.id);
  const done = await payee.access.approvals.approve({ id: grant?.id ?? '', code: grant?.code ?? '', shownHash: approval?.shownHash ?? '' });
  expect(done.ok).toBe(true);
  return { access: grant?.requested, uri: String((await look()).headers.location) };
}

const get = (url: string, headers = {}) => nodes.payer.app.inject({ url, headers: { accept: 'text/html', cookie, ...headers } });
const post = (fields: Record<string, string>, site = 'same-origin', url = path) =>
  nodes.payer.app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
    headers: { accept: 'text/html', cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
  });
/** The newest wallet that was named, once the operator is to decide about it. */
async function toDecide() {
  const newest = async () => (await triesOf(nodes.payer.database.read, [claimId])).at(-1);
  await expect.poll(async () => (await newest())?.state).toBe('deciding');
  return await newest();
}

it('says who gives back what, why and until when, in the language of the customer, and names nobody', async () => {
  const page = await get(path);
  for (const text of ['Books &amp; Tea', '<span>10.00</span>', '&lt;b&gt;Roses&lt;/b&gt;', '2026-01-31', `action="${path}"`])
    expect(page.body).toContain(text);
  expect(page.body).not.toContain('<b>Roses');
  expect((await get(path, { 'accept-language': 'de' })).body).toContain('<span>10,00</span>');
  expect((await get(path, { 'accept-language': 'ar' })).body).toContain('dir="rtl"');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'x-frame-options': 'DENY' });
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

it('is nothing for other links, and takes forms of its own pages only', async () => {
  expect((await get(`/claim/${'a'.repeat(32)}`)).statusCode).toBe(404);
  expect((await get('/claim/x')).statusCode).toBe(404);
  expect((await post({ wallet: 'x' }, 'cross-site')).statusCode).toBe(403);
  expect((await get(`/claim/go/${randomUUID()}`)).statusCode).toBe(404);
  expect((await get(`/claim/back/${randomUUID()}?hash=x&interact_ref=y`)).statusCode).toBe(400);
});

it('asks the wallet of the customer for its payments and nothing else, and lets the shop decide when it paid nothing', async () => {
  const mistyped = await post({ wallet: 'https://wallet.example/nobody' });
  expect(mistyped.body).toContain('There is no wallet at this address.');
  const sent = await post({ wallet: 'wallet.example/carol' });
  cookie = String(sent.headers['set-cookie']).split(';')[0] ?? '';
  expect(sent.headers['set-cookie']).toContain('Path=/claim; HttpOnly; SameSite=Lax');
  expect(sent.headers.location).toMatch(/^\/claim\/go\//);
  const go = await get(String(sent.headers.location));
  expect(go.headers['referrer-policy']).toBe('no-referrer');
  expect(go.body).toContain('https://wallet.example/auth/interact/');
  expect((await get(String(sent.headers.location), { cookie: '' })).statusCode).toBe(404);
  const { access, uri } = await approved(/url=([^"]+)"/.exec(go.body)?.[1]?.replaceAll('&amp;', '&') ?? '');
  expect(access).toEqual([{ type: 'outgoing-payment', actions: ['list-all'], identifier: 'https://wallet.example/carol' }]);
  expect(uri).toMatch(/^https:\/\/pay\.example\/claim\/back\/[\w-]+\?/);
  expect(uri).not.toContain(path.slice(7));
  const { pathname, search } = new URL(uri);
  // The wallet's server wants to be asked no sooner.
  nodes.advance(6_000);
  expect((await get(pathname + search)).headers.location).toBe(path);
  expect((await get(path)).body).toMatch(/This page asks your wallet|The shop decides/);
  const wallet = await toDecide();
  expect(wallet).toMatchObject({ state: 'deciding', finding: 'not_paid', payer: 'https://wallet.example/carol', sealed: null });
  const calls = () =>
    nodes.toPayee.map(({ method, url, status }) => `${method} ${new URL(url).pathname.replace(/[\da-f-]{36}/g, '…')} ${status}`).slice(-3);
  // The token is given back after that, as good manners.
  await expect.poll(calls).toEqual(['POST /auth/continue/… 200', 'GET /outgoing-payments 200', 'DELETE /auth/token/… 204']);
  const page = await get(path);
  expect(page.body).toContain('The shop decides');
  expect(page.body).not.toContain('carol');
});

it('says so when the refund could not be sent, and not that the money was given back', async () => {
  const { payer: node } = nodes;
  const at = node.clock.now();
  await node.database.write(async (tx) => {
    await tx.update(claims).set({ state: 'refunded' }).where(eq(claims.id, claimId));
    await tx.insert(refunds).values({
      ...{ id: claimId, incomingPaymentId: paymentId, payer: 'https://wallet.example/carol', amount: 1_000n, state: 'failed' },
      ...{ failure: 'receiver_unreachable', tries: 6, dueAt: at, createdAt: at, updatedAt: at },
    });
  });
  const { body } = await get(path);
  expect(body).toContain('could not send the money');
  expect(body).not.toMatch(/Given back|carol/);
});
