import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccessToken, isFinalizedGrantWithAccessToken, OpenPaymentsClientError, type Quote } from '@interledger/open-payments';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { finishSpending, requestSpending, usd } from '../support/clients/flows.ts';
import { decisionOn, type Stage } from './approval.ts';
import { money, wireMoney } from './narrator.ts';

const OPENING = 50_000n;
const ROSE_BUSHES = 2_600n;
const EXTRA = 1_400n;
const LIMIT = 5_000n;
const TOO_MUCH = 2_000n;
const cents = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
/** How often the app asks when nobody decides, or when the operator denies. */
const ASKS = 3;

type Spending = AccessToken['access_token'];

/**
 * Tells and checks the story from two empty accounts to a revoked token.
 * @throws AssertionError when the node does something else than the story tells.
 */
export async function playStory(stage: Stage): Promise<void> {
  const [shop, household] = await openAccounts(stage);
  const { receiving, invoice } = await askToBePaid(stage, shop);
  const { quote, token } = await askToPay(stage, household, invoice.id, receiving);
  await pay(stage, { shop, household, receiving, quote, invoice: invoice.id, token });
  await keepUnderControl(stage, { shop, household, receiving, token });
}

async function openAccounts({ node, tell }: Stage): Promise<[Account, Account]> {
  tell.step('The operator opens two accounts');
  const open = async (name: string, publicName: string, openingBalance: bigint) => {
    const asset = { assetCode: 'USD', assetScale: 2 };
    const account = await node.operator.accounts.create({ requestId: randomUUID(), name, publicName, ...asset, openingBalance });
    tell.url(`${publicName}, with ${money(cents(account.balance))} in it:`, account.walletAddress);
    return account;
  };
  return [await open('garden-shop', 'Garden Shop', 0n), await open('household', 'Household', OPENING)];
}

async function askToBePaid({ node, client, clientName, tell }: Stage, shop: Account) {
  tell.step('An app elsewhere asks to be paid into the shop');
  tell.says(`${clientName} is the app. It signs every request with its own key, published at its wallet address:`, client.url);
  const address = await client.sdk.walletAddress.get({ url: shop.walletAddress });
  tell.asks(clientName, 'node', `reads the wallet address: ${address.publicName}, ${address.assetCode}`);
  const grant = await client.sdk.grant.request(
    { url: address.authServer },
    {
      access_token: {
        access: [
          { type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] },
          { type: 'quote', actions: ['create', 'read'] },
        ],
      },
    },
  );
  assert(isFinalizedGrantWithAccessToken(grant), 'being paid needs no one’s approval');
  tell.asks(clientName, 'node', 'asks for the right to be paid and to learn prices; nobody has to be asked for that');
  const receiving = grant.access_token.value;
  const invoice = await client.sdk.incomingPayment.create(
    { url: address.resourceServer, accessToken: receiving },
    {
      walletAddress: shop.walletAddress,
      incomingAmount: usd(ROSE_BUSHES.toString()),
      metadata: { description: 'Two rose bushes', externalRef: 'ORDER-7' },
    },
  );
  tell.asks(clientName, 'node', `creates an incoming payment of ${money(cents(ROSE_BUSHES))} for “Two rose bushes”:`);
  tell.says(invoice.id);
  const { items } = await node.operator.payments.list({ direction: 'in', unpaid: true });
  assert.equal(items[0]?.description, 'Two rose bushes');
  tell.sees(`The operator sees it: “${items[0].description}”, ${items[0].reference}, ${items[0].status}.`);
  return { receiving, invoice };
}

async function askForQuote({ node, client, clientName, tell }: Stage, household: Account, receiver: string, accessToken: string) {
  const quote = await client.sdk.quote.create(
    { url: node.publicUrl, accessToken },
    { walletAddress: household.walletAddress, receiver, method: 'ilp' },
  );
  assert.equal(quote.debitAmount.value, ROSE_BUSHES.toString());
  tell.asks(clientName, 'node', `asks for a quote: paying it from Household costs ${wireMoney(quote.debitAmount)}`);
  return quote;
}

/**
 * Asks for the grant again when nobody has decided or the operator has denied it. It asks for the quote again when the
 * quote has expired in the meantime.
 */
async function askToPay(stage: Stage, household: Account, receiver: string, receiving: string): Promise<{ quote: Quote; token: Spending }> {
  const { node, client, clientName, tell } = stage;
  tell.step('The app asks to pay from the household');
  let quote = await askForQuote(stage, household, receiver, receiving);
  const monthStart = new Date().toISOString().replace(/-\d\dT.*/, '-01T00:00:00Z');
  const limits = { debitAmount: usd(LIMIT.toString()), interval: `R/${monthStart}/P1M` };
  for (let ask = 1; ask <= ASKS; ask += 1) {
    const asked = await requestSpending(node, client, household.walletAddress, limits);
    tell.asks(clientName, 'node', `asks to pay from Household, at most ${money(cents(LIMIT))} a month; that needs the operator`);
    const decision = await decisionOn(stage, asked);
    if (decision.kind === 'approved') {
      const token = await finishSpending(node, client, asked, decision.back);
      tell.sees('The browser is back at the app. The hash in its address is right, so it comes from this node.');
      tell.asks(clientName, 'node', 'continues with the reference it got, and receives its access token');
      if (Date.parse(quote.expiresAt ?? '') - Date.now() < 10_000) {
        tell.says('The quote has lapsed meanwhile, since a quote holds for five minutes.');
        quote = await askForQuote(stage, household, receiver, token.value);
      }
      return { quote, token };
    }
    if (decision.kind === 'denied') tell.says('It was turned down. The app learns that, and gets nothing.');
    else tell.says('Nobody decided in time, so the request has lapsed. The app gets nothing.');
    if (ask < ASKS) tell.says('So that the story can go on, the app asks again.');
  }
  throw new Error(`The app asked ${ASKS} times without being allowed to pay. Start again with: npm run demo`);
}

