import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { ClientWallet } from '../../../support/clients/client-wallet.ts';
import { createAccount, type ReachedNode, requestSpending, spendingToken, usd } from '../../../support/clients/flows.ts';

const ROUTER = join(import.meta.dirname, '../../../../src-renderer/router.tsx');
/** Screens that a console in use does not have: they belong to the first start, and to the end of a restore. */
const ELSEWHERE = ['/welcome', '/restored'];

/** The paths of all screens, as the console's router names them: `/payments/$id`. */
const ROUTES: readonly string[] = [...readFileSync(ROUTER, 'utf8').matchAll(/^\s+path: '([^']+)',$/gm)]
  .map(([, path = '']) => path)
  .filter((path) => !ELSEWHERE.includes(path));

/**
 * The paths of all screens of a console in use.
 * @param things for each path with a part that begins with `$` the paths of the things that there are.
 * @throws Error when a screen has none, so that nobody forgets a new one.
 */
export function everyScreen(things: Readonly<Record<string, readonly string[]>>): string[] {
  return ROUTES.flatMap((route) => {
    if (!route.includes('$')) return [route];
    const paths = things[route];
    if (paths === undefined || paths.length === 0) throw new Error(`no thing for the screen ${route}`);
    return paths;
  });
}

interface Desk {
  node: ReachedNode;
  client: ClientWallet;
  /** The account of the shop. */
  shop: { id: string; walletAddress: string };
  /** What the sale is for. */
  description?: string | undefined;
}

/**
 * Makes one of each thing that has a screen: a sale with its receipt, a closed day, a peer, an app that was allowed and
 * one that waits.
 * @returns the paths of their screens, and the receipt.
 */
export async function oneOfEach({ node, client, shop, description }: Desk) {
  const { operator } = node;
  const buyer = await createAccount(node, `buyer-${randomUUID().slice(0, 8)}`, 50_000n);
  const { id, link } = await operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 2_600n, description });
  const payee = link.replace('/pay/', '/incoming-payments/');
  const quote = await operator.payments.quote({ requestId: randomUUID(), accountId: buyer.id, payee });
  await operator.payments.pay({ requestId: randomUUID(), accountId: buyer.id, quoteId: quote.id });
  await expect.poll(async () => (await operator.payments.get({ id })).status).toBe('paid');
  const receipt = await operator.receipts.issue({ kind: 'sale', id });
  const { number } = await operator.closings.close({ requestId: randomUUID(), last: 0 });
  const { peer } = await operator.peers.add({
    requestId: randomUUID(),
    name: 'The bank',
    assetCode: 'USD',
    assetScale: 2,
    ilpAddress: 'g.bank',
    routes: [],
    deduplicates: false,
    endpoint: 'https://bank.invalid/ilp',
    creditLimit: 1n,
    debtLimit: null,
    maxPacketAmount: null,
    outgoingToken: 'a-token-of-theirs',
  });
  await spendingToken(node, client, shop.walletAddress, { debitAmount: usd('500') });
  const [grant] = (await operator.apps.grants({})).items;
  await client.open((await requestSpending(node, client, shop.walletAddress, { debitAmount: usd('400') })).grant.interact.redirect);
  const [waiting] = await operator.approvals.list();
  const screens = {
    '/get-paid/$id': [`/get-paid/${id}`],
    '/payments/$id': [`/payments/${id}`],
    '/receipts/$kind/$id': [`/receipts/sale/${id}`],
    '/closings/$number': [`/closings/${number}`],
    '/peers/$id': [`/peers/${peer.id}`],
    '/apps/$grantId': grant === undefined ? [] : [`/apps/${grant.id}`],
    '/approvals/$id': waiting === undefined ? [] : [`/approvals/${waiting.id}`],
    '/accounts/$id': [`/accounts/${shop.id}`],
  };
  return { receipt, screens };
}
