/** Random but repeatable numbers in [0, 1) (mulberry32). A failure happens again with the same seed. */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes random choices that a seed repeats. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** An integer in [0, below). */
  below(below: number): number {
    return Math.floor(this.#random() * below);
  }
  chance(probability: number): boolean {
    return this.#random() < probability;
  }
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError('nothing to choose from');
    return choice;
  }
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
