import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findIncomingPayment, receive } from '../payments/incoming/incoming-payments.ts';
import { notePayer } from '../payments/refunds/payers.ts';
import { CAROL, EVERYTHING } from './testing/error-cases.ts';
import { openOperator } from './testing/node-operator.ts';
import { openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

const NOTE = 'pays-late-watch-out';
const REFERENCE = 'INV-7-of-the-books';
const DESCRIPTION = 'Two books';

let node: TestNode;
let operator: ReturnType<typeof openOperator>;
let folder: string;
let id: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-notes-'));
  node = await openTestNode();
  operator = openOperator(node, folder);
  const request = { requestId: randomUUID(), accountId: node.accounts.carol.id, amount: 500n };
  ({ id } = await operator.client.requests.create({ ...request, description: DESCRIPTION, note: NOTE, reference: REFERENCE }));
});
afterEach(async () => {
  await operator.context.lock.close();
  await node.close();
  rmSync(folder, { recursive: true });
});

/** Asks at every public door that shows an incoming payment, with all rights and without any. */
async function everywhere(): Promise<Record<string, string>> {
  const token = await node.giveToken(EVERYTHING);
  const list = `/incoming-payments?wallet-address=${encodeURIComponent(CAROL)}`;
  const text = async (request: TestRequest) => {
    const { headers, body } = await node.app.inject(request);
    return JSON.stringify(headers) + body;
  };
  const page = { headers: { accept: 'text/html' } };
  return {
    'with every right': await text(node.signed({ method: 'GET', path: `/incoming-payments/${id}`, token })),
    'in the list': await text(node.signed({ method: 'GET', path: list, token })),
    'without a token': await text({ method: 'GET', url: `/incoming-payments/${id}` }),
    'in a browser': await text({ method: 'GET', url: `/incoming-payments/${id}`, ...page }),
    'on its page': await text({ method: 'GET', url: `/pay/${id}`, ...page }),
    'the state of its page': await text({ method: 'GET', url: `/pay/${id}/state` }),
    'at its wallet address': await text({ method: 'GET', url: '/carol', ...page }),
    'when it is completed': await text(node.signed({ method: 'POST', path: `/incoming-payments/${id}/complete`, token })),
    'in the description of the API': await text({ method: 'GET', url: '/openapi.json' }),
  };
}

const html = { accept: 'text/html' };

/** Somebody pays. @returns the addresses that open then: of its receipt, and of a link by which it is given back. */
async function pay(): Promise<{ receipt: string; claim: string }> {
  await node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, 500n, node.clock.now());
  });
  const form = { ...html, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const issued = await node.app.inject({ method: 'POST', url: `/pay/${id}/receipt`, headers: form });
  const [claimId, by] = [randomUUID(), { id: 'owner', role: 'owner' as const }];
  const make = { id: claimId, incomingPaymentId: id, amount: 100n, reason: 'Too much', by };
  expect(await node.checkout.claims.operator.make(make)).toMatchObject({ ok: true });
  return { receipt: String(issued.headers.location), claim: `/claim/${node.checkout.claims.links.secretOf(claimId)}` };
}

async function everywhereOncePaid({ receipt, claim }: { receipt: string; claim: string }): Promise<Record<string, string>> {
  const text = async (url: string) => {
    const { statusCode, headers, body } = await node.app.inject({ url, headers: html });
    expect(statusCode, url).toBe(200);
    return JSON.stringify(headers) + body;
  };
  const [, payload = ''] = (await node.app.inject({ url: `${receipt}/signed` })).body.split('.');
  return {
    ...(await everywhere()),
    'on its receipt': await text(receipt),
    'on a receipt for a printer': await text(`${receipt}?paper=80mm`),
    // The file of the receipt is made of this, too.
    'in the signed receipt': Buffer.from(payload, 'base64url').toString(),
    'on the page of a claim': await text(claim),
  };
}

it('what the operator notes is at no public door, and what the payer may read is where it is said to be', async () => {
  const open = await everywhere();
  const paid = await everywhereOncePaid(await pay());
  for (const answers of [open, paid])
    for (const secret of [NOTE, REFERENCE])
      expect(Object.entries(answers).flatMap(([door, answer]) => (answer.includes(secret) ? [door] : []))).toEqual([]);
  const { 'on its page': page, 'with every right': read, 'in the list': listed } = open;
  for (const answer of [page, read, listed, paid['on its receipt'], paid['in the signed receipt']]) expect(answer).toContain(DESCRIPTION);
});

it('who paid is at no public door', async () => {
  const payer = 'https://wallet.example/ann-of-the-bakery';
  const links = await pay();
  await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer, amount: 500n }, 1));
  const answers = await everywhereOncePaid(links);
  expect(Object.entries(answers).flatMap(([door, answer]) => (answer.includes('ann-of-the-bakery') ? [door] : []))).toEqual([]);
});

it('the page of a payment that was ended with nothing in it says so, and shows no tick', async () => {
  await node.payments.incomingPayments.complete(id, null);
  const { body } = await node.app.inject({ method: 'GET', url: `/pay/${id}`, headers: { accept: 'text/html' } });
  expect(body).toContain('The payee has cancelled this payment. Nothing was paid.');
  expect(body).not.toMatch(/<svg|class="done"|>Paid|0\.00/);
});
