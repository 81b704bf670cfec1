import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events } from '../journal/tables.ts';
import type { IncomingPayment } from '../payments/incoming/incoming-payments.ts';
import { openPayments, type Payments } from '../payments/testing/payments.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { ok, refuse } from '../platform/result.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';
import { endCheckouts } from './after-copy.ts';
import { CheckoutWorker } from './checkout-worker.ts';
import { Checkouts } from './checkouts.ts';
import { checkouts } from './tables.ts';
import { eur, otherWallet, WALLET } from './testing/other-wallet.ts';

const HOUR = 3_600_000;
const SECRET_WORDS = ['continue-secret', 'token-secret', 'server-nonce', 'the-interact-ref'];

let test: Payments;
let shop: WalletAddress;
let payment: IncomingPayment;
let wallet: ReturnType<typeof otherWallet>;
let desk: Checkouts;
let worker: CheckoutWorker;
const visitor = randomBytes(32).toString('base64url');
const seal = new Seal(randomBytes(32));

beforeEach(async () => {
  test = openPayments();
  shop = await test.account('shop', 0n);
  wallet = otherWallet();
  restart();
  payment = await ask(1_000n);
});
afterEach(() => test.close());

function restart(more: { places?: number } = {}): void {
  const { database, clock, urls, walletAddresses } = test;
  const parts = { database, clock, urls, seal, walletAddresses, ...wallet.parts, ...more };
  worker = new CheckoutWorker({ ...parts, log: createLogger('silent') });
  desk = new Checkouts(parts, () => undefined);
}

async function ask(value: bigint | undefined, expiresAt?: number): Promise<IncomingPayment> {
  const incomingAmount = value === undefined ? undefined : { value, assetCode: 'USD', assetScale: 2 };
  const made = await test.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount, expiresAt });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}
const start = (more: { visitor?: string; amount?: bigint; id?: string } = {}) =>
  desk.start({
    incomingPaymentId: more.id ?? payment.id,
    ...{ wallet: 'wallet.example/ann', network: '192.0.2.1' },
    amount: more.amount,
    visitor: more.visitor ?? visitor,
  });
async function started(more: { visitor?: string } = {}): Promise<string> {
  const begun = await start(more);
  if (!begun.ok) throw new Error(begun.error);
  return begun.value;
}
const rowOf = async (id: string) => (await test.database.read.select().from(checkouts).where(eq(checkouts.id, id)))[0];
const stateOf = async (id: string) => {
  const row = await rowOf(id);
  return row?.reason ? `${row.state}: ${row.reason}` : row?.state;
};
/** Lets the worker run until a moment has passed. */
async function run(ms = 0): Promise<void> {
  for (let left = ms; left >= 0; left -= 1_000) {
    await worker.runOnce();
    await worker.runOnce();
    if (left > 0) test.clock.advance(1_000);
  }
}

describe('an attempt to pay', () => {
  it('leads from the wallet address over the approval to the payment', async () => {
    const id = await started();
    expect(wallet.finishUri()).toBe(`http://127.0.0.1:3000/pay/${payment.id}/return/${id}`);
    // The visitor’s wallet can say to whom the money goes.
    expect(wallet.receiver()).toBe(`http://127.0.0.1:3000/incoming-payments/${payment.id}`);
    expect(await desk.approvalOf(id, visitor)).toEqual({
      url: 'https://auth.wallet.example/interact/1',
      wallet: WALLET.id,
      debit: eur(900n),
    });
    expect(await desk.comeBack(id, visitor, wallet.yes())).toBe(true);
    expect(await stateOf(id)).toBe('returned');
    await run();
    expect(await stateOf(id)).toBe('paying');
    await run(3_000);
    expect(await stateOf(id)).toBe('paid');
    expect(wallet.told).toEqual(['continue the-interact-ref', 'pay https://wallet.example/quotes/1']);
    expect((await rowOf(id))?.sealed).toBeNull();
  });

  it('is carried on after a restart at every step', async () => {
    const id = await started();
    restart();
    await desk.comeBack(id, visitor, wallet.yes());
    restart();
    await worker.runOnce();
    expect(await stateOf(id)).toBe('paying');
    restart();
    await worker.runOnce();
    restart();
    await run(3_000);
    expect(await stateOf(id)).toBe('paid');
    expect(wallet.told.filter((one) => one.startsWith('pay'))).toHaveLength(1);
  });

  it('does not keep the node from stopping while a wallet is silent, and is carried on afterwards', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    const asked = Promise.withResolvers<void>();
    const [silent, goOn] = [Promise.withResolvers<never>(), wallet.answers.continue];
    wallet.answers.continue = () => {
      asked.resolve();
      return silent.promise;
    };
    await worker.start();
    await asked.promise;
    await worker.stop();
    wallet.answers.continue = goOn;
    restart();
    await worker.start();
    await worker.stop();
    await run(3_000);
    expect(await stateOf(id)).toBe('paid');
    silent.reject(new Error('too late'));
  });

  it('leaves no secret readable on the disk', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    await worker.runOnce();
    const stored = await test.test.stored();
    expect(stored).toContain(id);
    for (const word of [...SECRET_WORDS, visitor]) expect(stored).not.toContain(word);
  });
});

