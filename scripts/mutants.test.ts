import { expect, it } from 'vitest';
import { mutantsOf } from './mutants/operators.mjs';
import { plan } from './mutants.mjs';

it('every place of the list is there, and so is every mutant that is explained', () => {
  for (const { room, mutants } of plan()) expect(mutants.length, room).toBeGreaterThan(20);
});

const CODE = `import { and } from 'drizzle-orm';
const few = and(isOpen, sql\`a - b >= 1\`);
export function take(tx: Tx, left: bigint): boolean {
  if (left === undefined || left < 1n) return false;
  store(tx, left - 1n);
  return left > 1n ? more() : Math.min(left, 2) === 1;
}
class Gate {
  #open(): void {
    this.count += 1;
  }
}
`;
const made = (...names: string[]) => mutantsOf('a.ts', CODE, names).mutants.map(({ key }) => key.slice('a.ts '.length));

it('the tool makes the mutants of a place by itself', () => {
  expect(made('few')).toEqual(['few: isOpen → undefined', 'few: sql`a - b >= 1` → undefined', 'few: - → +', 'few: >= → >']);
  expect(made('take', 'Gate.#open')).toEqual([
    'take: left === undefined || left < 1n → false',
    'take: left === undefined || left < 1n → (left === undefined)',
    'take: left === undefined || left < 1n → (left < 1n)',
    'take: left < 1n → left <= 1n',
    'take: false → true',
    'take: store(tx, left - 1n); → {}',
    'take: left - 1n → left + 1n',
    'take: left > 1n ? more() : Math.min(left, 2) === 1 → (more())',
    'take: left > 1n ? more() : Math.min(left, 2) === 1 → (Math.min(left, 2) === 1)',
    'take: left > 1n → left >= 1n',
    'take: Math.min(left, 2) === 1 → Math.min(left, 2) !== 1',
    'take: Math.min → Math.max',
    'Gate.#open: this.count += 1; → {}',
    'Gate.#open: this.count += 1 → this.count -= 1',
  ]);
});

it('a place that is gone is named', () => {
  expect(() => mutantsOf('a.ts', CODE, ['give'])).toThrow('a.ts has no give any more');
});
