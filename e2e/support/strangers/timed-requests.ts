import { performance } from 'node:perf_hooks';

/** How long answers took. */
export interface Latencies {
  readonly requests: number;
  /** Half of the requests took no longer, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Notes how long each answer to an honest client took, and what was refused. */
export class TimedRequests {
  #times: number[] = [];
  /** What went wrong, and how often. */
  readonly failures: Record<string, number> = {};

  /**
   * A refused request counts with the time after which it was refused.
   * @returns undefined when it was refused.
   */
  async timed<T>(act: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      return await act();
    } catch (error) {
      const status = error instanceof Error && 'status' in error ? error.status : undefined;
      const failure = status === undefined ? String(error) : String(status);
      this.failures[failure] = (this.failures[failure] ?? 0) + 1;
      return undefined;
    } finally {
      this.#times.push(performance.now() - began);
    }
  }

  /** Tells the latencies since the last call. */
  take(): Latencies {
    const sorted = this.#times.sort((a, b) => a - b);
    this.#times = [];
    const quantile = (q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
    return { requests: sorted.length, p50: quantile(0.5), p99: quantile(0.99) };
  }
}
