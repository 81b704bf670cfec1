import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  type AuthenticatedClient,
  createAuthenticatedClient,
  isFinalizedGrantWithAccessToken,
  isPendingGrant,
  OpenPaymentsClientError,
} from '@interledger/open-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { createAccount, everyMonth, usd, waitingRequest } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// What the Web Monetization browser extension does (protocol-notes.md#PN-29), step by step: it acts in the name of its
// user's own wallet address, for which the operator has taken its key. It reads statuses, texts and codes, so they are
// tested as texts.

/** A token lives this long, in seconds. It outlives the few requests that it is meant for, and expires soon. */
const TOKEN_LIFETIME = 8;
const RETURNS_TO = 'https://webmonetization.example/welcome?os=linux';

let node: RunningNode;
let site: Account;
let user: Account;
let extension: AuthenticatedClient;
let keyId: string;

beforeAll(async () => {
  node = await RunningNode.start({ flags: ['--token-lifetime', String(TOKEN_LIFETIME)] });
  [site, user] = [await createAccount(node, 'site', 0n), await createAccount(node, 'user', 100_000n)];
  keyId = randomUUID();
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'EdDSA' });
  const options = { walletAddressUrl: user.walletAddress, keyId, privateKey, logLevel: 'silent' as const };
  extension = await createAuthenticatedClient({ ...options, validateResponses: false, requestTimeoutMs: 60_000 });
  // While the operator has not added its key, the extension reads exactly this and asks its user to add it.
  expect(await refusal(askToPay({ debitAmount: usd('1') }))).toMatchObject({ status: 400, code: 'invalid_client' });
  await node.operator.accounts.keys.add({ id: user.id, label: 'Browser extension', jwk });
});
afterAll(async () => {
  expect(await node.stop()).toBe(0);
});

async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenPaymentsClientError)) throw error ?? new Error('it was not refused');
  return { status: error.status, code: error.code, words: error.description };
}

interface Budget {
  debitAmount: ReturnType<typeof usd>;
  interval?: string;
}

async function askToPay(limits: Budget) {
  const nonce = randomUUID();
  const grant = await extension.grant.request(
    { url: `${node.publicUrl}/auth` },
    {
      access_token: {
        access: [
          { type: 'quote', actions: ['create'] },
          { type: 'outgoing-payment', actions: ['create', 'read'], identifier: user.walletAddress, limits },
        ],
      },
      interact: { start: ['redirect'], finish: { method: 'redirect', uri: RETURNS_TO, nonce } },
    },
  );
  if (!isPendingGrant(grant)) throw new Error('nobody was asked');
  return { grant, nonce };
}

/** The tab that the extension opens, and the operator's decision. @returns the query with which the tab comes back. */
async function decide({ grant }: Awaited<ReturnType<typeof askToPay>>, decision: 'approve' | 'deny'): Promise<URLSearchParams> {
  const page = await (await fetch(grant.interact.redirect)).text();
  const code = /<p class="code"[^>]*>(\d{4})</.exec(page)?.[1] ?? '';
  const { id, shownHash } = await waitingRequest(node);
  if (decision === 'approve') await node.operator.approvals.approve({ id, code, shownHash });
  else await node.operator.approvals.deny({ id });
  const answer = await fetch(grant.interact.redirect, { redirect: 'manual' });
  const location = answer.headers.get('location') ?? '';
  expect(location.startsWith(`${RETURNS_TO}&`)).toBe(true);
  return new URL(location).searchParams;
}

interface Token {
  value: string;
  manage: string;
}

async function connect(limits: Budget): Promise<Token> {
  const asked = await askToPay(limits);
  const back = await decide(asked, 'approve');
  const interactRef = back.get('interact_ref') ?? '';
  const lines = `${asked.nonce}\n${asked.grant.interact.finish}\n${interactRef}\n${node.publicUrl}/auth`;
  // It compares texts: padded standard base64, as `btoa` writes it.
  expect(back.get('hash')).toBe(btoa(String.fromCharCode(...createHash('sha256').update(lines).digest())));
  const { uri, access_token } = asked.grant.continue;
  const continued = await extension.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: interactRef });
  if (!('access_token' in continued) || continued.access_token === undefined) throw new Error('no token');
  return continued.access_token;
}

/** An incoming payment whose grant is cancelled at once. It must keep receiving. */
async function invoice(): Promise<string> {
  const grant = await extension.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'incoming-payment', actions: ['create'], identifier: site.walletAddress }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token to be paid');
  const created = await extension.incomingPayment.create(
    { url: node.publicUrl, accessToken: grant.access_token.value },
    {
      walletAddress: site.walletAddress,
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
      metadata: { source: 'Web Monetization' },
    },
  );
  await extension.grant.cancel({ url: grant.continue.uri, accessToken: grant.continue.access_token.value });
  const used = extension.incomingPayment.get({ url: created.id, accessToken: grant.access_token.value });
  expect(await refusal(used)).toMatchObject({ status: 401, words: 'Invalid Token' });
  return created.id;
}

