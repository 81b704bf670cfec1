import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, fingerprints, readBooks, unfinished } from '../support/books/books.ts';
import { attacks } from '../support/clients/attacks.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, requestSpending, spendingToken, usd } from '../support/clients/flows.ts';
import { OfficialDocuments } from '../support/clients/official-documents.ts';
import { prepareAs, type Signable, type Signer, signerOf, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// At every endpoint of the built node, a request whose signature is not exactly as decided gets nothing.

let node: RunningNode;
let client: ClientWallet;
let stranger: ClientWallet;
let signer: Signer;
let documents: OfficialDocuments;
let shop: Account;
let buyer: Account;
/** Every endpoint that takes a signature, with a request that is right in all else. */
let requests: Record<string, Signable>;
let foreignTokens: { access: string; continuation: string };

interface Issued {
  access_token: { value: string; manage: string };
  continue: { uri: string; access_token: { value: string } };
}

const json = (value: unknown): string => JSON.stringify(value);

async function send<T>(status: number, request: Signable, by: Signer = signer): Promise<T> {
  const answer = await transmit(prepareAs(by, request));
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  return (answer.text === '' ? undefined : JSON.parse(answer.text)) as T;
}

const askToBePaid = (by: ClientWallet): Signable => {
  const access = [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] }];
  return { method: 'POST', url: `${node.publicUrl}/auth`, body: json({ access_token: { access }, client: by.url }) };
};

async function invoice(token: string, value?: string): Promise<string> {
  const body = json({ walletAddress: shop.walletAddress, ...(value !== undefined && { incomingAmount: usd(value) }) });
  return (await send<{ id: string }>(201, { method: 'POST', url: `${node.publicUrl}/incoming-payments`, token, body })).id;
}
async function quoteFor(token: string, receiver: string, value: string): Promise<string> {
  const body = json({ walletAddress: buyer.walletAddress, receiver, method: 'ilp', debitAmount: usd(value) });
  return (await send<{ id: string }>(201, { method: 'POST', url: `${node.publicUrl}/quotes`, token, body })).id;
}
const payment = (token: string, parts: object): Signable => ({
  method: 'POST',
  url: `${node.publicUrl}/outgoing-payments`,
  token,
  body: json({ walletAddress: buyer.walletAddress, ...parts }),
});

let receiving: string;

beforeAll(async () => {
  // Otherwise the node refuses so many forged requests unread.
  const starting = RunningNode.start({ flags: ['--client-rate', '0'] });
  [node, client, stranger] = await Promise.all([starting, ClientWallet.start(), ClientWallet.start('Stranger')]);
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 1_000_000n)];
  signer = signerOf(client);
  documents = await OfficialDocuments.load(node.publicUrl);
  const { publicUrl } = node;
  const granted = await send<Issued>(200, askToBePaid(client));
  const foreign = await send<Issued>(200, askToBePaid(stranger), signerOf(stranger));
  foreignTokens = { access: foreign.access_token.value, continuation: foreign.continue.access_token.value };
  const spending = (await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('1000') })).value;
  const waiting = await requestSpending(node, client, buyer.walletAddress, { debitAmount: usd('1') });
  receiving = granted.access_token.value;
  const token = receiving;
  const open = await invoice(token);
  const continuation = granted.continue.access_token.value;
  const quoteId = await quoteFor(spending, open, '5');
  const shopQuery = new URLSearchParams({ 'wallet-address': shop.walletAddress });
  const buyerQuery = new URLSearchParams({ 'wallet-address': buyer.walletAddress, first: '5' });
  const direct = payment(spending, { incomingPayment: open, debitAmount: usd('5') });
  const { id: paymentId } = await send<{ id: string }>(201, { ...direct, body: json({ ...JSON.parse(direct.body ?? ''), metadata: {} }) });
  requests = {
    'POST /auth': askToBePaid(client),
    'POST /auth/continue/{id}': {
      method: 'POST',
      url: waiting.grant.continue.uri,
      token: waiting.grant.continue.access_token.value,
      body: json({ interact_ref: 'unknown' }),
    },
    'POST /incoming-payments': {
      method: 'POST',
      url: `${publicUrl}/incoming-payments`,
      token,
      body: json({ walletAddress: shop.walletAddress }),
    },
    'GET /incoming-payments': { method: 'GET', url: `${publicUrl}/incoming-payments?${shopQuery}`, token },
    'GET /incoming-payments/{id}': { method: 'GET', url: open, token },
    'POST /quotes': {
      method: 'POST',
      url: `${publicUrl}/quotes`,
      token: spending,
      body: json({ walletAddress: buyer.walletAddress, receiver: open, method: 'ilp', receiveAmount: usd('3') }),
    },
    'GET /quotes/{id}': { method: 'GET', url: quoteId, token: spending },
    'POST /outgoing-payments, from a quote': payment(spending, { quoteId }),
    'POST /outgoing-payments, directly': direct,
    'GET /outgoing-payments': { method: 'GET', url: `${publicUrl}/outgoing-payments?${buyerQuery}`, token: spending },
    'GET /outgoing-payments/{id}': { method: 'GET', url: paymentId, token: spending },
    'GET /outgoing-payment-grant': { method: 'GET', url: `${publicUrl}/outgoing-payment-grant`, token: spending },
    'POST /incoming-payments/{id}/complete': { method: 'POST', url: `${open}/complete`, token },
    'POST /auth/token/{id}': { method: 'POST', url: granted.access_token.manage, token },
    'DELETE /auth/token/{id}': { method: 'DELETE', url: granted.access_token.manage, token },
    'DELETE /auth/continue/{id}': { method: 'DELETE', url: granted.continue.uri, token: continuation },
  };
});
afterAll(async () => {
  await Promise.all([client.stop(), stranger.stop()]);
  expect(await node.stop()).toBe(0);
});

