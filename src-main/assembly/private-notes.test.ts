import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

it('what the operator notes is at no public door, and what the payer may read is where it is said to be', async () => {
  const open = await everywhere();
  await node.payments.incomingPayments.complete(id, null);
  const completed = await everywhere();
  for (const answers of [open, completed])
    for (const secret of [NOTE, REFERENCE])
      expect(Object.entries(answers).flatMap(([door, answer]) => (answer.includes(secret) ? [door] : []))).toEqual([]);
  const { 'on its page': page, 'with every right': read, 'in the list': listed } = open;
  for (const answer of [page, read, listed]) expect(answer).toContain(DESCRIPTION);
});

it('who paid is at no public door', async () => {
  const payer = 'https://wallet.example/ann-of-the-bakery';
  await node.database.write((tx) => notePayer(tx, { incomingPaymentId: id, payer, amount: 500n }, 1));
  const open = await everywhere();
  await node.payments.incomingPayments.complete(id, null);
  for (const answers of [open, await everywhere()])
    expect(Object.entries(answers).flatMap(([door, answer]) => (answer.includes('ann-of-the-bakery') ? [door] : []))).toEqual([]);
});

it('the page of a payment that was ended with nothing in it says so, and shows no tick', async () => {
  await node.payments.incomingPayments.complete(id, null);
  const { body } = await node.app.inject({ method: 'GET', url: `/pay/${id}`, headers: { accept: 'text/html' } });
  expect(body).toContain('The payee has cancelled this payment. Nothing was paid.');
  expect(body).not.toMatch(/<svg|class="done"|>Paid|0\.00/);
});
