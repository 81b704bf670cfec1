import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { type Fraction, reduced } from '../exchange/fraction.ts';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { advance, converted, runOf } from './peer-conversion.ts';
import { newPeer, openTestPeers } from './testing/peers.ts';

let test: TestDatabase;
let [peerId, otherPeer] = ['', ''];
beforeEach(async () => {
  test = openTestDatabase();
  [peerId, otherPeer] = [randomUUID(), randomUUID()];
  const peers = openTestPeers({ database: test.database, clock: new ManualClock(0) });
  for (const [ilpAddress, id] of Object.entries({ 'g.bakery': peerId, 'g.brewery': otherPeer }))
    expect(await peers.registry.add(newPeer({ id, ilpAddress }))).toMatchObject({ ok: true });
});
afterEach(() => test.dispose());

const key = (payment = 'a', peer = peerId) => ({ peerId: peer, incomingPaymentId: payment });
const read = (payment?: string, peer?: string) => runOf(test.database.read, key(payment, peer));

/** Converts a packet by what is stored, and stores that it has moved. */
async function take(amount: bigint, rate: Fraction, payment?: string, peer?: string): Promise<bigint> {
  const due = converted(amount, rate, await read(payment, peer));
  expect(await test.database.write((tx) => advance(tx, key(payment, peer), due, 1))).toBe(true);
  return due.amount;
}

describe('converting the packets of a payment', () => {
  it('gives exactly what is due for all of them at one rate', async () => {
    const part = fc.bigInt(1n, 5_000n);
    const packets = fc.array(fc.bigInt(1n, 1_000n), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(packets, part, part, async (amounts, numerator, denominator) => {
        const [payment, rate] = [randomUUID(), reduced({ numerator, denominator })];
        let [source, arrived] = [0n, 0n];
        for (const amount of amounts) [source, arrived] = [source + amount, arrived + (await take(amount, rate, payment))];
        expect(arrived).toBe((source * numerator) / denominator);
      }),
      { numRuns: 30 },
    );
  });

  it('begins anew with a new rate, so that what came before is neither paid again nor taken back', async () => {
    const [low, high] = [
      { numerator: 1n, denominator: 3n },
      { numerator: 2n, denominator: 1n },
    ];
    expect([await take(100n, low), await take(10n, high), await take(1n, low), await take(2n, low)]).toEqual([33n, 20n, 0n, 1n]);
  });

  it('begins anew where a sum would be more than a column can hold', async () => {
    const rate = { numerator: 1n, denominator: 2n };
    expect([await take(MAX_MOVED, rate), await take(3n, rate)]).toEqual([MAX_MOVED / 2n, 1n]);
  });

  it('refuses a packet that was converted before another one came first, and counts each packet once', async () => {
    const rate = { numerator: 1n, denominator: 2n };
    const first = converted(3n, rate, await read());
    await take(5n, rate);
    expect(await test.database.write((tx) => advance(tx, key(), first, 1))).toBe(false);
    const second = converted(3n, rate, await read());
    await take(1n, rate);
    expect(await test.database.write((tx) => advance(tx, key(), second, 1))).toBe(false);
    expect(await read()).toEqual({ rate: '1/2', source: 6n, arrived: 3n });
  });

  it('goes on where a sum is the most that a column can hold', async () => {
    const rate = { numerator: 1n, denominator: 3n };
    expect([await take(MAX_MOVED - 2n, rate), await take(2n, rate)]).toEqual([(MAX_MOVED - 2n) / 3n, 1n]);
    expect(await read()).toMatchObject({ source: MAX_MOVED });
  });

  it('counts each payment by itself, and what each peer sends to one payment', async () => {
    const rate = { numerator: 1n, denominator: 2n };
    const ways = [['a'], ['b'], ['a', otherPeer]] as const;
    for (const way of ways) expect(await take(3n, rate, ...way)).toBe(1n);
    // Only the first one goes on.
    expect(await take(1n, rate, 'a')).toBe(1n);
    const sources = await Promise.all(ways.map(async ([payment, peer]) => (await read(payment, peer))?.source));
    expect(sources).toEqual([4n, 3n, 3n]);
  });

  it('refuses a packet that was converted before the rate changed, even if the sums are the same again', async () => {
    await take(2n, { numerator: 1n, denominator: 2n });
    const late = converted(1n, { numerator: 1n, denominator: 2n }, await read());
    await take(2n, { numerator: 2n, denominator: 3n });
    expect(await read()).toEqual({ rate: '2/3', source: 2n, arrived: 1n });
    expect(await test.database.write((tx) => advance(tx, key(), late, 1))).toBe(false);
  });

  it('refuses a packet that was converted before another one which brought nothing by itself', async () => {
    const rate = { numerator: 1n, denominator: 2n };
    await take(2n, rate);
    const late = converted(1n, rate, await read());
    expect(await take(1n, rate)).toBe(0n);
    expect(await test.database.write((tx) => advance(tx, key(), late, 1))).toBe(false);
  });
});
