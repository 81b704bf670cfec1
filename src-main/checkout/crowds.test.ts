import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { events } from '../journal/tables.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { ok, refuse } from '../platform/result.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { CheckoutWorker } from './checkout-worker.ts';
import { Checkouts } from './checkouts.ts';
import { keepingFailed } from './retention.ts';
import { checkouts } from './tables.ts';
import { otherWallet, WALLET } from './testing/other-wallet.ts';

let test: Payments;
let paymentId: string;
let wallet: ReturnType<typeof otherWallet>;
let desk: Checkouts;
let worker: CheckoutWorker;

beforeEach(async () => {
  test = openPayments();
  const walletAddress = await test.account('shop', 0n);
  wallet = otherWallet();
  const made = await test.incomingPayments.create({
    ...{ walletAddress, client: null },
    incomingAmount: { value: 1_000n, assetCode: 'USD', assetScale: 2 },
  });
  if (!made.ok) throw new Error(made.error);
  paymentId = made.value.id;
  const { database, clock, urls, walletAddresses } = test;
  const parts = { database, clock, urls, seal: new Seal(randomBytes(32)), walletAddresses, ...wallet.parts, places: 1 };
  worker = new CheckoutWorker({ ...parts, log: createLogger('silent') });
  desk = new Checkouts(parts, () => undefined);
});
afterEach(() => test.close());

const newVisitor = () => randomBytes(32).toString('base64url');
const start = (visitor = newVisitor()) =>
  desk.start({ incomingPaymentId: paymentId, wallet: 'wallet.example/ann', network: '192.0.2.1', amount: undefined, visitor });

/** Begins an attempt and brings the wallet's answer. */
async function cameBack(
  answer: Parameters<Checkouts['comeBack']>[2] | (() => ReturnType<typeof wallet.yes>) = wallet.yes,
): Promise<string> {
  const visitor = newVisitor();
  const begun = await start(visitor);
  if (!begun.ok) throw new Error(begun.error);
  expect(await desk.comeBack(begun.value, visitor, typeof answer === 'function' ? answer() : answer)).toBe(true);
  return begun.value;
}

const stateOf = async (id: string) => (await test.database.read.select().from(checkouts).where(eq(checkouts.id, id)))[0]?.state;

describe('a visitor among many', () => {
  it('is not kept away by attempts that somebody approved at a wallet of their own', async () => {
    const approved = await cameBack();
    expect([(await start()).ok, await stateOf(approved)]).toEqual([true, 'returned']);
  });

  it('is refused only while the node asks the wallets of as many others as it can', async () => {
    const found = Promise.withResolvers<Awaited<ReturnType<typeof wallet.answers.find>>>();
    const asked = Promise.withResolvers<void>();
    wallet.answers.find = () => {
      asked.resolve();
      return found.promise;
    };
    const first = start();
    await asked.promise;
    expect(await start()).toEqual(refuse('busy'));
    found.resolve(refuse('not_a_wallet_address'));
    expect(await first).toEqual(refuse('wallet_not_found'));
  });

  it('is carried on although somebody approved many attempts at wallets that never answer', async () => {
    const [{ find, request, continue: answer }, silent] = [wallet.answers, Promise.withResolvers<never>()];
    for (let n = 0; n < 20; n++) {
      wallet.answers.find = async () => ok({ ...WALLET, id: `https://w${n}.silent.example/` });
      wallet.answers.request = async () => {
        const given = await request();
        return given.ok ? ok({ ...given.value, continueUri: 'https://silent.example/continue' }) : given;
      };
      await cameBack();
      test.clock.advance(1);
    }
    Object.assign(wallet.answers, { find, request });
    const honest = await cameBack();
    wallet.parts.paymentGrants.continue = ({ continueUri }) => (continueUri.includes('silent') ? silent.promise : answer());
    void worker.runOnce();
    await vi.waitFor(async () => expect(await stateOf(honest)).toBe('paying'));
  });
});

it('failed attempts go with their events when there are too many, the oldest first', async () => {
  const failed: string[] = [];
  for (let n = 0; n < 5; n++) {
    failed.push(await cameBack({ result: 'grant_rejected' }));
    test.clock.advance(1);
  }
  const approved = await cameBack();
  const rule = keepingFailed(2);
  expect(await rule.removeSome(test.database, 0, undefined)).toMatchObject({ removed: 3, more: false });
  const rows = await test.database.read.select({ id: checkouts.id }).from(checkouts);
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...failed.slice(3), approved].toSorted());
  const told = await test.database.read.select().from(events).where(eq(events.type, 'attempt.failed'));
  expect(told.map(({ subject }) => subject)).toEqual(failed.slice(3));
  expect(await rule.removeSome(test.database, 0, undefined)).toMatchObject({ removed: 0 });
});
