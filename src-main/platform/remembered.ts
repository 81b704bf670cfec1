/**
 * Remembers the values that were given to it last, by their keys. It forgets in halves: to forget the oldest value each
 * time would take a map longer and longer, because it steps over the places of all that it has forgotten.
 */
export class Recent<K, V> {
  readonly #half: number;
  #newer = new Map<K, V>();
  #older: ReadonlyMap<K, V> = new Map();

  /** @param most how many values it holds at most. It holds at least the latest half of that. */
  constructor(most: number) {
    this.#half = Math.ceil(most / 2);
  }

  get(key: K): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}

/** The most answers that are remembered of each function. */
const MOST = 512;
/** A longer text is not remembered, in characters. */
const LONGEST = 256;

/**
 * Remembers what a function answers, for a function that always answers the same to a text, with something that nobody
 * changes. Requests name the same addresses and keys again and again, and taking such a text apart takes longer than
 * everything else that is done with it.
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Recent<string, T>(MOST);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const now = answer(text);
    if (text.length > LONGEST) return now;
    known.set(text, now);
    return now;
  };
}
