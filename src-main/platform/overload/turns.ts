import { ok, type Result, refuse } from '../result.ts';

/** Lets so many tasks run at once, and so many wait for their turn, in the order in which they came. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param waiting how many may wait; those beyond are refused. */
  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#free = atOnce;
    this.#most = waiting;
  }

  /** Takes a turn, at once or after others. Whoever has one ends it with what they are given, once. */
  async take(): Promise<Result<() => void, 'busy'>> {
    if (this.#free > 0) this.#free -= 1;
    else {
      if (this.#waiting.length >= this.#most) return refuse('busy');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    let isOver = false;
    return ok(() => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    });
  }

  /** Does something in a turn. */
  async run<T>(work: () => Promise<T>): Promise<Result<T, 'busy'>> {
    const turn = await this.take();
    if (!turn.ok) return turn;
    try {
      return ok(await work());
    } finally {
      turn.value();
    }
  }
}
