import type { Core } from '../platform/core.ts';

/** How long an answer that was read for a price serves the payment that follows, in milliseconds. */
export const RECENT_MS = 2_000;
/** How many answers, and how many servers, are remembered at most. */
const MOST = 1_000;

/**
 * Answers that were read for a price a moment ago, each for the first attempt of the payment that was made with it.
 * They are kept in memory only, because they hold the secret of a STREAM connection.
 */
export class RecentReads<T> {
  readonly #clock: Core['clock'];
  readonly #reads = new Map<string, { answer: T; until: number }>();

  constructor(clock: Core['clock']) {
    this.#clock = clock;
  }

  keep(key: string, answer: T): void {
    this.#reads.delete(key);
    this.#reads.set(key, { answer, until: this.#clock.monotonic() + RECENT_MS });
    for (const [oldest, { until }] of this.#reads) {
      if (this.#reads.size <= MOST && this.#clock.monotonic() < until) break;
      this.#reads.delete(oldest);
    }
  }

  /** Gives an answer away. Who comes next has to read anew. @returns undefined when there is none, or it is too old. */
  take(key: string): T | undefined {
    const read = this.#reads.get(key);
    this.#reads.delete(key);
    return read !== undefined && this.#clock.monotonic() < read.until ? read.answer : undefined;
  }
}

/**
 * The authorization server that each resource server has named, by the URL under which its incoming payments lie. A
 * token goes only to a server that has named the token's origin itself, as in a look-up that asks first.
 */
export class NamedAuthServers {
  readonly #servers = new Map<string, string>();

  of(receiver: URL): string | undefined {
    return this.#servers.get(placeOf(receiver));
  }

  note(receiver: URL, authServer: string): void {
    this.#servers.delete(placeOf(receiver));
    this.#servers.set(placeOf(receiver), authServer);
    const [oldest] = this.#servers.keys();
    if (this.#servers.size > MOST && oldest !== undefined) this.#servers.delete(oldest);
  }

  forget(receiver: URL): void {
    this.#servers.delete(placeOf(receiver));
  }
}

const placeOf = ({ href }: URL): string => href.slice(0, href.lastIndexOf('/'));
