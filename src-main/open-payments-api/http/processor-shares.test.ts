import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProcessorShares } from './processor-shares.ts';

it('a request pays for what the processor did while it alone was under way', () => {
  let used = 100;
  const shares = new ProcessorShares(() => used);
  used = 150;
  const one = shares.begin();
  used = 157;
  expect(shares.end(one)).toBe(7);
});

it('together requests pay for all that was used while one of them was under way', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(50)), { minLength: 1, maxLength: 50 }), (steps) => {
      let used = 0;
      const shares = new ProcessorShares(() => used);
      const underWay = new Map<number, number>();
      let [paid, owed] = [0, 0];
      const end = (who: number, begun: number) => {
        paid += shares.end(begun);
        underWay.delete(who);
      };
      for (const [who, ms] of steps) {
        const begun = underWay.get(who);
        if (begun === undefined) underWay.set(who, shares.begin());
        else end(who, begun);
        used += ms;
        if (underWay.size > 0) owed += ms;
      }
      for (const [who, begun] of underWay) end(who, begun);
      expect(paid).toBeCloseTo(owed, 6);
    }),
  );
});
