import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimFinding } from '../../../src-shared/claims/claim-findings.ts';
import { transfer } from '../../ledger/ledger.ts';
import { newSecret } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { ok, refuse } from '../../platform/result.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import type { HistoryPayment } from '../../remote-wallets/payment-history.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment, receive } from '../incoming/incoming-payments.ts';
import { findClaim, triesOf } from '../refunds/claim-rows.ts';
import { refundsOf } from '../refunds/refund-rows.ts';
import { claimTries } from '../refunds/tables.ts';
import { outgoingPayments } from '../tables.ts';
import { PEER, TwoWorlds } from '../testing/two-worlds.ts';
import { type ClaimVisitParts, ClaimVisits } from './claim-visits.ts';
import { ClaimWorker } from './claim-worker.ts';

const WALLET = {
  ...{ id: 'https://wallet.example/ann', assetCode: 'USD', assetScale: 2 },
  ...{ authServer: 'https://auth.wallet.example/', resourceServer: 'https://wallet.example' },
};
const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
const history = (more: Partial<HistoryPayment> = {}): HistoryPayment => ({
  ...{ id: 'https://wallet.example/outgoing-payments/1', receiver: '', walletAddress: WALLET.id, failed: false, createdAt: undefined },
  ...{ debitAmount: usd(1_000n), receiveAmount: usd(1_000n), sentAmount: usd(1_000n) },
  ...more,
});

let worlds: TwoWorlds;
let shop: WalletAddress;
let paymentId: string;
let claimId: string;
let visits: ClaimVisits;
let worker: ClaimWorker;
let told: string[];
let nonce: string;
let back: string;
let answers: ReturnType<typeof usualAnswers>;
const visitor = newSecret();
const usualAnswers = () => ({
  find: async () => ok(WALLET) as Awaited<ReturnType<ClaimVisitParts['directory']['find']>>,
  request: async (): ReturnType<ClaimVisitParts['grants']['requestHistory']> =>
    ok({
      ...{ authServer: WALLET.authServer, interactUrl: 'https://auth.wallet.example/interact/1', serverNonce: 'server-nonce' },
      ...{ continueUri: 'https://auth.wallet.example/continue/1', continueToken: 'continue-secret' },
    }),
  continue: async (): ReturnType<ConstructorParameters<typeof ClaimWorker>[0]['grants']['continue']> =>
    ok({ state: 'granted', token: 'token-secret', manageUrl: 'https://auth.wallet.example/token/1', expiresAt: null }),
  paidTo: async (): ReturnType<ConstructorParameters<typeof ClaimWorker>[0]['history']['paidTo']> => ok([history()]),
  /** The ILP address that the wallet names. */
  ilpAddress: `test.elsewhere.ann` as string | undefined,
});

beforeEach(async () => {
  worlds = await TwoWorlds.open({ quiet: true, peer: { creditLimit: 1_000_000n } });
  const { node } = worlds;
  shop = await node.account('shop', 0n);
  [told, answers] = [[], { ...usualAnswers(), ilpAddress: `${worlds.elsewhere.address}.ann` }];
  const { database, clock, urls, walletAddresses, claimLinks: links } = node;
  const seal = new Seal(Buffer.alloc(32, 9));
  visits = new ClaimVisits(
    {
      ...{ database, clock, urls, seal, links, walletAddresses },
      directory: { find: () => answers.find() },
      grants: {
        requestHistory: ({ finish, walletAddress }) => {
          ({ nonce, uri: back } = finish);
          told.push(`ask ${walletAddress.id}`);
          return answers.request();
        },
      },
    },
    () => undefined,
  );
  worker = new ClaimWorker({
    ...{ database, clock, urls, seal, walletAddresses, log: createLogger('silent'), onRefund: () => told.push('refund') },
    grants: {
      continue: ({ interactRef }) => {
        told.push(`continue ${interactRef}`);
        return answers.continue();
      },
      revoke: async ({ token }) => void told.push(`revoke ${token}`),
    },
    history: {
      paidTo: ({ receivers, token }) => {
        told.push(`list ${token}`);
        expect(receivers).toEqual([urls.incomingPayment(paymentId)]);
        return answers.paidTo();
      },
    },
    incomingPayments: {
      create: async ({ walletAddress }) =>
        ok({
          ...{ url: 'https://wallet.example/incoming-payments/1', walletAddress: walletAddress.id, asset: WALLET, received: 0n },
          ...{ incomingAmount: undefined, expiresAt: undefined, completed: false },
          method: answers.ilpAddress === undefined ? undefined : { ilpAddress: answers.ilpAddress, sharedSecret: Buffer.alloc(32) },
        }),
    },
    routes: worlds.wing.directory,
  });
  paymentId = await received(1_000n);
  claimId = randomUUID();
  expect(
    (await node.claims.make({ id: claimId, incomingPaymentId: paymentId, amount: 1_000n, by: { id: 'owner', role: 'owner' } })).ok,
  ).toBe(true);
});
afterEach(() => worlds.close());

