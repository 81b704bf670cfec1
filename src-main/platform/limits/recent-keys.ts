/** The number of keys in each of the two maps. Both maps together take a few MB. */
const HALF = 10_000;

/**
 * Remembers something of each of many keys. When there are more than 10,000, it forgets those that have not been set
 * for the longest time. It never remembers more than 20,000.
 */
export class RecentKeys<Value> {
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#recent.size >= HALF && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }

  /** How many keys it remembers. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }
}
