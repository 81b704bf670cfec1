import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeerConversion } from './peer-conversion.ts';

const nothing = async () => ({ source: 0n, arrived: 0n });

describe('converting the packets of a payment', () => {
  it('gives exactly what is due for all of them at one rate, also across restarts', async () => {
    const amounts = fc.array(fc.tuple(fc.bigInt(1n, 1_000n), fc.boolean()), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.bigInt(1n, 5_000n), fc.bigInt(1n, 5_000n), async (packets, numerator, denominator) => {
        let conversion = new PeerConversion();
        const rate = { numerator, denominator };
        let [source, arrived] = [0n, 0n];
        for (const [amount, restarts] of packets) {
          if (restarts) conversion = new PeerConversion();
          const due = await conversion.arriving('a', amount, rate, async () => ({ source, arrived }));
          conversion.moved('a', amount, due);
          [source, arrived] = [source + amount, arrived + due];
        }
        expect(arrived).toBe((source * numerator) / denominator);
      }),
    );
  });

  it('begins anew with a new rate, so that what came before is neither paid again nor taken back', async () => {
    const conversion = new PeerConversion();
    const [low, high] = [
      { numerator: 1n, denominator: 3n },
      { numerator: 2n, denominator: 1n },
    ];
    const take = async (amount: bigint, rate: typeof low) => {
      const due = await conversion.arriving('a', amount, rate, nothing);
      conversion.moved('a', amount, due);
      return due;
    };
    expect([await take(100n, low), await take(10n, high), await take(1n, low), await take(2n, low)]).toEqual([33n, 20n, 0n, 1n]);
  });

  it('counts nothing that did not move, and asks the books when it does not know', async () => {
    const conversion = new PeerConversion();
    const rate = { numerator: 1n, denominator: 2n };
    for (let i = 0; i < 3; i += 1) expect(await conversion.arriving('a', 3n, rate, nothing)).toBe(1n);
    conversion.forget('a');
    expect(await conversion.arriving('a', 3n, rate, async () => ({ source: 1n, arrived: 0n }))).toBe(2n);
  });
});