/** A payment of somebody unknown, which came from the peer. */
async function received(amount: bigint, from = `peer:${PEER}`): Promise<string> {
  const { node } = worlds;
  const made = await node.incomingPayments.create({ walletAddress: shop, client: null });
  if (!made.ok) throw new Error(made.error);
  const at = node.clock.now();
  await node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, made.value.id);
    if (payment === undefined) return;
    const moved = await transfer(tx, { kind: 'payment', paymentId: payment.id, debit: from, credit: `customer:${shop.id}`, amount, at });
    expect(moved.ok).toBe(true);
    await receive(tx, payment, amount, at);
  });
  return made.value.id;
}
const secret = () => worlds.node.claimLinks.secretOf(claimId);
const name = (wallet = 'wallet.example/ann') => visits.name({ secret: secret(), wallet, visitor, network: '192.0.2.1' });
const yes = (ref = 'ref') => ({
  interact_ref: ref,
  hash: createHash('sha256').update([nonce, 'server-nonce', ref, WALLET.authServer].join('\n')).digest('base64'),
});
/** The customer names their wallet, and comes back from it. */
async function allowed(): Promise<string> {
  const named = await name();
  const id = named.ok ? (named.value.go ?? '') : '';
  expect(back).toBe(`${worlds.node.urls.origin}/claim/back/${id}`);
  expect(await visits.comeBack(id, visitor, yes())).toEqual({ secret: secret(), isGood: true });
  return id;
}
async function work(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await worker.runOnce();
}
const stands = async () => {
  const { read } = worlds.node.database;
  const [claim, tries] = [await findClaim(read, claimId), await triesOf(read, [claimId])];
  return [claim?.state, tries.at(-1)?.finding ?? null];
};
const refunds = () => refundsOf(worlds.node.database.read, paymentId, { most: 10 });

describe('a wallet that has paid', () => {
  it('is refunded once, and its token is given back', async () => {
    await allowed();
    await work();
    expect(await stands()).toEqual(['refunded', 'confirmed']);
    expect(await refunds()).toMatchObject([
      { id: claimId, payer: WALLET.id, amount: 1_000n, claimed: 'wallet', boundTo: worlds.elsewhere.address },
    ]);
    expect(told).toEqual([`ask ${WALLET.id}`, 'continue ref', 'list token-secret', 'refund', 'revoke token-secret']);
    const [row] = await triesOf(worlds.node.database.read, [claimId]);
    expect(row?.sealed).toBeNull();
    // Whoever opens the link again hears that it was used.
    expect(await name()).toEqual({ ok: true, value: { go: null } });
    expect((await visits.standing(secret(), undefined))?.claim.state).toBe('refunded');
  });

  it('is asked again when an answer is lost, and by whichever process goes on', async () => {
    await allowed();
    answers.paidTo = async () => refuse('unreachable');
    await work();
    expect(await stands()).toEqual(['open', null]);
    answers.paidTo = async () => ok([history()]);
    worlds.clock.advance(2_000);
    await Promise.all([worker.runOnce(), worker.runOnce(), worker.runOnce()]);
    expect(await refunds()).toHaveLength(1);
    expect(told.filter((one) => one === 'refund')).toHaveLength(1);
  });
});

