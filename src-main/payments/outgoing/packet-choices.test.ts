import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyChoice, onlyChoice } from './packet-choices.ts';

const packet = fc.record({ peer: fc.constantFrom('a', 'b'), amount: fc.bigInt(1n, 4n) });
type Packet = { peer: string; amount: bigint };

const amountOf = ({ amount }: Packet) => amount;
const worth = (packets: Iterable<Packet>) => [...packets].reduce((sum, { amount }) => sum + amount, 0n);
const likeness = (packets: Iterable<Packet>) =>
  [...packets]
    .map(({ peer, amount }) => `${peer} ${amount}`)
    .sort()
    .join();
const inGroups = (packets: readonly Packet[]) => [...Map.groupBy(packets, ({ peer, amount }) => `${peer} ${amount}`).values()];

it('the packets that arrived are known exactly when no others could have brought as much', () => {
  fc.assert(
    fc.property(fc.array(packet, { minLength: 1, maxLength: 8 }), fc.bigInt(0n, 20n), (packets, sum) => {
      const choices = new Set<string>();
      for (let which = 1; which < 2 ** packets.length; which += 1) {
        const chosen = packets.filter((_, index) => (which >> index) % 2 === 1);
        if (worth(chosen) === sum) choices.add(likeness(chosen));
      }
      const found = onlyChoice(inGroups(packets), sum, amountOf);
      expect(found && likeness(found)).toBe(choices.size === 1 ? [...choices][0] : undefined);
      const some = anyChoice(packets, sum, amountOf);
      expect(some && worth(some)).toBe(choices.size > 0 || sum === 0n ? sum : undefined);
    }),
    { numRuns: 500 },
  );
});

it('they are found at once among sixteen that all differ', () => {
  const packets = Array.from({ length: 16 }, (_, n) => ({ peer: 'a', amount: BigInt(2 ** n) }));
  expect(onlyChoice(inGroups(packets), 2n ** 16n - 2n, amountOf)?.size).toBe(15);
});
