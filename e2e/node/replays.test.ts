import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { allEnded } from '../support/books/endings.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { type Answer, nowInSeconds, type PreparedRequest, prepare, prepareAs, signerOf, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Requests that move money are sent again unchanged, many at once. Each counts once, and budgets hold to the cent.

const OPENING = 10_000_000n;

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
let buyer: Account;
let receiving: string;

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', OPENING)];
  receiving = await receivingToken(node, client);
});
afterAll(async () => {
  await client.stop();
  expect(await node.stop()).toBe(0);
});

const budget = async (value: string) => (await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd(value) })).value;
const idIn = ({ text }: Answer): string => (JSON.parse(text) as { id: string }).id;
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, text } of answers) {
    const { error } = JSON.parse(text) as { error?: { code: string; description: string } };
    const kind = error === undefined ? String(status) : `${status} ${error.code} ${error.description}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

async function post(path: string, token: string, body: object): Promise<string> {
  const answer = await transmit(prepare(client, 'POST', `${node.publicUrl}/${path}`, token, body));
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return idIn(answer);
}
const invoice = (value?: string) =>
  post('incoming-payments', receiving, { walletAddress: shop.walletAddress, ...(value !== undefined && { incomingAmount: usd(value) }) });

/** Both ways to create an outgoing payment. Direct ones differ by their metadata. */
const FORMS = {
  'from a quote': async (token: string, receiver: string, value: string) => {
    const wanted = { walletAddress: buyer.walletAddress, receiver, method: 'ilp', debitAmount: usd(value) };
    return { walletAddress: buyer.walletAddress, quoteId: await post('quotes', token, wanted) };
  },
  directly: async (_token: string, receiver: string, value: string) => {
    const metadata = { externalRef: crypto.randomUUID() };
    return { walletAddress: buyer.walletAddress, incomingPayment: receiver, debitAmount: usd(value), metadata };
  },
};

/** Signs `seconds` ago. */
const payLate = (token: string, body: object, seconds: number): PreparedRequest =>
  prepareAs(
    signerOf(client),
    { method: 'POST', url: `${node.publicUrl}/outgoing-payments`, token, body: JSON.stringify(body) },
    { created: nowInSeconds() - seconds },
  );

const payments = (): bigint =>
  readBooks(node, (database) => database.prepare('select count(*) from outgoing_payments').pluck().get() as bigint);

async function balanceAtRest(): Promise<bigint> {
  await allEnded(node);
  return (await node.operator.accounts.get({ id: buyer.id })).balance;
}

describe.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('a payment %s', (form) => {
  const wanted = FORMS[form];

  it('is answered with the payment it made when it is sent again, also when the receiver is closed by then', async () => {
    const token = await budget('1000');
    const [before, balance] = [payments(), await balanceAtRest()];
    const request = payLate(token, await wanted(token, await invoice('1000'), '1000'), 0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => transmit(request)));
    expect(tally(answers)).toEqual({ 201: 20 });
    expect(await balanceAtRest()).toBe(balance - 1_000n);
    answers.push(await transmit(request));
    expect(new Set(answers.map(idIn)).size).toBe(1);
    expect(payments()).toBe(before + 1n);
    expect(await balanceAtRest()).toBe(balance - 1_000n);
  });

  it('is refused once its signature is too old, as it was refused before', async () => {
    const token = await budget('1000');
    const [before, balance] = [payments(), await balanceAtRest()];
    const body = await wanted(token, await invoice(), '10');
    const tooLate = await transmit(payLate(token, body, 301));
    expect(tooLate.status).toBe(401);
    expect(payments()).toBe(before);

    const request = payLate(token, body, 290);
    const first = await transmit(request);
    expect([first.status, first.text]).toEqual([201, expect.any(String)]);
    let again = await transmit(request);
    for (; again.status === 201; again = await transmit(request)) {
      expect(idIn(again)).toBe(idIn(first));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(tally([again])).toEqual({ '401 invalid_signature Signature validation error: created is too long ago': 1 });
    expect(payments()).toBe(before + 1n);
    expect(await balanceAtRest()).toBe(balance - 10n);
  });

  it('is made exactly ten times when 200 come at once on a budget for ten', async () => {
    const token = await budget('1000');
    const [before, balance] = [payments(), await balanceAtRest()];
    const receiver = await invoice();
    const bodies = await Promise.all(Array.from({ length: 200 }, () => wanted(token, receiver, '100')));
    const answers = await Promise.all(bodies.map((body) => transmit(payLate(token, body, 0))));
    expect(tally(answers)).toEqual({ 201: 10, '403 limit_exceeded unauthorized': 190 });
    expect(payments()).toBe(before + 10n);
    expect(await balanceAtRest()).toBe(balance - 1_000n);
    const spent = await transmit(prepare(client, 'GET', `${node.publicUrl}/outgoing-payment-grant`, token));
    expect(JSON.parse(spent.text)).toEqual({ spentDebitAmount: usd('1000'), spentReceiveAmount: usd('1000') });
  });
});

it('a signature with a nonce counts once, however often it comes at once', async () => {
  const body = JSON.stringify({ walletAddress: shop.walletAddress });
  const request = { method: 'POST', url: `${node.publicUrl}/incoming-payments`, token: receiving, body };
  const prepared = prepareAs(signerOf(client), request, { moreParameters: ';nonce="only-once"' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => transmit(prepared)));
  expect(tally(answers)).toEqual({ 201: 1, '401 invalid_signature Signature validation error: the nonce was used before': 19 });
});

it('requests that come at once continue a grant and rotate its token only once', async () => {
  const token = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('1') });
  const rotation = prepareAs(signerOf(client), { method: 'POST', url: token.manage, token: token.value });
  const answers = await Promise.all(Array.from({ length: 20 }, () => transmit(rotation)));
  expect(tally(answers)).toEqual({ 200: 20 });
  const values = answers.map(({ text }) => (JSON.parse(text) as { access_token: { value: string } }).access_token.value);
  expect(new Set(values).size).toBe(1);
  const used = await transmit(prepare(client, 'GET', `${node.publicUrl}/outgoing-payment-grant`, values[0] ?? ''));
  expect(used.status).toBe(200);
  expect((await transmit(rotation)).status).toBe(400);
});

it('the test leaves books without contradictions', () => {
  expect(readBooks(node, contradictions)).toEqual([]);
});
