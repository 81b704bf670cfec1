/** Each check of a secret takes 64 MiB and a fifth of a second, so few strangers can wait for one at a time. */
const MOST_WAITING = 8;

/** Runs one piece of work after the other, and turns away what comes when too many wait. */
export class OneAtATime {
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @returns undefined when too many wait. Then nothing is done. */
  async run<T>(work: () => Promise<T>): Promise<{ answer: T } | undefined> {
    if (this.#waiting >= MOST_WAITING) return undefined;
    this.#waiting += 1;
    const answer = this.#turn.then(work);
    this.#turn = answer
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
    return { answer: await answer };
  }
}
