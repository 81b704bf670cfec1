import { median } from './support/report.ts';

/** One kind of work at both sizes. */
export interface SizeFigures {
  what: string;
  few: number;
  many: number;
  /** How many times slower the work is with many payments: the median over rounds in which both sizes took turns. */
  slower: number;
  /** How many times more processor time one takes. It is undefined where the system does not tell. */
  cost: number | undefined;
}

/** The result of one turn of some work. */
export interface Stretch {
  perSecond: number;
  /** Milliseconds of processor time for one. */
  cpu: number | undefined;
}

const ROUNDS = 5;

/**
 * Compares the same work at both sizes. They take turns, so that other work of the machine weighs on both. The first
 * round only warms up.
 */
export async function compare(what: string, sizes: Readonly<Record<'few' | 'many', () => Promise<Stretch>>>): Promise<SizeFigures> {
  await sizes.few();
  await sizes.many();
  const rounds: Record<'few' | 'many', Stretch>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each size goes first as often as the other, so that waves of other work hit both.
    if (round % 2 === 0) {
      const few = await sizes.few();
      rounds.push({ few, many: await sizes.many() });
    } else {
      const many = await sizes.many();
      rounds.push({ few: await sizes.few(), many });
    }
  }
  const costs = rounds.flatMap(({ few, many }) => (few.cpu === undefined || many.cpu === undefined ? [] : [many.cpu / few.cpu]));
  return {
    what,
    few: median(rounds.map(({ few }) => few.perSecond)),
    many: median(rounds.map(({ many }) => many.perSecond)),
    slower: median(rounds.map(({ few, many }) => few.perSecond / many.perSecond)),
    cost: costs.length === 0 ? undefined : median(costs),
  };
}