/**
 * Statuses and codes with which such a request may be refused. Clients tell apart by status and code that their key is
 * not known (protocol-notes.md#PN-29). They do not learn whether a continuation or a resource of another client exists.
 */
const refused = (name: string): RegExp => {
  if (name === 'POST /auth') return /^40[01] invalid_client$/;
  if (name === 'POST /auth/continue/{id}') return /^(40[01] invalid_client|401 invalid_continuation|404 invalid_continuation)$/;
  if (name === 'DELETE /auth/continue/{id}') return /^(40[01] invalid_client|401 invalid_continuation|404 invalid_request)$/;
  if (name.includes('/auth/')) return /^40[01] invalid_client$/;
  return /^401 (invalid_signature|invalid_token|missing_authorization)$/;
};
describe('a request that is not signed as required', () => {
  it('is refused at every endpoint and leaves no trace, and the same request is then taken when it is signed well', async () => {
    while (readBooks(node, unfinished) > 0) await new Promise((resolve) => setTimeout(resolve, 25));
    const before = readBooks(node, fingerprints);
    const accepted: string[] = [];
    let sent = 0;
    for (const [name, request] of Object.entries(requests)) {
      for (const [attack, prepared] of await attacks(request, { signer, stranger: signerOf(stranger), foreignTokens })) {
        const answer = await transmit(prepared);
        sent += 1;
        const { code } = answer.status < 400 ? { code: 'accepted' } : (JSON.parse(answer.text) as { error: { code: string } }).error;
        if (!refused(name).test(`${answer.status} ${code}`))
          accepted.push(`${name} ${attack}: ${answer.status} ${answer.text.slice(0, 200)}`);
        const { method, url } = prepared;
        accepted.push(...documents.problems({ ...answer, method, url }));
      }
    }
    expect(accepted).toEqual([]);
    expect(sent).toBeGreaterThan(16 * 40);
    expect(readBooks(node, fingerprints)).toEqual(before);
    for (const [name, request] of Object.entries(requests)) {
      const answer = await transmit(prepareAs(signer, request));
      const expected = name === 'POST /auth/continue/{id}' ? [404] : [200, 201, 204];
      expect(expected, `${name}: ${answer.text}`).toContain(answer.status);
      if (name === 'POST /auth/token/{id}') {
        const { access_token } = JSON.parse(answer.text) as Issued;
        requests['DELETE /auth/token/{id}'] = { method: 'DELETE', url: access_token.manage, token: access_token.value };
      }
    }
  });
});

describe('another client', () => {
  it('gets the same answer for what is not its own as for what does not exist', async () => {
    const strange = signerOf(stranger);
    const other = await send<Issued>(200, askToBePaid(stranger), strange);
    const { value } = other.access_token;
    const granted = await send<Issued>(200, askToBePaid(client));
    const own = await invoice(granted.access_token.value);
    for (const suffix of ['', '/complete']) {
      const method = suffix === '' ? 'GET' : 'POST';
      const answers = await Promise.all(
        [own, `${node.publicUrl}/incoming-payments/${randomUUID()}`].map((url) =>
          transmit(prepareAs(strange, { method, url: url + suffix, token: value })),
        ),
      );
      const [foreign, absent] = answers.map(({ status, headers, text }) => {
        const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
        return { status, text, headers: kept };
      });
      expect(foreign).toEqual(absent);
      expect(foreign?.status).toBe(404);
    }
  });
});

it('the test leaves books without contradictions', () => {
  expect(readBooks(node, contradictions)).toEqual([]);
});
