import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sameAsset } from '../../../src-shared/amounts.ts';
import { revokeGrant } from '../../access/grants/continuations.ts';
import type { Limits } from '../../access/rights/access-rights.ts';
import { insertIssuedGrant } from '../../access/testing/issued-grant.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { accountId } from '../../ledger/ledger.ts';
import { outgoingPayments } from '../tables.ts';
import type { Elsewhere, Fate } from '../testing/elsewhere.ts';
import { EUR, START, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { doubtRemotePayments } from './after-copy.ts';
import { isFinal, type OutgoingPayment, receiveAsset } from './outgoing-payment-rows.ts';

const HELD_IN_BUYERS_ACCOUNT = 100_000n;
const CLIENT = 'https://app.example/';

let world: TwoWorlds;
/** The places of the receivers. */
let places: Elsewhere[];
afterEach(() => world.close());

/** The way to the receivers: over which peer, and in which currency. */
const WAYS = {
  'in the same currency': { options: {}, centsPerUnit: 1n },
  'behind a peer that pays repetitions twice': { options: { peer: { deduplicates: false } }, centsPerUnit: 1n },
  'where this node exchanges': { options: { asset: EUR }, centsPerUnit: 2n },
  'where others exchange': { options: { asset: EUR, peer: USD }, centsPerUnit: undefined },
} as const;
type Way = keyof typeof WAYS;

const ALL_WAYS = Object.keys(WAYS) as [Way, ...Way[]];

/** Opens a world in which receivers are on these ways, each behind a peer of its own. */
async function open(way: Way, ...more: Way[]): Promise<void> {
  world = await TwoWorlds.open({ quiet: true, maxPacketAmount: 150n, ...WAYS[way].options });
  places = [world.elsewhere];
  for (const [n, other] of more.entries()) places.push(await world.beside(`place-${n}`, WAYS[other].options));
  await world.node.rates.set(rateOf('USD', 'EUR', '0.5', START, { maxAgeSeconds: 10 * 365 * 86_400 }));
  const account = await world.node.account('shop', 0n, 'EUR');
  expect(account.assetCode).toBe('EUR');
  await world.node.exchangeAccounts.move({ id: randomUUID(), kind: 'deposit', asset: EUR, amount: HELD_IN_BUYERS_ACCOUNT, note: '' });
}

/** What has left the account, with what is set aside and may still leave. */
const left = async (): Promise<bigint> => HELD_IN_BUYERS_ACCOUNT - (await world.balance(accountId('customer', world.buyerId)));

interface Wish {
  wanted: { debit: bigint } | { receive: bigint };
  /** The place of the receiver. */
  elsewhere?: Elsewhere;
  /** The time at which the receiver takes no more, in milliseconds since the Unix epoch. */
  expiresAt?: number;
}

/** Pays with a grant. @returns the payment's id. It is undefined when the node refuses. */
async function payWith(grantId: string, limits: Limits, wish: Wish): Promise<string | undefined> {
  const { wanted, elsewhere = world.elsewhere, expiresAt } = wish;
  const walletAddress = await world.node.walletAddresses.byId(world.buyerId);
  if (walletAddress === undefined) throw new Error('the buyer is gone');
  const receiver = elsewhere.invoice(undefined, expiresAt === undefined ? {} : { expiresAt });
  const amount =
    'debit' in wanted ? { debitAmount: { value: wanted.debit, ...USD } } : { receiveAmount: { value: wanted.receive, ...elsewhere.asset } };
  const quote = await world.node.quotes.create({ walletAddress, client: CLIENT, receiver, ...amount });
  if (!quote.ok) return undefined;
  const right = { client: CLIENT, grantId, limits };
  const made = await world.node.outgoingPayments.createFromQuote({ walletAddress, right, quoteId: quote.value.id });
  return made.ok ? made.value.id : undefined;
}

/** Lets the payment go on until it ends, waits for the operator, or has asked about its packets in vain for long. */
const whenEnded = (id: string) =>
  world.until(id, (payment) => isFinal(payment) || payment.state === 'unknown' || (payment.state === 'settling' && payment.fruitless > 2));

const paymentsOf = (grantId: string) =>
  world.node.database.read.select().from(outgoingPayments).where(eq(outgoingPayments.grantId, grantId));

/** What a payment has taken from the account. Until it ends, that is everything that is set aside for it. */
const takenBy = (payment: OutgoingPayment): bigint => (isFinal(payment) ? payment.sent : payment.debitAmount);

/** What that money buys at the price which the app was told. A part of a unit counts as a whole one. */
const boughtBy = (payment: OutgoingPayment): bigint =>
  (takenBy(payment) * payment.receiveAmount + payment.debitAmount - 1n) / payment.debitAmount;

const sumOf = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

describe('a receiver that says nothing arrived', () => {
  it.each(ALL_WAYS)('gets no more than the operator allowed to arrive, however many payments it fails, %s', async (way) => {
    await open(way);
    world.elsewhere.says = (arrived, isProbe) => (isProbe ? arrived : 0n);
    const limits = { receiveAmount: { value: 1_000n, ...world.elsewhere.asset } };
    const grantId = await insertIssuedGrant(world.node.database, START);
    for (let payment = 0; payment < 12; payment += 1) {
      const id = await payWith(grantId, limits, { wanted: { receive: 200n } });
      if (id !== undefined) expect(await world.finished(id)).toMatchObject({ state: 'failed', delivered: 0n });
    }
    const made = await paymentsOf(grantId);
    expect([made.length, sumOf(made.map(boughtBy))]).toEqual([5, 1_000n]);
    expect(await left()).toBe(sumOf(made.map(takenBy)));
    expect(await left()).toBe(way === 'where others exchange' ? 1_015n : 1_000n * (WAYS[way].centsPerUnit ?? 1n));
  });

  it('uses up the unit that the last part of the money bought', async () => {
    await open('where this node exchanges');
    world.elsewhere.says = () => 0n;
    // The first packet brings three quarters of the only unit, so the receiver gets nothing for it.
    world.fates('pass', { code: 'F00' });
    const grantId = await insertIssuedGrant(world.node.database, START);
    await world.node.rates.set(rateOf('USD', 'EUR', '0.005', START, { maxAgeSeconds: 86_400 }));
    const limits = { receiveAmount: { value: 1n, ...EUR } };
    const id = await payWith(grantId, limits, { wanted: { receive: 1n } });
    expect(await world.finished(id ?? '')).toMatchObject({ state: 'failed', sent: 150n, delivered: 0n, debitAmount: 200n });
    expect(await payWith(grantId, limits, { wanted: { receive: 1n } })).toBeUndefined();
    expect(await left()).toBe(150n);
  });
});

type Lie = 'truth' | 'nothing' | 'less' | 'more' | 'all' | 'silence' | 'uncountable';
const LIES: Record<Lie, (arrived: bigint) => bigint | undefined> = {
  truth: (arrived) => arrived,
  nothing: () => 0n,
  less: (arrived) => arrived / 3n,
  more: (arrived) => arrived * 7n,
  all: () => 2n ** 63n - 1n,
  silence: () => undefined,
  uncountable: () => 2n ** 64n - 1n,
};

const lie = fc.constantFrom(...(Object.keys(LIES) as Lie[]));
const fate = fc.constantFrom<Fate>(
  ...(['pass', 'pass', 'pass', 'mute', 'lose', 'no-data', 'garbage'] as const),
  ...[{ code: 'T04' }, { code: 'R00' }, { code: 'F00' }, { code: 'F08' }],
);
const limit = fc.bigInt({ min: 50n, max: 1_000n });
/** It is used up soon, so that a life shows what becomes of payments beyond it. */
const narrow = fc.bigInt({ min: 50n, max: 300n });
const payment = fc.record({
  wanted: fc.oneof(fc.record({ debit: fc.bigInt({ min: 1n, max: 600n }) }), fc.record({ receive: fc.bigInt({ min: 1n, max: 600n }) })),
  lies: fc.array(lie, { minLength: 1, maxLength: 3 }),
  fates: fc.oneof(fc.constant([]), fc.array(fate, { maxLength: 8 })),
  probe: fc.constantFrom<Lie | 'dear'>('truth', 'nothing', 'more', 'dear', 'all'),
  counts: fc.constantFrom<'truth' | 'nothing' | 'more'>('truth', 'nothing', 'more'),
  restored: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  operator: fc.constantFrom('arrived' as const, 'not_arrived' as const),
  /** The receiver takes no more after so many seconds: before, while and after its packets are looked for, or never. */
  seconds: fc.constantFrom(undefined, undefined, 1, 12, 25, 45, 90),
  place: fc.nat(11),
  /** The app makes the payment twice at the same moment. */
  twice: fc.boolean(),
  /** The operator takes the permission back while the payment is under way. */
  revoked: fc.oneof({ weight: 24, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const life = fc.record({
  limits: fc.oneof(fc.record({ debit: limit }), fc.record({ receive: narrow }), fc.record({ debit: limit, receive: narrow })),
  interval: fc.constantFrom(undefined, undefined, `R/${new Date(START).toISOString()}/PT1M`, `R/${new Date(START).toISOString()}/PT20S`),
  payments: fc.array(payment, { minLength: 4, maxLength: 12 }),
});
interface Life {
  limits: { debit?: bigint; receive?: bigint };
  interval: string | undefined;
  payments: (typeof payment extends fc.Arbitrary<infer Plan> ? Plan : never)[];
}

/** Makes the receivers answer by the plan of one payment. */
function lieAs(elsewhere: Elsewhere, { lies, fates, probe, counts }: Life['payments'][number]): void {
  const first = elsewhere.sent.length;
  let money = 0;
  elsewhere.fate = (packet) => fates[packet - first] ?? 'pass';
  elsewhere.says = (arrived, isProbe) => {
    if (isProbe) return probe === 'dear' ? arrived / 500n : LIES[probe](arrived);
    money += 1;
    return LIES[lies[(money - 1) % lies.length] ?? 'truth'](arrived);
  };
  elsewhere.tells = (received) => (counts === 'truth' ? received : counts === 'nothing' ? 0n : received * 3n);
}

/** Lives through every payment of the plan with one grant. @returns the grant's id. */
async function live({ limits: { debit, receive }, interval, payments }: Life): Promise<string> {
  const limits: Limits = {
    ...(interval !== undefined && { interval }),
    ...(debit !== undefined && { debitAmount: { value: debit, ...USD } }),
    ...(receive !== undefined && { receiveAmount: { value: receive, ...world.elsewhere.asset } }),
  };
  const grantId = await insertIssuedGrant(world.node.database, START);
  // A limit of what arrives has one currency, and pays nobody in another.
  const payable = receive === undefined ? places : places.filter(({ asset }) => sameAsset(asset, world.elsewhere.asset));
  for (const plan of payments) {
    const elsewhere = payable[plan.place % payable.length] ?? world.elsewhere;
    lieAs(elsewhere, plan);
    const expiresAt = plan.seconds === undefined ? {} : { expiresAt: world.clock.now() + plan.seconds * 1_000 };
    const pay = () => payWith(grantId, limits, { wanted: plan.wanted, elsewhere, ...expiresAt });
    const ids = await Promise.all(plan.twice ? [pay(), pay()] : [pay()]);
    if (plan.revoked) await world.node.database.write((tx) => revokeGrant(tx, grantId, 'operator', world.clock.now()));
    if (plan.restored) await world.node.database.write((tx) => doubtRemotePayments(tx, world.clock.now()));
    for (const id of ids) if (id !== undefined) await endOf(id, plan.operator);
  }
  return grantId;
}

/** Waits until a payment ends. Where nobody knows what became of it, the operator says so. */
async function endOf(id: string, said: 'arrived' | 'not_arrived'): Promise<void> {
  const { state } = await whenEnded(id);
  if (state === 'unknown') await world.node.unknownPayments.resolve(id, said);
}

/**
 * Holds what the grant's payments took against what the operator has read: in each window so much from the account, and
 * so much for receivers (decisions.md#D-130).
 */
function compare(made: OutgoingPayment[], { debit, receive }: Life['limits']): void {
  for (const window of new Set(made.map(({ spendingWindow }) => spendingWindow))) {
    const inWindow = made.filter(({ spendingWindow }) => spendingWindow === window);
    if (debit !== undefined) expect(sumOf(inWindow.map(takenBy))).toBeLessThanOrEqual(debit);
    if (receive !== undefined) expect(sumOf(inWindow.map(boughtBy))).toBeLessThanOrEqual(receive);
  }
}

/** What the node has of the currency in which it pays receivers, after an exchange of its own. */
const tradedWith = () => world.balance(accountId('exchange', 'EUR/2'));

describe('whatever receivers and their wallets say', () => {
  it.each<[string, [Way, ...Way[]]]>([...ALL_WAYS.map((way): [string, [Way]] => [way, [way]]), ['across peers and currencies', ALL_WAYS]])(
    'no more leaves the account than the operator read, %s',
    async (_, ways) => {
      await open(...ways);
      const { centsPerUnit } = WAYS[ways[0]];
      let mostInOneLife = 0;
      await fc.assert(
        fc.asyncProperty(life, async (plan) => {
          const before = { left: await left(), traded: await tradedWith() };
          const grantId = await live(plan);
          const made = await paymentsOf(grantId);
          mostInOneLife = Math.max(mostInOneLife, made.length);
          // Nothing leaves the account but what the payments say.
          expect((await left()) - before.left).toBe(sumOf(made.map(takenBy)));
          compare(made, plan.limits);
          for (const payment of made) {
            if (centsPerUnit === undefined || !sameAsset(receiveAsset(payment), world.elsewhere.asset)) continue;
            // The price is what the rate says: it never takes what the next unit would cost.
            expect(payment.debitAmount).toBeLessThan(centsPerUnit * (payment.receiveAmount + 1n));
          }
          // What this node exchanges and hands on is exactly in the currency of the limit. No unit is rounded away.
          const { receive }: Life['limits'] = plan.limits;
          if (receive !== undefined && plan.interval === undefined && ways[0] === 'where this node exchanges')
            expect(before.traded - (await tradedWith())).toBeLessThanOrEqual(receive);
        }),
        // Making a counterexample smaller would take longer than the test may.
        { numRuns: 15, endOnFailure: true },
      );
      expect(mostInOneLife).toBeGreaterThan(1);
    },
    120_000,
  );
});