/** How the extension calls anything with its token: when that has expired, it rotates it and tries again. */
class Session {
  token: Token;
  rotations = 0;

  constructor(token: Token) {
    this.token = token;
  }

  async call<T>(use: (accessToken: string) => Promise<T>): Promise<T> {
    try {
      return await use(this.token.value);
    } catch (error) {
      const expired = error instanceof OpenPaymentsClientError && error.status === 401 && error.description === 'Invalid Token';
      if (!expired) throw error;
      const rotated = await extension.token.rotate({ url: this.token.manage, accessToken: this.token.value });
      this.token = rotated.access_token;
      this.rotations += 1;
      return await use(this.token.value);
    }
  }

  pay(incomingPayment: string, value: string) {
    return this.call((accessToken) =>
      extension.outgoingPayment.create(
        { url: node.publicUrl, accessToken },
        {
          walletAddress: user.walletAddress,
          incomingPayment,
          debitAmount: usd(value),
          metadata: { source: 'Web Monetization', at: randomUUID() },
        },
      ),
    );
  }

  /** The extension takes a payment for done only when these two texts are the same. */
  async whenEnded(url: string) {
    for (;;) {
      const payment = await this.call((accessToken) => extension.outgoingPayment.get({ url, accessToken }));
      if (payment.failed || payment.sentAmount.value === payment.debitAmount.value) return payment;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe('the browser extension', () => {
  it('finds wallets with which it can work', async () => {
    const wallet = await extension.walletAddress.get({ url: site.walletAddress });
    expect(wallet).toMatchObject({ id: site.walletAddress, publicName: 'The site', assetScale: 2 });
    const { keys } = await extension.walletAddress.getKeys({ url: user.walletAddress });
    // There is also the key with which the node itself asks other wallets.
    expect(keys.map(({ kid }) => kid)).toEqual([keyId, expect.stringMatching(/^paydesk-/)]);
  });

  it('connects, streams payments past the life of its tokens, and stops at its budget', async () => {
    const session = new Session(await connect({ debitAmount: usd('100'), interval: everyMonth() }));
    const receiver = await invoice();
    const probe = await session.call((accessToken) =>
      extension.quote.create(
        { url: node.publicUrl, accessToken },
        { method: 'ilp', walletAddress: user.walletAddress, receiver, debitAmount: usd('1') },
      ),
    );
    expect(probe).toMatchObject({ debitAmount: usd('1'), receiveAmount: usd('1') });
    for (let paid = 0; paid < 80; paid += 40) {
      const { id } = await session.pay(receiver, '40');
      expect(await session.whenEnded(id)).toMatchObject({ failed: false, sentAmount: usd('40') });
    }
    const before = session.rotations;
    while (session.rotations === before) {
      await session.call((accessToken) => extension.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await session.whenEnded((await session.pay(receiver, '20')).id);
    expect(await refusal(session.pay(receiver, '1'))).toMatchObject({ status: 403, words: 'unauthorized' });
    expect(await extension.incomingPayment.getPublic({ url: receiver })).toMatchObject({ receivedAmount: usd('100') });
    expect((await node.operator.accounts.get({ id: site.id })).balance).toBe(100n);
  });

  it('understands every other answer', async () => {
    const token = await connect({ debitAmount: usd('50') });
    const session = new Session(token);
    const closed = `${node.publicUrl}/incoming-payments/${randomUUID()}`;
    expect(await refusal(session.pay(closed, '1'))).toMatchObject({ status: 400, words: 'invalid receiver' });
    const paying = session.call((accessToken) =>
      extension.incomingPayment.create({ url: node.publicUrl, accessToken }, { walletAddress: site.walletAddress }),
    );
    expect(await refusal(paying)).toMatchObject({ status: 403, words: 'Insufficient Grant' });

    const asked = await askToPay({ debitAmount: usd('50') });
    expect(Object.fromEntries(await decide(asked, 'deny'))).toEqual({ os: 'linux', result: 'grant_rejected' });
    const { uri, access_token } = asked.grant.continue;
    const dead = await refusal(extension.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: 'x' }));
    expect(dead.status).toBe(404);
  });

  it('is told that its key is revoked', async () => {
    const session = new Session(await connect({ debitAmount: usd('50') }));
    const receiver = await invoice();
    const [key] = await node.operator.accounts.keys.list({ id: user.id });
    await node.operator.accounts.keys.revoke({ keyId: key?.id ?? '' });
    const refused = await refusal(
      extension.outgoingPayment.create(
        { url: node.publicUrl, accessToken: session.token.value },
        { walletAddress: user.walletAddress, incomingPayment: receiver, debitAmount: usd('1') },
      ),
    );
    expect(refused.status).toBe(401);
    expect(refused.words).toContain('Signature validation error');
    expect(await refusal(askToPay({ debitAmount: usd('1') }))).toMatchObject({ status: 400, code: 'invalid_client' });
    expect(readBooks(node, (database) => database.prepare('select count(*) from outgoing_payments').pluck().get())).toBe(3n);
  });
});

it('the test leaves books without contradictions', () => {
  expect(readBooks(node, contradictions)).toEqual([]);
});