interface Paying {
  shop: Account;
  household: Account;
  receiving: string;
  token: Spending;
}

async function pay(stage: Stage, { shop, household, receiving, quote, invoice, token }: Paying & { quote: Quote; invoice: string }) {
  const { node, client, clientName, tell } = stage;
  const { walletAddress } = household;
  tell.step('It pays');
  const resource = { url: node.publicUrl, accessToken: token.value };
  const first = await client.sdk.outgoingPayment.create(resource, { walletAddress, quoteId: quote.id });
  tell.asks(clientName, 'node', `pays from the quote: ${wireMoney(first.debitAmount)}`);
  await follow(stage, first.id, token.value);
  const paid = await client.sdk.incomingPayment.get({ url: invoice, accessToken: receiving });
  assert.deepEqual([paid.completed, paid.receivedAmount.value], [true, ROSE_BUSHES.toString()]);
  tell.sees(`The shop’s incoming payment is complete: ${wireMoney(paid.receivedAmount)} have arrived.`);

  const open = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress, metadata: { description: 'For the gardener' } },
  );
  const debitAmount = usd(EXTRA.toString());
  const second = await client.sdk.outgoingPayment.create(resource, { walletAddress, incomingPayment: open.id, debitAmount });
  tell.asks(clientName, 'node', `pays ${wireMoney(debitAmount)} more, directly, into an incoming payment without an amount`);
  await follow(stage, second.id, token.value);
}

/** Shows a payment's progress until it has been sent in full. */
async function follow({ node, client, tell }: Stage, id: string, accessToken: string): Promise<void> {
  let last = '';
  for (;;) {
    const { failed, sentAmount, debitAmount } = await client.sdk.outgoingPayment.get({ url: id, accessToken });
    assert(!failed, 'the payment failed');
    const done = sentAmount.value === debitAmount.value;
    const words = `sent ${wireMoney(sentAmount)} of ${wireMoney(debitAmount)}`;
    if (words !== last) tell.progress(words, done);
    last = words;
    if (done) break;
    await delay(20);
  }
  const { status, packets } = await node.operator.payments.get({ id: id.split('/').at(-1) ?? '' });
  assert.equal(status, 'completed');
  tell.sees(`Completed, in ${packets} ILP packets.`);
}

async function keepUnderControl(stage: Stage, { shop, household, receiving, token }: Paying): Promise<void> {
  const { node, client, clientName, tell } = stage;
  tell.step('It stays under control');
  const balance = async (account: Account) => (await node.operator.accounts.get({ id: account.id })).balance;
  const open = await client.sdk.incomingPayment.create(
    { url: node.publicUrl, accessToken: receiving },
    { walletAddress: shop.walletAddress },
  );
  const over = { walletAddress: household.walletAddress, incomingPayment: open.id, debitAmount: usd(TOO_MUCH.toString()) };
  const refused = await refusal(client.sdk.outgoingPayment.create({ url: node.publicUrl, accessToken: token.value }, over));
  assert.deepEqual(refused, { status: 403, code: 'limit_exceeded' });
  assert.equal(await balance(household), OPENING - ROSE_BUSHES - EXTRA);
  tell.asks(clientName, 'node', `tries to pay ${money(cents(TOO_MUCH))} more`);
  tell.sees(
    `Refused (403, limit_exceeded): of ${money(cents(LIMIT))} a month ${money(cents(LIMIT - ROSE_BUSHES - EXTRA))} are left. Nothing moved.`,
  );

  const use = (accessToken: string) => client.sdk.outgoingPayment.getGrantSpentAmounts({ url: node.publicUrl, accessToken });
  const rotated = (await client.sdk.token.rotate({ url: token.manage, accessToken: token.value })).access_token;
  tell.asks(clientName, 'node', 'rotates its access token, as it should now and then');
  assert.equal((await refusal(use(token.value))).status, 401);
  assert.equal((await use(rotated.value)).spentDebitAmount?.value, (ROSE_BUSHES + EXTRA).toString());
  tell.sees(`The old token is dead (401). The new one works: ${money(cents(ROSE_BUSHES + EXTRA))} are spent so far.`);

  await client.sdk.token.revoke({ url: rotated.manage, accessToken: rotated.value });
  tell.asks(clientName, 'node', 'needs it no more, and revokes it');
  assert.equal((await refusal(use(rotated.value))).status, 401);
  const { items } = await node.operator.apps.grants({});
  assert.equal(items.find(({ interactive }) => interactive)?.tokens[0]?.state, 'revoked');
  tell.sees('Dead as well (401). The operator sees it as revoked.');

  assert.deepEqual([await balance(shop), await balance(household)], [ROSE_BUSHES + EXTRA, OPENING - ROSE_BUSHES - EXTRA]);
  assert.deepEqual(readBooks(node, contradictions), []);
  tell.sees(
    `Garden Shop holds ${money(cents(ROSE_BUSHES + EXTRA))}, Household ${money(cents(OPENING - ROSE_BUSHES - EXTRA))}. The books add up.`,
  );
}

async function refusal(call: Promise<unknown>): Promise<{ status: number | undefined; code: string | undefined }> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenPaymentsClientError)) throw error ?? new Error('the node did what it should have refused');
  return { status: error.status, code: error.code };
}
