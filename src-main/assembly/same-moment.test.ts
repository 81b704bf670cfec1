import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { deserializeIlpReply, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from '../access/secrets.ts';
import { accessTokens } from '../access/tables.ts';
import { craft } from '../ilp/testing/network.ts';
import { events } from '../journal/tables.ts';
import { accountId } from '../ledger/ledger.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../platform/database/testing/both-engines.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

// Two processes of one node over one database. Something is changed at one of them while the other acts by it, in
// another order each time. The journal has both in the order of their writes, and shows whether the old decided.

const EUR = { assetCode: 'EUR', assetScale: 2 };
const USD = { assetCode: 'USD', assetScale: 2 };
const PRICES = ['0.5', '2', '3'] as const;
const moments = fc.record({ here: fc.nat(40), there: fc.nat(40), price: fc.constantFrom(...PRICES) });
type Moment = typeof moments extends fc.Arbitrary<infer M> ? M : never;

describe.each(BOTH_ENGINES)('two processes over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let here: TestNode;
  let there: TestNode;
  beforeEach(async () => {
    opened = open();
    here = await openTestNode({ test: { ...opened.test, dispose: async () => undefined } });
    there = await openTestNode({ beside: { ...here, test: { ...opened.test, database: opened.there } } });
    await here.payments.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: 10_000_000n, note: '' });
  });
  afterEach(async () => {
    // The books are read in several statements, which agree while nobody moves money.
    await Promise.all([here.payments.worker.stop(), there.payments.worker.stop()]);
    expect(await brokenInvariants(here.database.read)).toEqual([]);
    await there.close();
    await here.close();
    await opened.dispose();
  });

  const journal = async () => await here.database.read.select().from(events).orderBy(events.position);
  const rounds = (round: (moment: Moment) => Promise<void>) => fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  const setRate = (rate: string) =>
    here.payments.rates.set({
      base: 'USD',
      quote: 'EUR',
      rate,
      spreadBps: 0,
      source: 'test',
      asOf: here.clock.now(),
      maxAgeSeconds: 3_600,
    });
  const ask = async (account: 'bob' | 'carol' = 'bob') => {
    const made = await here.payments.incomingPayments.create({ walletAddress: here.accounts[account], client: null });
    if (!made.ok) throw new Error(made.error);
    return made.value.id;
  };

  it('price a payment at the rate that counts when it is stored', async () => {
    await setRate('1');
    let before = 0;
    await rounds(async ({ here: first, there: second, price }) => {
      const incomingPayment = here.urls.incomingPayment(await ask());
      const wanted = { walletAddress: there.accounts.alice, right: null, incomingPayment, debitAmount: { value: 100n, ...USD } };
      const [, paid] = await Promise.all([
        turns(first).then(() => setRate(price)),
        turns(second).then(() => there.payments.outgoingPayments.createFromIncomingPayment(wanted)),
      ]);
      if (!paid.ok) throw new Error(paid.error.code);
      const written = await journal();
      const created = written.findIndex(({ type, subject }) => type === 'outgoing_payment.created' && subject === paid.value.id);
      const rate = written.slice(0, created).findLast(({ type }) => type === 'rate.set')?.body.rate;
      expect(paid.value.receiveAmount).toBe(BigInt(100 * Number(rate)));
      before = written.length;
    });
    expect(before).toBeGreaterThan(ROUNDS);
  });

  it('take no packet from a peer after it was paused or got another token', async () => {
    const id = randomUUID();
    const { registry } = here.payments.peers.operator;
    const added = await registry.add(newPeer({ id, ...EUR, creditLimit: 1_000_000n }));
    if (!added.ok) throw new Error(added.error);
    let token = added.value.incomingToken;
    /** Makes a packet to a new payment. @returns the payment's id, and what sends the packet. */
    const packet = async () => {
      const incomingPaymentId = await ask();
      const to = await here.payments.credentials(incomingPaymentId, EUR);
      const changes = { expiresAt: new Date(here.clock.now() + 30_000) };
      const payload = await craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '7', changes });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
      return { incomingPaymentId, send: () => there.app.inject({ method: 'POST', url: '/ilp', headers, payload }) };
    };
    // Whose turn it is in the rounds is left to chance. Before anything changes, a packet is taken.
    await there.payments.peers.directory.reload();
    const taken = await (await packet()).send();
    expect(isReject(deserializeIlpReply(taken.rawPayload))).toBe(false);
    await rounds(async ({ here: first, there: second, price }) => {
      await there.payments.peers.directory.reload();
      const { incomingPaymentId, send } = await packet();
      const renews = price === '2';
      const [changed, { rawPayload }] = await Promise.all([
        turns(first).then(() => (renews ? registry.renewToken(id) : registry.setState(id, 'paused'))),
        turns(second).then(send),
      ]);
      if (changed.ok && 'incomingToken' in changed.value) token = String(changed.value.incomingToken);
      const written = await journal();
      const change = written.findLastIndex(({ type }) => type === 'peer.changed');
      const received = written.findLastIndex(({ type, subject }) => type === 'incoming_payment.received' && subject === incomingPaymentId);
      expect(received).toBeLessThan(change);
      expect(isReject(deserializeIlpReply(rawPayload))).toBe(received === -1);
      await registry.setState(id, 'active');
    });
  });

  /** A round of four packets takes less than this on a busy machine, in milliseconds. */
  const ROUND_MS = 2_400;
  it('convert the packets of a payment as one process would, and lose less than a unit', { timeout: ROUNDS * ROUND_MS }, async () => {
    const added = await here.payments.peers.operator.registry.add(newPeer({ id: randomUUID(), creditLimit: 10_000_000n }));
    if (!added.ok) throw new Error(added.error);
    await there.payments.peers.directory.reload();
    await setRate('0.0213');
    const headers = { authorization: `Bearer ${added.value.incomingToken}`, 'content-type': 'application/octet-stream' };
    const amounts = fc.array(fc.bigInt(1n, 400n), { minLength: 4, maxLength: 4 });
    const round = async ({ here: first, there: second }: Moment, sent: bigint[]) => {
      const incomingPaymentId = await ask();
      const to = await here.payments.credentials(incomingPaymentId, EUR);
      const changes = { expiresAt: new Date(here.clock.now() + 30_000) };
      const packets = await Promise.all(
        sent.map((amount) => craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: `${amount}`, changes })),
      );
      const replies = await Promise.all(
        packets.map(async (payload, nth) => {
          await turns(nth % 2 === 0 ? first : second);
          return await (nth % 2 === 0 ? here : there).app.inject({ method: 'POST', url: '/ilp', headers, payload });
        }),
      );
      for (const { rawPayload } of replies) expect(isReject(deserializeIlpReply(rawPayload))).toBe(false);
      const total = sent.reduce((sum, amount) => sum + amount, 0n);
      expect((await here.payments.incomingPayments.find(incomingPaymentId))?.received).toBe((total * 213n) / 10_000n);
    };
    await fc.assert(fc.asyncProperty(moments, amounts, round), { numRuns: ROUNDS });
  });

  it('let an app pay no more than it may, and nothing once its permission was revoked', async () => {
    /** Whether the permission is revoked while the app pays at the other process. Otherwise it pays at both. */
    const seen = new Set<boolean>();
    await rounds(async ({ here: first, there: second, price }) => {
      const tokenHash = hashSecret(await here.giveToken([]));
      const [token] = await here.database.read.select().from(accessTokens).where(eq(accessTokens.tokenHash, tokenHash));
      const grantId = token?.grantId ?? expect.fail('no permission');
      const right = { client: here.shop.url, grantId, limits: { debitAmount: { value: 10n, ...USD } } };
      const pay = async (node: TestNode, id: string) => {
        const wanted = { walletAddress: node.accounts.alice, right, incomingPayment: node.urls.incomingPayment(id) };
        const made = await node.payments.outgoingPayments.createFromIncomingPayment({ ...wanted, debitAmount: { value: 6n, ...USD } });
        return made.ok ? made.value.id : undefined;
      };
      const [one, other] = [await ask('carol'), await ask('carol')];
      const revokes = price === '2';
      seen.add(revokes);
      const [done, paid] = await Promise.all([
        turns(first).then(async () => (revokes ? await here.access.views.revokeGrant(grantId) : await pay(here, one))),
        turns(second).then(() => pay(there, other)),
      ]);
      if (!revokes) {
        expect([done, paid].filter((id) => id !== undefined)).toHaveLength(1);
        return;
      }
      const written = await journal();
      const created = written.findIndex(({ type, subject }) => type === 'outgoing_payment.created' && subject === paid);
      expect(created).toBeLessThan(written.findIndex(({ type, subject }) => type === 'grant.revoked' && subject === grantId));
      expect(created === -1).toBe(paid === undefined);
    });
    expect(seen.size).toBe(2);
  });

  it('make one thing of two calls with the same id', async () => {
    const { alice } = here.accounts;
    const balance = async () => {
      const [row] = await here.database.read
        .select()
        .from(ledgerAccounts)
        .where(eq(ledgerAccounts.id, accountId('customer', alice.id)));
      return row?.balance ?? 0n;
    };
    await rounds(async ({ here: first, there: second }) => {
      const id = randomUUID();
      const before = await balance();
      const money = { id: randomUUID(), kind: 'deposit' as const, walletAddressId: alice.id, amount: 5n, note: '' };
      const account = { id, name: `shop-${id}`, publicName: 'Shop', ...EUR, openingBalance: 3n };
      const both = async <T>(act: (node: TestNode) => Promise<T>): Promise<T[]> =>
        await Promise.all([turns(first).then(() => act(here)), turns(second).then(() => act(there))]);
      expect(await both((node) => node.payments.walletAddresses.create(account))).toMatchObject([{ ok: true }, { ok: true }]);
      expect(await both((node) => node.payments.walletAddresses.move(money))).toMatchObject([{ ok: true }, { ok: true }]);
      expect(await balance()).toBe(before + 5n);
    });
  });
});