describe('a clock that was ahead and is put right', () => {
  it('keeps no wallet waiting for as long as it was ahead', async () => {
    worlds.clock.jump(2 * 3_600_000);
    answers.paidTo = async () => refuse('unreachable');
    await allowed();
    await work();
    answers.paidTo = async () => ok([history()]);
    worlds.clock.jump(-2 * 3_600_000);
    await work();
    expect(await stands()).toEqual(['refunded', 'confirmed']);
  });

  it('does not wait longer for somebody who does not come back from their wallet', async () => {
    worlds.clock.jump(2 * 3_600_000);
    await name();
    worlds.clock.jump(-2 * 3_600_000);
    await work();
    expect(await stands()).toEqual(['open', null]);
    worlds.clock.advance(15 * 60_000);
    await work();
    expect(await stands()).toEqual(['deciding', 'not_back']);
  });
});

describe('the operator decides', () => {
  const lists = (payments: HistoryPayment[]) => ({ paidTo: async () => ok(payments) });
  const refusing = async () => refuse('refused' as const);
  it.each<[string, ClaimFinding, () => Partial<typeof answers>]>([
    ['the wallet says that it has not paid', 'not_paid', () => lists([])],
    ['the money came another way', 'other_way', () => ({ ilpAddress: 'test.evil.ann' })],
    ['nobody knows a way there', 'no_way', () => ({ ilpAddress: 'nowhere.ann' })],
    ['the wallet names no address for money', 'no_way', () => ({ ilpAddress: undefined })],
    ['it says that it paid more than came', 'says_more', () => lists([history(), history()])],
    ['it says that it paid less than is given back', 'says_less', () => lists([history({ receiveAmount: usd(500n) })])],
    ['only a part of what it says was sent', 'says_less', () => lists([history({ sentAmount: usd(300n) })])],
    [
      'it says that it paid in another currency',
      'not_paid',
      () => lists([history({ receiveAmount: { ...usd(1_000n), assetCode: 'EUR' } })]),
    ],
    ['it does not tell its payments', 'list_refused', () => ({ paidTo: refusing })],
    ['it takes its permission back', 'grant_refused', () => ({ continue: refusing })],
  ])('when %s', async (_, finding, says) => {
    await worlds.beside('evil', {});
    Object.assign(answers, says());
    await allowed();
    await work();
    expect(await stands()).toEqual(['deciding', finding]);
    expect(await refunds()).toEqual([]);
    expect(await name('wallet.example/bob')).toEqual({ ok: true, value: { go: null } });
  });

  it('when the wallet does not answer in time, and not before', async () => {
    answers.paidTo = async () => refuse('unreachable');
    await allowed();
    await work();
    worlds.clock.advance(119_000);
    await work();
    expect(await stands()).toEqual(['open', null]);
    worlds.clock.advance(1_000);
    await work();
    expect(await stands()).toEqual(['deciding', 'no_answer']);
  });

  it('when the wallet gives no such permission, when the customer says no there, and when they do not come back', async () => {
    answers.request = async () => refuse('refused');
    expect(await name()).toEqual({ ok: true, value: { go: null } });
    expect(await stands()).toEqual(['deciding', 'grant_refused']);
    const decide = async () => {
      const [row] = (await triesOf(worlds.node.database.read, [claimId])).filter(({ state }) => state === 'deciding');
      await worlds.node.claims.refuse(claimId, row?.id ?? '');
    };
    await decide();
    answers.request = usualAnswers().request;
    const named = await name();
    const id = named.ok ? (named.value.go ?? '') : '';
    await visits.comeBack(id, visitor, { result: 'grant_rejected' });
    expect(await stands()).toEqual(['deciding', 'rejected']);
    await decide();
    expect(await stands()).toEqual(['refused', 'rejected']);
  });

  it('when nobody comes back from the wallet for a quarter of an hour, or the customer asks for it', async () => {
    await name();
    await visits.askShop(secret(), newSecret());
    expect(await stands()).toEqual(['open', null]);
    worlds.clock.advance(15 * 60_000);
    await work();
    expect(await stands()).toEqual(['deciding', 'not_back']);
  });

  it('at once about an account of this node, which has not paid, and never about the shop itself', async () => {
    answers.find = async () => refuse('own_wallet_address');
    expect(await name(worlds.node.walletAddresses.urlOf(shop))).toEqual({ ok: false, error: 'the_shop_itself' });
    const other = await worlds.node.account('other', 0n);
    await name(worlds.node.walletAddresses.urlOf(other));
    expect(await stands()).toEqual(['deciding', 'own_account']);
    expect((await triesOf(worlds.node.database.read, [claimId])).at(-1)?.payer).toBe(other.id);
  });

  it('when the account has spent the money', async () => {
    await worlds.node.walletAddresses.move({ id: randomUUID(), kind: 'withdrawal', walletAddressId: shop.id, amount: 1n, note: '' });
    await allowed();
    await work();
    expect(await stands()).toEqual(['deciding', 'too_little_money']);
    expect(await refunds()).toEqual([]);
  });
});

