import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sameAsset } from '../../../src-shared/amounts.ts';
import type { Limits } from '../../access/rights/access-rights.ts';
import { insertIssuedGrant } from '../../access/testing/issued-grant.ts';
import { rateOf } from '../../exchange/testing/rates.ts';
import { accountId } from '../../ledger/ledger.ts';
import type { Elsewhere, Fate } from '../testing/elsewhere.ts';
import { EUR, START, TwoWorlds, USD } from '../testing/two-worlds.ts';
import { doubtRemotePayments } from './after-copy.ts';
import { isFinal } from './outgoing-payment-rows.ts';

const HELD_IN_BUYERS_ACCOUNT = 100_000n;
const CLIENT = 'https://app.example/';

let world: TwoWorlds;
/** Where the receivers are. */
let places: Elsewhere[];
afterEach(() => world.close());

/** Where the receivers are: on which peer's way, and in which currency. */
const WAYS = {
  'in the same currency': { options: {}, centsPerUnit: 1n },
  'behind a peer that pays repetitions twice': { options: { peer: { deduplicates: false } }, centsPerUnit: 1n },
  'where this node exchanges': { options: { asset: EUR }, centsPerUnit: 2n },
  'where others exchange': { options: { asset: EUR, peer: USD }, centsPerUnit: undefined },
} as const;
type Way = keyof typeof WAYS;

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
  /** Where the receiver is. */
  elsewhere?: Elsewhere;
  /** When the receiver takes no more, in milliseconds since the Unix epoch. */
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

describe('a receiver that says nothing arrived', () => {
  it('gets no more than the operator allowed to arrive, however many payments it fails', async () => {
    await open('in the same currency');
    world.elsewhere.says = () => 0n;
    const limits = { receiveAmount: { value: 1_000n, ...USD } };
    const grantId = await insertIssuedGrant(world.node.database, START);
    for (let payment = 0; payment < 12; payment += 1) {
      const id = await payWith(grantId, limits, { wanted: { receive: 200n } });
      if (id !== undefined) expect(await world.finished(id)).toMatchObject({ state: 'failed', sent: 200n, delivered: 0n });
    }
    expect(await left()).toBe(1_000n);
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
});
const life = fc.record({
  limits: fc.oneof(fc.record({ debit: limit }), fc.record({ receive: limit }), fc.record({ debit: limit, receive: limit })),
  payments: fc.array(payment, { minLength: 4, maxLength: 12 }),
});
interface Life {
  limits: { debit?: bigint; receive?: bigint };
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

/** Lives through every payment of the plan with one grant. @returns how many there were. */
async function live({ limits: { debit, receive }, payments }: Life): Promise<number> {
  const limits: Limits = {
    ...(debit !== undefined && { debitAmount: { value: debit, ...USD } }),
    ...(receive !== undefined && { receiveAmount: { value: receive, ...world.elsewhere.asset } }),
  };
  const grantId = await insertIssuedGrant(world.node.database, START);
  // A limit of what arrives has one currency, and pays nobody in another.
  const payable = receive === undefined ? places : places.filter(({ asset }) => sameAsset(asset, world.elsewhere.asset));
  let made = 0;
  for (const plan of payments) {
    const elsewhere = payable[plan.place % payable.length] ?? world.elsewhere;
    lieAs(elsewhere, plan);
    const expiresAt = plan.seconds === undefined ? {} : { expiresAt: world.clock.now() + plan.seconds * 1_000 };
    const id = await payWith(grantId, limits, { wanted: plan.wanted, elsewhere, ...expiresAt });
    if (id === undefined) continue;
    made += 1;
    if (plan.restored) await world.node.database.write((tx) => doubtRemotePayments(tx, world.clock.now()));
    const { state } = await whenEnded(id);
    if (state === 'unknown') await world.node.unknownPayments.resolve(id, plan.operator);
  }
  return made;
}

/**
 * The most that may leave for what may arrive. Equal currencies are exact. In another currency a payment is priced in
 * whole units, so each may cost less than a unit more than what it brings.
 */
const worthOf = (receive: bigint, centsPerUnit: bigint, payments: number): bigint =>
  centsPerUnit === 1n ? receive : centsPerUnit * (receive + BigInt(payments));

const ALL_WAYS = Object.keys(WAYS) as [Way, ...Way[]];

describe('whatever receivers and their wallets say', () => {
  it.each<[string, [Way, ...Way[]]]>([...ALL_WAYS.map((way): [string, [Way]] => [way, [way]]), ['across peers and currencies', ALL_WAYS]])(
    'no more leaves the account than the operator read, %s',
    async (_, ways) => {
      await open(...ways);
      const { centsPerUnit } = WAYS[ways[0]];
      await fc.assert(
        fc.asyncProperty(life, async (plan) => {
          const before = await left();
          const payments = await live(plan);
          const more = (await left()) - before;
          const { debit, receive }: Life['limits'] = plan.limits;
          if (debit !== undefined) expect(more).toBeLessThanOrEqual(debit);
          if (receive !== undefined && centsPerUnit !== undefined)
            expect(more).toBeLessThanOrEqual(worthOf(receive, centsPerUnit, payments));
        }),
        // Making a counterexample smaller would take longer than the test may.
        { numRuns: 15, endOnFailure: true },
      );
    },
    120_000,
  );
});
