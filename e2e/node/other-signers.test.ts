import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestToSign, SigningOptions } from '../../src-main/access/http-signatures/testing/signed-requests.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, spendingToken, usd } from '../support/clients/flows.ts';
import { OfficialDocuments } from '../support/clients/official-documents.ts';
import { nowInSeconds, type PreparedRequest, prepareAs, type Signer, signerOf, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Requests signed the way clients in other languages sign them (protocol-notes.md#PN-12), and in other ways that
// decisions.md#D-44 allows, through a whole life of a grant: asked for, used, rotated, revoked.

let node: RunningNode;
let client: ClientWallet;
let signer: Signer;
let documents: OfficialDocuments;
let shop: Account;
let spending: string;

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  shop = await createAccount(node, 'shop', 0n);
  const buyer = await createAccount(node, 'buyer', 50_000n);
  signer = signerOf(client);
  documents = await OfficialDocuments.load(node.publicUrl);
  spending = (await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('50000') })).value;
});
afterAll(async () => {
  await client.stop();
  expect(await node.stop()).toBe(0);
});

type Request = RequestToSign & { body?: string };
/** A way of signing; `moment` makes requests of one dialect differ where a value must not be used twice. */
type Dialect = (request: Request, moment: number) => PreparedRequest;

const simply =
  (options: (request: Request, created: number, moment: number) => Partial<SigningOptions>): Dialect =>
  (request, moment) => {
    const created = nowInSeconds();
    return prepareAs(signer, request, { created, ...options(request, created, moment) });
  };
const usual = ({ token, body }: Request): string[] => [
  '@method',
  '@target-uri',
  ...(token === undefined ? [] : ['authorization']),
  ...(body === undefined ? [] : ['content-digest', 'content-length', 'content-type']),
];
/** A second signature under another label, before or behind the right one. */
const twice =
  (order: 'first' | 'last', other: (request: Request) => { 'signature-input'?: string; signature?: string }): Dialect =>
  (request) => {
    const right = prepareAs(signer, request, { label: 'client' });
    const wrong = other(request);
    const both = (name: 'signature-input' | 'signature') => {
      const parts = [wrong[name] ?? '', right.headers[name] ?? ''];
      return (order === 'first' ? parts : parts.reverse()).join(', ');
    };
    return { ...right, headers: { ...right.headers, 'signature-input': both('signature-input'), signature: both('signature') } };
  };
/** What a proxy on the way may add: a valid signature for other purposes, by a key that is not the client's. */
const proxySignature = () => ({
  'signature-input': `proxy=("@method" "@authority");created=${nowInSeconds()};keyid="edge";tag="edge"`,
  signature: `proxy=:${Buffer.alloc(64, 7).toString('base64')}:`,
});
const lateSignature = (request: Request) => prepareAs(signer, request, { label: 'late', created: nowInSeconds() - 900 }).headers;

const DIALECTS: Record<string, Dialect> = {
  'Node, PHP: keyid, created': simply(() => ({})),
  'Rust: created, keyid; content-type without a body': (request, moment) =>
    simply((_, created) => ({
      parameters: `;created=${created};keyid="${signer.kid}"`,
      components: [...new Set([...usual(request), 'content-type'])],
    }))({ ...request, headers: { 'content-type': 'application/json' } }, moment),
  'Go, .NET: created, keyid, alg': simply((_, created) => ({ parameters: `;created=${created};keyid="${signer.kid}";alg="ed25519"` })),
  'RFC 9635: tag': simply(() => ({ moreParameters: ';tag="gnap"' })),
  'a nonce': simply((_, __, moment) => ({ moreParameters: `;nonce="${moment}"` })),
  'an end': simply((_, created) => ({ moreParameters: `;expires=${created + 60}` })),
  'another label': simply(() => ({ label: 'x-2.b_c*' })),
  'another order': simply((request) => ({ components: usual(request).reverse() })),
  'sha-256': simply(() => ({ digest: 'sha-256' })),
  'no more than is required': simply((request) => ({ components: usual(request).filter((name) => !/length|type/.test(name)) })),
  'more than is required': simply((request) => ({
    components: ['@authority', '@scheme', '@path', '@query', '@request-target', ...usual(request)],
  })),
  'two labels, a proxy’s first': twice('first', proxySignature),
  'two labels, a proxy’s last': twice('last', proxySignature),
  'two labels, a stale one first': twice('first', lateSignature),
};

describe.each(Object.keys(DIALECTS))('the signature form “%s”', (name) => {
  it('is understood by every endpoint', async () => {
    const sign = DIALECTS[name];
    if (sign === undefined) throw new Error('no such dialect');
    let moment = 0;
    const send = async <T>(status: number, method: string, url: string, token?: string, body?: object): Promise<T> => {
      const text = body && JSON.stringify(body);
      moment += 1;
      const unique = Object.keys(DIALECTS).indexOf(name) * 1_000 + moment;
      const prepared = sign({ method, url, ...(token !== undefined && { token }), ...(text !== undefined && { body: text }) }, unique);
      const answer = await transmit(prepared);
      expect([answer.status, answer.status === status ? '' : answer.text], `${method} ${url}`).toEqual([status, '']);
      expect(documents.problems({ ...answer, method, url })).toEqual([]);
      return (answer.text === '' ? undefined : JSON.parse(answer.text)) as T;
    };
    const { publicUrl } = node;
    interface Token {
      value: string;
      manage: string;
    }
    interface Issued {
      access_token: Token;
      continue: { uri: string; access_token: { value: string } };
    }
    const access = [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] }];
    const granted = await send<Issued>(200, 'POST', `${publicUrl}/auth`, undefined, { client: client.url, access_token: { access } });
    const { value, manage } = granted.access_token;
    const created = await send<{ id: string }>(201, 'POST', `${publicUrl}/incoming-payments`, value, {
      walletAddress: shop.walletAddress,
      metadata: { description: 'Für Åse ☕' },
    });
    await send(200, 'GET', created.id, value);
    const query = new URLSearchParams({ first: '3', 'wallet-address': shop.walletAddress });
    await send(200, 'GET', `${publicUrl}/incoming-payments?${query}`, value);
    const paid = await send<{ id: string }>(201, 'POST', `${publicUrl}/outgoing-payments`, spending, {
      walletAddress: `${publicUrl}/buyer`,
      incomingPayment: created.id,
      debitAmount: usd('10'),
    });
    await send(200, 'GET', paid.id, spending);
    await send(200, 'GET', `${publicUrl}/outgoing-payment-grant`, spending);
    await send(200, 'POST', `${created.id}/complete`, value);
    const { access_token: next } = await send<Issued>(200, 'POST', manage, value);
    await send(204, 'DELETE', next.manage, next.value);
    await send(204, 'DELETE', granted.continue.uri, granted.continue.access_token.value);
  });
});
