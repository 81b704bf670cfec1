import type { Interleaver } from '../job-run.ts';

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Sends the statements of jobs that run side by side one at a time, in an order that a seed chooses. The statements of
 * one job keep their order.
 */
export class SeededInterleaver implements Interleaver {
  /** The places of the jobs whose statements were sent, in that order. */
  readonly order: number[] = [];
  readonly #chance: () => number;
  readonly #held = new Map<number, (() => Promise<void>)[]>();
  #isSending = false;

  constructor(seed: number) {
    this.#chance = chance(seed);
  }

  pass(place: number, send: () => Promise<unknown[][]>): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      const held = this.#held.get(place) ?? [];
      held.push(() => send().then(resolve, reject));
      this.#held.set(place, held);
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (;;) {
      // Jobs need only microtasks, so after a turn of the event loop each has said its next statement.
      await new Promise((resolve) => setImmediate(resolve));
      const places = [...this.#held.keys()].toSorted((a, b) => a - b);
      const place = places[Math.floor(this.#chance() * places.length)];
      if (place === undefined) break;
      const held = this.#held.get(place) ?? [];
      const send = held.shift();
      if (held.length === 0) this.#held.delete(place);
      this.order.push(place);
      await send?.();
    }
    this.#isSending = false;
  }
}
