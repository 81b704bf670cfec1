import { createHash, randomUUID } from 'node:crypto';
import { isFinalizedGrantWithAccessToken, isPendingGrant, type PendingGrant } from '@interledger/open-payments';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import type { RunningNode } from '../nodes/running-node.ts';
import type { ClientWallet } from './client-wallet.ts';

/** A node as its clients and its operator reach it, wherever it runs. */
export type ReachedNode = Pick<RunningNode, 'publicUrl' | 'operator'>;

/** An amount of the test currency as the SDK takes it, in cents. */
export const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });

/** A month that began an hour ago. No test lasts until the next one begins. */
export const everyMonth = (): string => `R12/${new Date(Date.now() - 3_600_000).toISOString()}/P1M`;

/** Creates an account as the operator does, in the test currency unless the caller names another. */
export async function createAccount({ operator }: ReachedNode, name: string, openingBalance: bigint, assetCode = 'USD'): Promise<Account> {
  return await operator.accounts.create({
    requestId: randomUUID(),
    name,
    publicName: `The ${name}`,
    assetCode,
    assetScale: 2,
    openingBalance,
  });
}

/** Adds a peer that nobody answers for, as the operator does. */
export async function addSilentPeer({ peers }: ReachedNode['operator'], name = 'Nobody there') {
  return await peers.add({
    ...{ requestId: randomUUID(), name, assetCode: 'USD', assetScale: 2, ilpAddress: 'g.nobody', routes: [] },
    ...{ endpoint: 'http://127.0.0.1:9/ilp', creditLimit: 10_000n, debtLimit: null, maxPacketAmount: null },
    ...{ deduplicates: false, outgoingToken: 'a-token-of-a-peer-that-nobody-runs-00000000' },
  });
}

/** Gets a token with which a client is paid. Nobody has to approve it. */
export async function receivingToken(node: Pick<ReachedNode, 'publicUrl'>, client: ClientWallet): Promise<string> {
  const grant = await client.sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token for incoming payments');
  return grant.access_token.value;
}

interface Receiver {
  receiver?: string;
}
/** The operator has to set the amount when the request has none. */
export type SpendingLimits =
  | Receiver
  | (Receiver & { debitAmount: ReturnType<typeof usd>; interval?: string })
  | (Receiver & { receiveAmount: ReturnType<typeof usd> });

export interface SpendingRequest {
  grant: PendingGrant;
  clientNonce: string;
}

/** Asks for the right to pay from `walletAddress`, which the operator has to approve. */
export async function requestSpending(
  node: ReachedNode,
  client: ClientWallet,
  walletAddress: string,
  limits: SpendingLimits,
): Promise<SpendingRequest> {
  const clientNonce = randomUUID();
  const grant = await client.sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    {
      access_token: {
        access: [
          { type: 'quote', actions: ['create', 'read'] },
          { type: 'outgoing-payment', actions: ['create', 'read', 'list'], identifier: walletAddress, limits },
        ],
      },
      interact: { start: ['redirect'], finish: { method: 'redirect', uri: client.finishUri, nonce: clientNonce } },
    },
  );
  if (!isPendingGrant(grant)) throw new Error('nobody was asked');
  return { grant, clientNonce };
}

/** Plays the person who asked: opens the page and reads its four digits. */
export async function readCode(client: ClientWallet, { grant }: SpendingRequest): Promise<string> {
  const page = await client.open(grant.interact.redirect);
  const code = /<p class="code"[^>]*>(\d{4})</.exec(page)?.[1];
  if (code === undefined) throw new Error('the page shows no code');
  return code;
}

/** Finds the first grant request that waits for the operator. */
export async function waitingRequest({ operator }: ReachedNode): Promise<ApprovalRequest> {
  const [request] = await operator.approvals.list();
  if (request === undefined) throw new Error('the operator sees no request');
  return request;
}

/** Plays browser and client after an approval: checks the hash as every client must, and fetches the token. */
export async function finishSpending(
  node: ReachedNode,
  client: ClientWallet,
  { grant, clientNonce }: SpendingRequest,
  back: URLSearchParams,
) {
  const interactRef = back.get('interact_ref') ?? '';
  const lines = [clientNonce, grant.interact.finish, interactRef, `${node.publicUrl}/auth`].join('\n');
  if (back.get('hash') !== createHash('sha256').update(lines).digest('base64')) throw new Error('the hash does not match');
  const { uri, access_token } = grant.continue;
  const continued = await client.sdk.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: interactRef });
  if (!('access_token' in continued) || continued.access_token === undefined) throw new Error('no token for outgoing payments');
  return continued.access_token;
}

/**
 * Gets a token to pay with: the client asks, the operator approves, and the client fetches the token. Where no limit
 * bounds what leaves the account, the operator allows any amount.
 */
export async function spendingToken(node: ReachedNode, client: ClientWallet, walletAddress: string, limits: SpendingLimits) {
  const asked = await requestSpending(node, client, walletAddress, limits);
  const code = await readCode(client, asked);
  const { id, shownHash, unlimited, account } = await waitingRequest(node);
  const named = unlimited && account !== null ? { unlimitedForAccountNamed: account.name } : {};
  await node.operator.approvals.approve({ id, code, shownHash, ...named });
  const back = await client.follow(asked.grant.interact.redirect);
  return await finishSpending(node, client, asked, back.searchParams);
}

/** Pays into a sale with the official SDK, as an app with an approved grant does. */
export async function salePayer(node: ReachedNode, client: ClientWallet) {
  const buyer = await createAccount(node, 'buyer', 100_000n);
  const spending = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('100000') });
  return (id: string, value: string) =>
    client.sdk.outgoingPayment.create(
      { url: node.publicUrl, accessToken: spending.value },
      { walletAddress: buyer.walletAddress, incomingPayment: `${node.publicUrl}/incoming-payments/${id}`, debitAmount: usd(value) },
    );
}
