import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IncomingPayment } from '../payments/incoming/incoming-payments.ts';
import { receive } from '../payments/incoming/incoming-payments.ts';
import { payersOf } from '../payments/refunds/payers.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { ok, refuse } from '../platform/result.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { CheckoutWorker } from './checkout-worker.ts';
import { Checkouts } from './checkouts.ts';
import { eur, otherWallet, WALLET } from './testing/other-wallet.ts';

let test: Payments;
let shop: WalletAddress;
let payment: IncomingPayment;
const seal = new Seal(randomBytes(32));

beforeEach(async () => {
  test = openPayments();
  shop = await test.account('shop', 0n);
  const made = await test.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  payment = made.value;
});
afterEach(() => test.close());

/** A visitor at the wallet with this name, from the wallet address to the approval. */
async function visitor(name: string, amount: bigint) {
  const wallet = otherWallet();
  const id = `https://wallet.example/${name}`;
  wallet.answers.find = async () => ok({ ...WALLET, id });
  const { database, clock, urls, walletAddresses } = test;
  const parts = { database, clock, urls, seal, walletAddresses, ...wallet.parts };
  const worker = new CheckoutWorker({ ...parts, log: createLogger('silent') });
  const desk = new Checkouts(parts, () => undefined);
  const browser = randomBytes(32).toString('base64url');
  const wanted = { incomingPaymentId: payment.id, wallet: id, amount, visitor: browser, network: '192.0.2.1' };
  const begun = await desk.start(wanted);
  if (!begun.ok) throw new Error(begun.error);
  await desk.comeBack(begun.value, browser, wallet.yes());
  return { wallet, worker };
}
type Visitor = Awaited<ReturnType<typeof visitor>>;

/** The visitor's wallet is told to pay, and says how far it is. */
async function tell({ worker }: Visitor): Promise<void> {
  await worker.runOnce();
  await worker.runOnce();
}
async function follow({ worker }: Visitor): Promise<void> {
  test.clock.advance(3_000);
  await worker.runOnce();
}
/** Money comes over a peer; nobody can tell from whom. */
async function arrive(amount: bigint): Promise<void> {
  const current = await test.incomingPayments.find(payment.id);
  if (current === undefined) throw new Error('the payment is gone');
  await test.database.write((tx) => receive(tx, current, amount, test.clock.now()));
}
const payers = async () =>
  (await payersOf(test.database.read, payment.id, { most: 10 })).map(({ payer, amount }) => [payer.split('/').at(-1), amount]);

it('a visitor whose wallet consented and paid is the payer of what came', async () => {
  const ann = await visitor('ann', 900n);
  await tell(ann);
  await arrive(900n);
  expect(await payers()).toEqual([]);
  await follow(ann);
  expect(await payers()).toEqual([['ann', 900n]]);
  // The same visitor pays once more.
  const again = await visitor('ann', 100n);
  await tell(again);
  await arrive(100n);
  await follow(again);
  expect(await payers()).toEqual([['ann', 1_000n]]);
});

it('what the wallet took is known where it took its own currency, within what was approved, for all that is proven', async () => {
  const known = async () =>
    (await payersOf(test.database.read, payment.id, { most: 10 })).map(({ payer, paid }) => [payer.split('/').at(-1), paid]);
  const says = (wallet: Visitor, debitAmount: ReturnType<typeof eur>) => {
    const { outgoing } = wallet.wallet;
    wallet.wallet.answers.look = async () => ok({ ...outgoing(debitAmount.value), debitAmount });
  };
  for (const [name, amount, took] of [
    ['ann', 700n, eur(880n)],
    ['more', 50n, eur(901n)],
    ['other', 60n, { value: 800n, assetCode: 'JPY', assetScale: 0 }],
  ] as const) {
    const one = await visitor(name, amount);
    says(one, took);
    await tell(one);
    await arrive(amount);
    await follow(one);
  }
  expect((await known()).toSorted()).toEqual([
    ['ann', eur(880n)],
    ['more', null],
    ['other', null],
  ]);
  // Only a part of what this wallet was told to bring has come.
  const part = await visitor('part', 100n);
  await tell(part);
  await arrive(40n);
  await follow(part);
  expect(await known()).toContainEqual(['part', null]);
  expect(await payers()).toContainEqual(['part', 40n]);
});

it('a wallet that says it has paid when nothing came, or only before it was told, is no payer', async () => {
  await arrive(900n);
  const ann = await visitor('ann', 900n);
  await tell(ann);
  await follow(ann);
  expect(await payers()).toEqual([]);
});

it('of two wallets that claim the same money neither is the payer, and both are when enough came', async () => {
  const [ann, bob] = [await visitor('ann', 900n), await visitor('bob', 900n)];
  await tell(ann);
  await tell(bob);
  await arrive(900n);
  await follow(ann);
  await follow(bob);
  expect(await payers()).toEqual([]);
  const [carl, dora] = [await visitor('carl', 50n), await visitor('dora', 60n)];
  await tell(carl);
  await tell(dora);
  await arrive(1_010n);
  await follow(carl);
  await follow(dora);
  expect((await payers()).toSorted()).toEqual([
    ['carl', 50n],
    ['dora', 60n],
  ]);
});

it('a wallet that refused outright takes nothing from the proof of the next one', async () => {
  const ann = await visitor('ann', 900n);
  ann.wallet.answers.pay = async () => refuse('refused');
  await tell(ann);
  const bob = await visitor('bob', 900n);
  await tell(bob);
  await arrive(900n);
  await follow(bob);
  expect(await payers()).toEqual([['bob', 900n]]);
});

it('what accounts of this node paid is theirs, and nobody else can claim it', async () => {
  const buyer = await test.account('buyer', 1_000n);
  const ann = await visitor('ann', 700n);
  await tell(ann);
  const payee = test.urls.incomingPayment(payment.id);
  const quote = await test.operatorPayments.quote({ requestId: randomUUID(), from: buyer, payee, send: 700n });
  if (!quote.ok) throw new Error(quote.error.code);
  const paid = await test.operatorPayments.pay({ requestId: randomUUID(), from: buyer, quoteId: quote.value.id });
  if (!paid.ok) throw new Error(paid.error.code);
  await test.finished(paid.value.id);
  await follow(ann);
  expect(await payers()).toEqual([[buyer.id, 700n]]);
});
