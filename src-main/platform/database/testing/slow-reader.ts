import type { Reader } from '../database.ts';
import { builder } from '../query-builder/builder.ts';

/** A reader for tests. It fixes the result at the moment of the query, and returns it when the test says so. */
export class SlowReader {
  /** The rows that the reader returns from now on. Each row holds its values in the order of the selected columns. */
  rows: unknown[][] = [];
  readonly #open: (() => void)[] = [];

  readonly read: Reader = builder(async () => {
    const answer = { rows: this.rows };
    await new Promise<void>((resolve) => this.#open.push(resolve));
    return answer;
  });

  /** How many queries wait for their result. */
  get waiting(): number {
    return this.#open.length;
  }

  /** Returns the results of all queries that wait. */
  answer(): void {
    for (const resolve of this.#open.splice(0)) resolve();
  }
}
