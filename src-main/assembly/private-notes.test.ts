import { afterEach, beforeEach, expect, it } from 'vitest';
import { notePayer } from '../payments/refunds/payers.ts';
import { CAROL, EVERYTHING } from './testing/error-cases.ts';
import { openTestNode, type TestNode, type TestRequest } from './testing/test-node.ts';

const NOTE = 'pays-late-watch-out';
const METADATA = { description: 'Two books', externalRef: 'INV-7' };

let node: TestNode;
let id: string;
beforeEach(async () => {
  node = await openTestNode();
  const made = await node.payments.incomingPayments.create({
    ...{ walletAddress: node.accounts.carol, client: null, note: NOTE, metadata: METADATA },
    incomingAmount: { value: 500n, assetCode: 'USD', assetScale: 2 },
  });
  if (!made.ok) throw new Error(made.error);
  id = made.value.id;
});
afterEach(() => node.close());

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
    expect(Object.entries(answers).flatMap(([door, answer]) => (answer.includes(NOTE) ? [door] : []))).toEqual([]);
  const { 'on its page': page, 'with every right': read, 'in the list': listed } = open;
  for (const answer of [page, read, listed]) for (const text of Object.values(METADATA)) expect(answer).toContain(text);
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
