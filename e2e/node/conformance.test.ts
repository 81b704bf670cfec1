import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  type AuthenticatedClient,
  createAuthenticatedClient,
  createUnauthenticatedClient,
  isFinalizedGrantWithAccessToken,
  isPendingGrant,
  OpenPaymentsClientError,
  type UnauthenticatedClient,
} from '@interledger/open-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, everyMonth, receivingToken, spendingToken, usd, waitingRequest } from '../support/clients/flows.ts';
import { bundledVersions, OfficialDocuments, observeFetch } from '../support/clients/official-documents.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Every call of the official client, unmodified and validating, and every answer to it held against the OpenAPI
// documents that the client ships with: all statuses, bodies and formats, also those the client itself does not look
// at.

let node: RunningNode;
let client: ClientWallet;
let visitor: UnauthenticatedClient;
let documents: OfficialDocuments;
let observed: ReturnType<typeof observeFetch>;
let shop: Account;
let buyer: Account;
let sdk: AuthenticatedClient;
/** Calls of the client that were made. */
const called = new Set<string>();

/** Notes which calls are made and passes them on unchanged. */
function noted<T extends object>(routes: T, path: string): T {
  return new Proxy(routes, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member === 'function') called.add(`${path}.${String(name)}`);
      return typeof member === 'object' && member !== null ? noted(member, `${path}.${String(name)}`) : member;
    },
  });
}
const callsOf = (routes: object, path: string): string[] =>
  Object.entries(routes).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'object' && member !== null ? callsOf(member, `${path}.${name}`) : [`${path}.${name}`],
  );

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 50_000n)];
  documents = await OfficialDocuments.load(node.publicUrl);
  observed = observeFetch(node.publicUrl);
  sdk = noted(client.sdk, 'client');
  visitor = noted(await createUnauthenticatedClient({ logLevel: 'silent', validateResponses: true, requestTimeoutMs: 60_000 }), 'visitor');
});
afterAll(async () => {
  observed.stop();
  await client.stop();
  expect(await node.stop()).toBe(0);
});

const authServer = () => ({ url: `${node.publicUrl}/auth` });

async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenPaymentsClientError)) throw error ?? new Error('it was not refused');
  return { status: error.status, code: error.code };
}

