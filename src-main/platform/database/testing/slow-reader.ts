import { builder, type Reader } from '../database.ts';

/** A reader for tests: it fixes an answer at the moment of the question, and hands it over when the test says so. */
export class SlowReader {
  /** What the reader answers from now on: rows of values in the order of the selected columns. */
  rows: unknown[][] = [];
  readonly #open: (() => void)[] = [];

  readonly read: Reader = builder(async () => {
    const answer = { rows: this.rows };
    await new Promise<void>((resolve) => this.#open.push(resolve));
    return answer;
  });

  /** How many questions wait for their answer. */
  get waiting(): number {
    return this.#open.length;
  }

  /** Hands over the answers of all questions that wait. */
  answer(): void {
    for (const resolve of this.#open.splice(0)) resolve();
  }
}