it('a refund that a wallet has confirmed goes by the peer that brought the money only, whatever address it names', async () => {
  const evil = await worlds.beside('evil', {});
  await worlds.node.worker.stop();
  const made: string[] = [];
  for (const boundTo of [worlds.elsewhere.address, evil.address]) {
    const { id } = await worlds.pay(evil.invoice(500n), 500n);
    await worlds.node.database.write((tx) => tx.update(outgoingPayments).set({ boundTo }).where(eq(outgoingPayments.id, id)));
    made.push(id);
  }
  await worlds.restart();
  const [other = '', same = ''] = made;
  expect(await worlds.finished(other)).toMatchObject({ state: 'failed', failure: 'refused', sent: 0n });
  expect(await worlds.finished(same)).toMatchObject({ state: 'completed', sent: 500n });
  expect(evil.taken).toBe(500n);
});

describe('nothing happens', () => {
  it('when another browser comes back, when another server made the answer, and when it comes twice', async () => {
    const named = await name();
    const id = named.ok ? (named.value.go ?? '') : '';
    expect(await visits.comeBack(id, newSecret(), yes())).toBeUndefined();
    expect(await visits.comeBack(id, undefined, yes())).toBeUndefined();
    expect(await visits.comeBack(id, visitor, { ...yes(), interact_ref: 'other' })).toMatchObject({ isGood: false });
    expect(await visits.comeBack(id, visitor, {})).toMatchObject({ isGood: false });
    expect(await visits.approvalOf(id, newSecret())).toBeUndefined();
    expect(await visits.approvalOf(id, visitor)).toMatchObject({
      url: 'https://auth.wallet.example/interact/1',
      back: `/claim/${secret()}`,
    });
    for (let times = 0; times < 3; times += 1) expect(await visits.comeBack(id, visitor, yes())).toMatchObject({ isGood: true });
    await work();
    expect(await refunds()).toHaveLength(1);
  });

  it('when a wallet is mistyped, does not answer, or leads the browser away from https', async () => {
    answers.find = async () => refuse('not_a_wallet_address');
    expect(await name()).toEqual({ ok: false, error: 'wallet_not_found' });
    answers.find = usualAnswers().find;
    answers.request = async () => refuse('unreachable');
    expect(await name()).toEqual({ ok: false, error: 'auth_unreachable' });
    answers.request = async () => {
      const asked = await usualAnswers().request();
      return asked.ok ? ok({ ...asked.value, interactUrl: 'http://auth.wallet.example/' }) : asked;
    };
    expect(await name()).toEqual({ ok: false, error: 'auth_unreachable' });
    expect(await stands()).toEqual(['open', null]);
  });

  it('after ten wallets were typed', async () => {
    answers.find = async () => refuse('not_a_wallet_address');
    for (let times = 0; times < 10; times += 1) expect(await name()).toEqual({ ok: false, error: 'wallet_not_found' });
    expect(await name()).toEqual({ ok: false, error: 'too_many_tries' });
  });

  it('when the claim was cancelled, or has expired, while the customer was at their wallet', async () => {
    await allowed();
    await worlds.node.claims.cancel(claimId);
    await work();
    expect([await stands(), await refunds()]).toEqual([['cancelled', null], []]);
    expect(told).toEqual([`ask ${WALLET.id}`]);
    expect(await visits.standing('a'.repeat(32), visitor)).toBeUndefined();
    expect(await visits.standing('x', visitor)).toBeUndefined();
  });

  it('for a wallet whose secrets this node cannot open any more, but that the operator decides', async () => {
    const id = await allowed();
    await worlds.node.database.write((tx) => tx.update(claimTries).set({ sealed: 'x' }).where(eq(claimTries.id, id)));
    await work();
    expect(await stands()).toEqual(['deciding', 'no_answer']);
  });
});