describe('the official client', () => {
  it('reads wallet addresses and keys without a signature', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const jwk = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'till-1', alg: 'EdDSA', use: 'sig' });
    await node.operator.accounts.keys.add({ id: shop.id, label: 'Till', jwk });
    for (const anybody of [visitor, sdk]) {
      expect(await anybody.walletAddress.get({ url: shop.walletAddress })).toMatchObject({ id: shop.walletAddress });
      expect(await anybody.walletAddress.getKeys({ url: shop.walletAddress })).toMatchObject({
        keys: [{ kid: 'till-1' }, { kid: expect.stringMatching(/^paydesk-/) }],
      });
      expect(await refusal(anybody.walletAddress.getDIDDocument({ url: shop.walletAddress }))).toMatchObject({ status: 404 });
    }
    expect(await refusal(visitor.walletAddress.get({ url: `${node.publicUrl}/nobody` }))).toMatchObject({ status: 404 });
  });

  it('is paid with incoming payments in every form', async () => {
    const accessToken = await receivingToken(node, client);
    const collection = { url: node.publicUrl, accessToken };
    const bare = await sdk.incomingPayment.create(collection, { walletAddress: shop.walletAddress });
    const full = await sdk.incomingPayment.create(collection, {
      walletAddress: shop.walletAddress,
      incomingAmount: usd('18446744073709551615'),
      expiresAt: '2099-12-31T23:59:59+01:00',
      metadata: { description: 'Übergröße ☕', nested: { list: [1, null, { a: true }] } },
    });
    for (const { id } of [bare, full]) {
      await sdk.incomingPayment.get({ url: id, accessToken });
      expect(await sdk.incomingPayment.getPublic({ url: id })).toMatchObject({ authServer: authServer().url });
      expect(await visitor.incomingPayment.get({ url: id })).toMatchObject({ receivedAmount: usd('0') });
    }
    const expiring = await sdk.incomingPayment.create(collection, {
      walletAddress: shop.walletAddress,
      expiresAt: new Date(Date.now() + 5_000).toISOString(),
    });
    await until(async () => (await sdk.incomingPayment.get({ url: expiring.id, accessToken })).methods.length === 0);
    expect(await refusal(sdk.incomingPayment.complete({ url: expiring.id, accessToken }))).toMatchObject({ status: 403 });
    await sdk.incomingPayment.complete({ url: full.id, accessToken });
    const list = { ...collection, walletAddress: shop.walletAddress };
    const page = { 'wallet-address': shop.walletAddress };
    const first = await sdk.incomingPayment.list(list, { ...page, first: 2 });
    const next = await sdk.incomingPayment.list(list, { ...page, first: 2, cursor: first.pagination.endCursor ?? '' });
    expect([...first.result, ...next.result].map(({ id }) => id)).toEqual([expiring.id, full.id, bare.id]);
    const back = await sdk.incomingPayment.list(list, { ...page, last: 2, cursor: next.pagination.startCursor ?? '' });
    expect(back.result).toEqual(first.result);
    const empty = { ...list, walletAddress: buyer.walletAddress };
    expect((await sdk.incomingPayment.list(empty)).pagination).toEqual({ hasNextPage: false, hasPreviousPage: false });
    await refusal(sdk.incomingPayment.list({ ...list, walletAddress: `${node.publicUrl}/nobody` }));
    await refusal(sdk.incomingPayment.get({ url: `${node.publicUrl}/incoming-payments/${randomUUID()}`, accessToken }));
    await refusal(sdk.incomingPayment.create(collection, { walletAddress: shop.walletAddress, incomingAmount: usd('0') }));
  });

  it('pays with quotes and outgoing payments in every form', async () => {
    const receiving = await receivingToken(node, client);
    const grant = await spendingToken(node, client, buyer.walletAddress, {
      debitAmount: usd('5000'),
      interval: everyMonth(),
    });
    const resources = { url: node.publicUrl, accessToken: grant.value };
    expect(await sdk.outgoingPayment.getGrantSpentAmounts(resources)).toMatchObject({ spentReceiveAmount: null });
    const invoice = (value?: string) =>
      sdk.incomingPayment.create(
        { url: node.publicUrl, accessToken: receiving },
        { walletAddress: shop.walletAddress, ...(value !== undefined && { incomingAmount: usd(value) }) },
      );
    const open = await invoice();
    const from = { walletAddress: buyer.walletAddress, method: 'ilp' as const };
    await sdk.quote.create(resources, { ...from, receiver: open.id, debitAmount: usd('7') });
    await sdk.quote.create(resources, { ...from, receiver: open.id, receiveAmount: usd('7') });
    const quote = await sdk.quote.create(resources, { ...from, receiver: (await invoice('1250')).id });
    expect(await sdk.quote.get({ url: quote.id, accessToken: grant.value })).toEqual(quote);
    const payments = [
      await sdk.outgoingPayment.create(resources, {
        walletAddress: buyer.walletAddress,
        quoteId: quote.id,
        metadata: { externalRef: '7' },
      }),
      await sdk.outgoingPayment.create(resources, {
        walletAddress: buyer.walletAddress,
        incomingPayment: open.id,
        debitAmount: usd('300'),
      }),
    ];
    for (const { id } of payments) {
      await until(async () => (await sdk.outgoingPayment.get({ url: id, accessToken: grant.value })).sentAmount.value !== '0');
    }
    const list = { ...resources, walletAddress: buyer.walletAddress };
    expect((await sdk.outgoingPayment.list(list, { 'wallet-address': buyer.walletAddress, first: 1 })).pagination).toMatchObject({
      hasNextPage: true,
    });
    expect((await sdk.outgoingPayment.list(list)).result).toHaveLength(2);
    expect(await sdk.outgoingPayment.getGrantSpentAmounts(resources)).toEqual({
      spentDebitAmount: usd('1550'),
      spentReceiveAmount: usd('1550'),
    });
    const again = sdk.outgoingPayment.create(resources, { walletAddress: buyer.walletAddress, quoteId: quote.id, metadata: { a: 1 } });
    expect(await refusal(again)).toEqual({ status: 400, code: 'invalid_quote' });
    await refusal(sdk.quote.get({ url: `${node.publicUrl}/quotes/${randomUUID()}`, accessToken: grant.value }));
    await refusal(sdk.quote.create(resources, { ...from, receiver: `${node.publicUrl}/incoming-payments/${randomUUID()}` }));
    await refusal(sdk.outgoingPayment.get({ url: `${node.publicUrl}/outgoing-payments/${randomUUID()}`, accessToken: grant.value }));
    await refusal(sdk.outgoingPayment.list({ ...list, accessToken: receiving }));
    await refusal(sdk.outgoingPayment.getGrantSpentAmounts({ ...resources, accessToken: 'nothing' }));
  });

  it('gets a grant at once, after a question, as proof of an address, by key and by polling', async () => {
    const keys = generateKeyPairSync('ed25519');
    const x = String(keys.publicKey.export({ format: 'jwk' }).x);
    const directed = noted(
      await createAuthenticatedClient({
        walletAddressUrl: client.url,
        keyId: 'directed',
        privateKey: keys.privateKey,
        logLevel: 'silent',
        validateResponses: true,
        requestTimeoutMs: 60_000,
      }),
      'client',
    );
    const jwk = { kid: 'directed', alg: 'EdDSA' as const, kty: 'OKP' as const, crv: 'Ed25519' as const, x };
    const access = [{ type: 'incoming-payment' as const, actions: ['create' as const, 'read-all' as const] }];
    const byKey = await directed.grant.request(authServer(), { access_token: { access } }, { jwk });
    if (!isFinalizedGrantWithAccessToken(byKey)) throw new Error('no token for a key');
    await directed.incomingPayment.create(
      { url: node.publicUrl, accessToken: byKey.access_token.value },
      { walletAddress: shop.walletAddress },
    );

    const subject = { sub_ids: [{ id: shop.walletAddress, format: 'uri' as const }] };
    const proof = await sdk.grant.request(authServer(), { subject, interact: { start: ['redirect'] } });
    if (!isPendingGrant(proof)) throw new Error('nobody was asked');
    const proofOf = { url: proof.continue.uri, accessToken: proof.continue.access_token.value };
    expect(await refusal(sdk.grant.continue(proofOf))).toEqual({ status: 400, code: 'too_fast' });
    const code = /<p class="code"[^>]*>(\d{4})</.exec(await client.open(proof.interact.redirect))?.[1] ?? '';
    await new Promise((resolve) => setTimeout(resolve, (proof.continue.wait ?? 5) * 1_000 + 100));
    expect(await sdk.grant.continue(proofOf)).toMatchObject({ continue: { wait: 5 } });
    const { id, shownHash } = await waitingRequest(node);
    await node.operator.approvals.approve({ id, code, shownHash });
    await new Promise((resolve) => setTimeout(resolve, (proof.continue.wait ?? 5) * 1_000 + 100));
    expect(await sdk.grant.continue(proofOf)).toMatchObject({ subject });
    await sdk.grant.cancel(proofOf);
    expect(await refusal(sdk.grant.continue(proofOf, { interact_ref: 'another' }))).toMatchObject({ status: 404 });

    await refusal(
      sdk.grant.request(authServer(), { access_token: { access: [{ ...access[0], identifier: `${client.url}/x` }] as never } }),
    );
    await refusal(sdk.grant.continue({ ...proofOf, accessToken: 'another' }));
    await refusal(sdk.grant.cancel({ ...proofOf, accessToken: 'another' }));
  });

  it('rotates and revokes its token', async () => {
    const { manage, value } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('1') });
    const { access_token: next } = await sdk.token.rotate({ url: manage, accessToken: value });
    expect(await refusal(sdk.token.rotate({ url: manage, accessToken: next.value }))).toEqual({ status: 400, code: 'invalid_rotation' });
    await sdk.token.revoke({ url: next.manage, accessToken: next.value });
    await sdk.token.revoke({ url: next.manage, accessToken: next.value });
    expect(await refusal(sdk.token.rotate({ url: next.manage, accessToken: 'nothing' }))).toEqual({ status: 401, code: 'invalid_client' });
    await refusal(sdk.token.revoke({ url: next.manage, accessToken: 'nothing' }));
  });
});