describe('a clock that was ahead and is put right', () => {
  it('keeps no attempt waiting, and none under way for longer', async () => {
    test.clock.jump(2 * HOUR);
    const followed = await started();
    await desk.comeBack(followed, visitor, wallet.yes());
    await worker.runOnce();
    await worker.runOnce();
    expect(await stateOf(followed)).toBe('paying');
    const left = await started({ visitor: randomBytes(32).toString('base64url') });
    test.clock.jump(-2 * HOUR);
    await run(3_000);
    expect(await stateOf(followed)).toBe('paid');
    await run(15 * 60_000);
    expect(await stateOf(left)).toBe('failed: too_late');
  });

  it('lets the claim of a step whose end was lost end by the right clock', async () => {
    test.clock.jump(2 * HOUR);
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    await test.database.write((tx) => tx.update(checkouts).set({ claimedUntil: test.clock.now() + 60_000, holder: 'this process' }));
    test.clock.jump(-2 * HOUR);
    await run(30_000);
    expect(await stateOf(id)).toBe('returned');
    await run(40_000);
    expect(await stateOf(id)).toBe('paid');
  });
});

describe('a node that sleeps longer than it follows a payment', () => {
  it('goes on where it was when it wakes up', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    test.clock.advance(HOUR);
    await run(3_000);
    expect(await stateOf(id)).toBe('paid');
  });

  it('pays nothing to a payment that has expired meanwhile', async () => {
    payment = await ask(1_000n, test.clock.now() + HOUR / 2);
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    test.clock.advance(HOUR);
    await run(3_000);
    expect(await stateOf(id)).toBe('failed: closed');
    expect(wallet.told).toEqual(['cancel']);
  });
});

describe('the answer that the visitor’s browser brings back', () => {
  it.each([
    ['a wrong hash', () => ({ ...wallet.yes(), hash: createHash('sha256').update('x').digest('base64') })],
    ['another reference', () => ({ ...wallet.yes(), interact_ref: 'another' })],
    ['no hash', () => ({ interact_ref: 'the-interact-ref' })],
    ['nothing', () => ({})],
  ])('is refused with %s, and the right answer is still taken', async (_, query) => {
    const id = await started();
    expect(await desk.comeBack(id, visitor, query())).toBe(false);
    expect(await stateOf(id)).toBe('approving');
    expect(await desk.comeBack(id, visitor, wallet.yes())).toBe(true);
  });

  it('is taken from the browser that began, and from no other', async () => {
    const id = await started();
    const other = randomBytes(32).toString('base64url');
    for (const stranger of [undefined, other]) {
      expect(await desk.comeBack(id, stranger, wallet.yes())).toBe(false);
      expect(await desk.comeBack(id, stranger, { result: 'grant_rejected' })).toBe(false);
      expect(await desk.approvalOf(id, stranger)).toBeUndefined();
      expect(await desk.attemptOf(payment.id, stranger)).toBeUndefined();
    }
    expect(await stateOf(id)).toBe('approving');
  });

  it('is taken once', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    await run(3_000);
    expect(await desk.comeBack(id, visitor, wallet.yes())).toBe(true);
    expect(await desk.comeBack(id, visitor, { result: 'grant_rejected' })).toBe(true);
    await run(3_000);
    expect(await stateOf(id)).toBe('paid');
    expect(wallet.told).toHaveLength(2);
  });

  it('is told to the visitor when it is a refusal or comes too late', async () => {
    const rejected = await started();
    await desk.comeBack(rejected, visitor, { result: 'grant_rejected' });
    expect(await stateOf(rejected)).toBe('failed: rejected');
    const late = await started();
    test.clock.advance(15 * 60_000);
    await desk.comeBack(late, visitor, wallet.yes());
    expect(await stateOf(late)).toBe('failed: too_late');
    expect(wallet.told).toEqual([]);
  });
});

