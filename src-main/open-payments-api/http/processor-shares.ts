/**
 * Shares the processor time of the node out among the requests under way: at each moment in equal parts. A request that
 * keeps the processor busy also keeps itself under way, so it pays for what it uses. Beginning and ending cost two
 * readings, whatever else is under way.
 */
export class ProcessorShares {
  readonly #used: () => number;
  #readAt = 0;
  #underWay = 0;
  /** What a request would have paid that was under way from the start of the node, in milliseconds. */
  #share = 0;

  /** @param used the processor time that the node has used so far, in milliseconds. */
  constructor(used: () => number) {
    this.#used = used;
  }

  /** @returns what {@link end} takes. */
  begin(): number {
    this.#read();
    this.#underWay += 1;
    return this.#share;
  }

  /** @returns what the request has used, in milliseconds. */
  end(begun: number): number {
    this.#read();
    this.#underWay -= 1;
    return this.#share - begun;
  }

  #read(): void {
    const used = this.#used();
    if (this.#underWay > 0) this.#share += (used - this.#readAt) / this.#underWay;
    this.#readAt = used;
  }
}