describe('the test', () => {
  it('leaves out no call that the client has', () => {
    const all = [...callsOf(client.sdk, 'client'), ...callsOf(visitor, 'visitor')];
    expect(all.length).toBeGreaterThanOrEqual(20);
    expect([...called].sort()).toEqual(all.sort());
  });

  it('finds that every answer conforms to the documents in the client, without what newer ones leave out', () => {
    // With other documents in the client, what has changed since has to be looked up anew (protocol-notes.md#PN-39).
    expect(bundledVersions()).toEqual(['1.3.0', '1.3.0', '1.3.0']);
    expect(observed.answers.length).toBeGreaterThan(80);
    const answers = observed.answers.filter(({ url }) => !url.includes('/auth/interact/'));
    expect(answers.flatMap((answer) => documents.problems(answer))).toEqual([]);
    expect(documents.successes.filter((name) => !documents.seen.has(name))).toEqual([]);
    expect(documents.seen).toContain('wallet GET /did.json 404');
  });

  it('finds what is wrong with an answer', () => {
    const answer = observed.answers.find(
      ({ method, status, url }) => method === 'GET' && status === 200 && url.includes('/outgoing-payments/'),
    );
    if (answer === undefined) throw new Error('no outgoing payment was read');
    const broken = (change: (text: string) => string) => documents.problems({ ...answer, text: change(answer.text) });
    expect(broken((text) => text.replace('"createdAt":"2', '"createdAt":"x2'))).toHaveLength(1);
    expect(broken((text) => text.replace('"id":"http://', '"id":"'))).toHaveLength(1);
    expect(broken((text) => text.replace('"value":"', '"value":"0'))).toHaveLength(1);
    expect(broken((text) => text.replace('{', '{"updatedAt":"2026-01-01T00:00:00Z",'))).toHaveLength(1);
    expect(documents.problems({ ...answer, status: 202 })).not.toEqual([]);
    expect(documents.problems({ ...answer, status: 401 }).length).toBeGreaterThanOrEqual(2);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 25));
}