describe('an attempt that meets an obstacle', () => {
  it('ends at the start, and stores why', async () => {
    wallet.answers.find = async () => refuse('not_a_wallet_address');
    expect(await start()).toEqual(refuse('wallet_not_found'));
    expect(await desk.attemptOf(payment.id, visitor)).toMatchObject({ state: 'failed', reason: 'wallet_not_found', sealed: null });
    wallet.answers.find = async () => ok(WALLET);
    wallet.answers.quote = async () => refuse('refused');
    expect(await start()).toEqual(refuse('wallet_refused'));
    wallet.answers.why = async () => 'packet_refused';
    expect(await start()).toEqual(refuse('packet_refused'));
    wallet.answers.quote = otherWallet().answers.quote;
    wallet.answers.request = async () => refuse('unreachable');
    expect(await start()).toEqual(refuse('auth_unreachable'));
    wallet.answers.request = async () => refuse('refused');
    expect(await start()).toEqual(refuse('grant_refused'));
    expect(await start({ id: crypto.randomUUID() })).toEqual(refuse('unknown_payment'));
  });

  it('sends nobody from an encrypted server to an open page', async () => {
    const { request } = wallet.answers;
    wallet.answers.request = async () => {
      const asked = await request();
      return asked.ok ? ok({ ...asked.value, interactUrl: 'http://auth.wallet.example/interact/1' }) : asked;
    };
    expect(await start()).toEqual(refuse('wallet_refused'));
  });

  it('asks again when the wallet gives no answer, and pays with the same quote', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    let failures = 2;
    const { pay } = wallet.answers;
    wallet.answers.continue = async () => {
      failures -= 1;
      wallet.answers.continue = otherWallet().answers.continue;
      return refuse('unreachable');
    };
    wallet.answers.pay = async () => (failures-- > 0 ? refuse('unreachable') : await pay());
    await run(10_000);
    expect(await stateOf(id)).toBe('paid');
    expect(new Set(wallet.told.filter((one) => one.startsWith('pay')))).toEqual(new Set(['pay https://wallet.example/quotes/1']));
  });

  it('looks whether the money has come when the wallet refuses a repetition', async () => {
    const id = await started();
    await desk.comeBack(id, visitor, wallet.yes());
    let first = true;
    wallet.answers.pay = async () => {
      const outcome = first ? refuse('unreachable' as const) : refuse('refused' as const);
      first = false;
      return outcome;
    };
    await run(5_000);
    expect(await stateOf(id)).toBe('paying');
    await test.incomingPayments.complete(payment.id, null);
    await run(60_000);
    expect(await stateOf(id)).toBe('paid');
  });

  it('never takes more than was approved', async () => {
    wallet.answers.quote = async () =>
      ok({
        id: 'https://wallet.example/quotes/1',
        receiver: '',
        debitAmount: eur(900n),
        receiveAmount: eur(1n),
        expiresAt: test.clock.now() + 60_000,
      });
    const id = await started();
    test.clock.advance(120_000);
    await desk.comeBack(id, visitor, wallet.yes());
    wallet.answers.quote = async () =>
      ok({ id: 'https://wallet.example/quotes/2', receiver: '', debitAmount: eur(901n), receiveAmount: eur(1n), expiresAt: undefined });
    await run();
    expect(await stateOf(id)).toBe('failed: price_changed');
    expect(wallet.told).toEqual(['continue the-interact-ref']);
  });

  it('pays nothing that was paid meanwhile, and gives the grant back', async () => {
    const id = await started();
    await test.incomingPayments.complete(payment.id, null);
    await desk.comeBack(id, visitor, wallet.yes());
    await run();
    expect(await stateOf(id)).toBe('failed: closed');
    expect(wallet.told).toEqual(['cancel']);
    expect(await start()).toEqual(refuse('closed'));
  });

  it('ends by itself when nobody answers, nobody approves, or no money comes', async () => {
    const waiting = await started();
    test.clock.advance(15 * 60_000);
    await run();
    expect(await stateOf(waiting)).toBe('failed: too_late');
    const paying = await started();
    await desk.comeBack(paying, visitor, wallet.yes());
    wallet.answers.look = async () => ok(wallet.outgoing(100n));
    await run(15 * 60_000);
    expect(await stateOf(paying)).toBe('failed: not_arrived');
    const failing = await started();
    await desk.comeBack(failing, visitor, wallet.yes());
    wallet.answers.look = async () => ok(wallet.outgoing(100n, true));
    await run(3_000);
    expect(await stateOf(failing)).toBe('failed: payment_failed');
  });

  it('tells the console once, however it failed', async () => {
    const { find } = wallet.answers;
    wallet.answers.find = async () => refuse('not_a_wallet_address');
    await start();
    wallet.answers.find = find;
    const givenUp = await started();
    const rejected = await started();
    await desk.comeBack(rejected, visitor, { result: 'grant_rejected' });
    const lapsed = await started();
    test.clock.advance(15 * 60_000);
    await run();
    const paid = await started();
    await desk.comeBack(paid, visitor, wallet.yes());
    await run(3_000);
    expect(await stateOf(paid)).toBe('paid');
    const told = await test.database.read.select({ id: events.subject }).from(events).where(eq(events.type, 'attempt.failed'));
    expect(told.map(({ id }) => id)).toEqual([expect.any(String), givenUp, rejected, lapsed]);
  });

  it('ends when the node is restored from a backup, unless it had ended before', async () => {
    const rejected = await started();
    await desk.comeBack(rejected, visitor, { result: 'grant_rejected' });
    const approving = await started();
    await test.database.write((tx) => endCheckouts(tx, test.clock.now()));
    expect(await stateOf(rejected)).toBe('failed: rejected');
    expect(await stateOf(approving)).toBe('failed: interrupted');
    expect((await rowOf(approving))?.sealed).toBeNull();
    await run(3_000);
    expect(wallet.told).toEqual([]);
  });
});

describe('what a visitor may try to pay', () => {
  it('is what the payment still takes, or what the visitor says', async () => {
    const any = await ask(undefined);
    for (const amount of [undefined, 0n, 2n ** 63n])
      expect(await start({ id: any.id, ...(amount !== undefined && { amount }) })).toEqual(refuse('invalid_amount'));
    const begun = await start({ id: any.id, amount: 250n });
    expect(begun.ok && (await rowOf(begun.value))?.amount).toBe(250n);
    const fixed = await start({ amount: 1n });
    expect(fixed.ok && (await rowOf(fixed.value))?.amount).toBe(1_000n);
  });

  const another = () => start({ visitor: randomBytes(32).toString('base64url') });
  it('has no limit for one payment, so that pretended payers keep no real one away', async () => {
    for (let n = 0; n < 12; n++) expect((await another()).ok).toBe(true);
    expect(await desk.comeBack(await started(), visitor, wallet.yes())).toBe(true);
  });
  it('is limited on the node: the oldest attempt that nobody has approved gives way, and no other', async () => {
    restart({ places: 1 });
    const first = await started();
    expect([(await another()).ok, await stateOf(first)]).toEqual([true, 'failed: too_late']);
  });
});
