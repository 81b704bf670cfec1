import { randomUUID } from 'node:crypto';
import { ORPCError, safe } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ecbFile } from '../../../exchange/testing/sources.ts';
import { brokenInvariants } from '../../../ledger/testing/invariants.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../../testing/desk.ts';

const URL = 'https://ecb.example/daily.xml';
const EUR = { assetCode: 'EUR', assetScale: 2 };
const PAIR = { base: 'USD', quote: 'EUR' };
const FOLLOWING = { ...PAIR, spreadBps: 50, maxJumpBps: 500, maxAgeSeconds: 432_000, fallsBack: false };

describe.each(Object.entries(TRANSPORTS))('sources, pairs and fees over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    expect(await brokenInvariants(desk.database.read)).toEqual([]);
    await disconnect();
    await desk.close();
  });

  const day = () => new Date(desk.clock.now()).toISOString().slice(0, 10);
  const say = (usd: string) => desk.rateAnswers.set(URL, ecbFile(day(), { USD: usd }));
  const place = { kind: 'ecb' as const, url: URL };
  const addSource = () => client.rateSources.add({ requestId: randomUUID(), name: 'ECB', place, everySeconds: 3_600, isOn: true });
  const codeOf = async (work: Promise<unknown>) => {
    const { error } = await safe<unknown, Error>(work);
    return error instanceof ORPCError ? error.code : undefined;
  };
  const healthOfRates = async () => (await client.node.overview()).health.find(({ name }) => name === 'rates');

  it('test a source without storing anything, add it, read it, and remove it', async () => {
    expect(await client.rateSources.test({ place })).toEqual({ said: null, problem: 'unreachable' });
    say('1.25');
    expect(await client.rateSources.test({ place })).toMatchObject({
      said: { base: 'EUR', rates: [{ quote: 'USD', rate: '1.25' }] },
      problem: null,
    });
    expect(await client.rateSources.list()).toEqual([]);
    const added = await addSource();
    expect(added).toMatchObject({ name: 'ECB', place, isOn: true, said: null, lookedAt: null, problem: null, failures: 0 });
    const looked = await client.rateSources.look({ id: added.id });
    expect(looked).toMatchObject({
      lookedAt: new Date(desk.clock.now()),
      nextLookAt: new Date(desk.clock.now() + 3_600_000),
      problem: null,
    });
    expect(await client.rateSources.switch({ id: added.id, isOn: false })).toMatchObject({ isOn: false, nextLookAt: null });
    expect(await client.rateSources.prefer({ id: added.id })).toMatchObject({ id: added.id });
    await client.rateSources.remove({ id: added.id });
    expect(await codeOf(client.rateSources.look({ id: added.id }))).toBe('NOT_FOUND');
  });

  it('show what counts of each pair, and let the operator confirm a jump', async () => {
    say('1.25');
    const { id } = await addSource();
    await client.rateSources.look({ id });
    expect(await client.pairs.follow(FOLLOWING)).toMatchObject({
      ...PAIR,
      counts: 'followed',
      followed: { believed: { rate: '0.8', source: 'ECB' }, jump: null, spreadBps: 50 },
      byHand: null,
      fee: null,
    });
    say('1.5');
    await client.rateSources.look({ id });
    const [pair] = await client.pairs.list();
    expect(pair).toMatchObject({
      counts: 'followed',
      followed: { believed: { rate: '0.8' }, jump: { rate: '0.6666666666', exact: '2/3' } },
    });
    expect(await healthOfRates()).toMatchObject({ state: 'warning', problems: [{ code: 'jump', ...PAIR }] });
    expect(await codeOf(client.pairs.confirmJump({ ...PAIR, exact: '3/4' }))).toBe('JUMP_CHANGED');
    expect(await client.pairs.confirmJump({ ...PAIR, exact: '2/3' })).toMatchObject({
      followed: { believed: { rate: '0.6666666666' }, jump: null },
    });
    expect(await client.pairs.unfollow(PAIR)).toEqual(PAIR);
    expect(await codeOf(client.pairs.unfollow(PAIR))).toBe('NOT_FOUND');
    expect(await codeOf(client.pairs.follow({ ...FOLLOWING, quote: 'USD' }))).toBe('SAME_CURRENCY');
  });

  it('tell the operator when a pair has stopped, and when a source keeps failing', async () => {
    expect(await healthOfRates()).toBeUndefined();
    say('1.25');
    const { id } = await addSource();
    await client.rateSources.look({ id });
    await client.pairs.follow(FOLLOWING);
    expect(await healthOfRates()).toEqual({ name: 'rates', state: 'good', problems: [] });
    desk.rateAnswers.set(URL, '<html>');
    for (let nth = 0; nth < 3; nth += 1) await client.rateSources.look({ id });
    desk.clock.advance(432_000_001);
    const source = { code: 'source', name: 'ECB', problem: 'not_readable' };
    expect(await healthOfRates()).toEqual({ name: 'rates', state: 'warning', problems: [{ code: 'stopped', ...PAIR }, source] });
    await client.rates.set({ ...PAIR, rate: '0.7', spreadBps: 0, source: 'Bank', asOf: new Date(desk.clock.now()), maxAgeSeconds: 3_600 });
    expect((await client.pairs.list())[0]?.counts).toBe('rate_stale');
    await client.pairs.follow({ ...FOLLOWING, fallsBack: true });
    expect((await client.pairs.list())[0]?.counts).toBe('by_hand');
    expect(await healthOfRates()).toMatchObject({ problems: [{ code: 'by_hand', ...PAIR }, source] });
  });

  it('take the fee from a payer once, and the payee gets what was promised', async () => {
    const shop = await desk.account('shop', 0n, 'EUR');
    const buyer = await desk.account('buyer', 5_000n);
    await client.rates.set({ ...PAIR, rate: '0.5', spreadBps: 0, source: 'Bank', asOf: new Date(desk.clock.now()), maxAgeSeconds: 3_600 });
    await client.rates.fund({ requestId: randomUUID(), ...EUR, amount: 700n, note: '' });
    expect(await client.pairs.setFee({ ...PAIR, fixed: '0.30', shareBps: 200, minimum: '0' })).toMatchObject({
      fee: { fixed: '0.30', shareBps: 200, minimum: '0' },
    });
    const incoming = await desk.incomingPayments.create({ walletAddress: shop, client: null, incomingAmount: { ...EUR, value: 600n } });
    if (!incoming.ok) throw new Error(incoming.error);
    const payee = desk.urls.incomingPayment(incoming.value.id);
    const quoted = await desk.quotes.create({ walletAddress: buyer, client: null, receiver: payee });
    if (!quoted.ok) throw new Error(quoted.error.code);
    // 1,255 less 0.30 and 2 % (25.1) is 1,200, and one unit less would leave 1,199.
    expect(quoted.value).toMatchObject({ debitAmount: 1_255n, receiveAmount: 600n });
    const made = await desk.outgoingPayments.createFromQuote({ walletAddress: buyer, right: null, quoteId: quoted.value.id });
    if (!made.ok) throw new Error(made.error.code);
    expect(await desk.finished(made.value.id)).toMatchObject({ state: 'completed', sent: 1_255n, delivered: 600n });
    expect(await client.rates.funds()).toEqual([
      { ...EUR, value: 100n },
      { assetCode: 'USD', assetScale: 2, value: 1_255n },
    ]);
    expect(await client.pairs.removeFee(PAIR)).toEqual(PAIR);
    expect(await codeOf(client.pairs.removeFee(PAIR))).toBe('NOT_FOUND');
    for (const fixed of ['-1', '1,5', '', '1e3']) {
      expect([fixed, await codeOf(client.pairs.setFee({ ...PAIR, fixed, shareBps: 0, minimum: '0' }))]).toEqual([fixed, 'BAD_REQUEST']);
    }
  });
});
