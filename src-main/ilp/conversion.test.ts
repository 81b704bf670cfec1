import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Conversion } from './conversion.ts';

const amount = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });

describe('conversion', () => {
  it('delivers the whole price for the whole debit, in however many packets', () => {
    fc.assert(
      fc.property(amount, amount, fc.array(fc.bigInt({ min: 1n, max: 2n ** 62n }), { maxLength: 20 }), (debit, receive, packets) => {
        const conversion = new Conversion({ debit, receive });
        let sent = 0n;
        let delivered = 0n;
        for (const wanted of [...packets, debit]) {
          const packet = wanted < debit - sent ? wanted : debit - sent;
          if (packet === 0n) continue;
          const arriving = conversion.arriving(packet);
          conversion.moved(packet);
          sent += packet;
          delivered += arriving;
          expect(delivered).toBe((sent * receive) / debit);
        }
        expect(delivered).toBe(receive);
      }),
    );
  });

  it('continues where an earlier attempt stopped', () => {
    // At 91.37 for 100, packets that were rounded by themselves would each lose two thirds of a unit.
    const conversion = new Conversion({ debit: 10_000n, receive: 9_137n }, { sent: 3_333n, delivered: 3_045n });
    expect(conversion.arriving(6_667n)).toBe(9_137n - 3_045n);
  });

  it('counts only what moved', () => {
    const conversion = new Conversion({ debit: 10n, receive: 5n });
    expect(conversion.arriving(4n)).toBe(2n);
    expect(conversion.arriving(4n)).toBe(2n);
  });

  it('brings nothing, and not less than nothing, when more has arrived than the price says', () => {
    expect(new Conversion({ debit: 10n, receive: 5n }, { sent: 4n, delivered: 5n }).arriving(2n)).toBe(0n);
  });

  it('takes no price of nothing', () => {
    expect(() => new Conversion({ debit: 0n, receive: 1n })).toThrow(RangeError);
    expect(() => new Conversion({ debit: 1n, receive: 0n })).toThrow(RangeError);
  });
});
