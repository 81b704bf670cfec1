import { assetKey } from '../../src-shared/amounts.ts';
import type { ClosingSource } from '../../src-shared/operator-contract/shop/closings.ts';
import { inParts, LINES_AT_ONCE } from './steps.ts';

/** The number of apps that a closing names in each currency. Strangers decide how many there are. */
const MOST_APPS = 100;

/**
 * Lists the places where payments were asked for: for each currency the apps that brought most, the sum of the other
 * apps, and the places of the shop itself.
 */
export async function listSources(
  sums: Iterable<readonly [key: string, ClosingSource]>,
  pause: () => Promise<void>,
): Promise<ClosingSource[]> {
  const assets = new Map<string, { apps: LargestApps; own: ClosingSource[] }>();
  for (const some of inParts(sums, LINES_AT_ONCE)) {
    for (const [, sum] of some) {
      const key = assetKey(sum);
      const list = assets.get(key) ?? { apps: new LargestApps(), own: [] };
      assets.set(key, list);
      if (sum.app === null) list.own.push(sum);
      else list.apps.add(sum);
    }
    await pause();
  }
  const inOrder = [...assets].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.flatMap(([, { apps, own }]) => [...apps.list(), ...own.sort((one, other) => (one.madeBy < other.madeBy ? -1 : 1))]);
}

/** Whether an app stands before another one: it brought more, or as much with a name that comes first. */
const isBefore = (one: ClosingSource, other: ClosingSource): boolean =>
  one.value === other.value ? (one.app ?? '') < (other.app ?? '') : one.value > other.value;

/** Keeps the apps of a currency that brought most, in their order, and adds up the others. */
class LargestApps {
  readonly #named: ClosingSource[] = [];
  #others: ClosingSource | undefined;

  add(app: ClosingSource): void {
    const place = this.#named.findLastIndex((one) => isBefore(one, app)) + 1;
    this.#named.splice(place, 0, app);
    const least = this.#named.length > MOST_APPS ? this.#named.pop() : undefined;
    if (least === undefined) return;
    const { value, count } = this.#others ?? { value: 0n, count: 0 };
    this.#others = { ...least, app: null, value: value + least.value, count: count + least.count };
  }

  list(): ClosingSource[] {
    return this.#others === undefined ? this.#named : [...this.#named, this.#others];
  }
}
