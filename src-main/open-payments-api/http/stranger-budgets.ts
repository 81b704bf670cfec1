import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { type Rate, RateLimiter } from '../../platform/rate-limiter.ts';

/** What a request uses up. */
export interface Cost {
  requests: number;
  /** Bytes that stay on the disk, with their indexes and events. An estimate is enough. */
  bytes: number;
  /** Requests to others that this one causes. */
  outbound: number;
}

type Scope = 'key' | 'origin' | 'network' | 'node';

/** Whom a request is counted for. The node itself is always one of them. */
export type Stranger = Partial<Record<Exclude<Scope, 'node'>, string>>;

const MB = 1024 * 1024;
const anHour = (bytes: number): Rate => ({ perSecond: bytes / 3_600, burst: bytes / 2 });

/**
 * What strangers may use up (decisions.md#D-63): each by its key, by the host of its wallet address and by its network,
 * and all of them together. A key, a host and an address cost nothing, so the sums for the node are what protects the
 * disk and other people's servers.
 */
const BUDGETS: Record<Scope, Record<keyof Cost, Rate>> = {
  key: { requests: { perSecond: 50, burst: 1_000 }, bytes: anHour(16 * MB), outbound: { perSecond: 2, burst: 100 } },
  origin: { requests: { perSecond: 200, burst: 4_000 }, bytes: anHour(32 * MB), outbound: { perSecond: 5, burst: 300 } },
  network: { requests: { perSecond: 500, burst: 10_000 }, bytes: anHour(32 * MB), outbound: { perSecond: 5, burst: 300 } },
  node: { requests: { perSecond: 1_000, burst: 20_000 }, bytes: anHour(100 * MB), outbound: { perSecond: 20, burst: 1_000 } },
};
const SCOPES = Object.keys(BUDGETS) as Scope[];
const KINDS = ['requests', 'bytes', 'outbound'] as const;

/** Counts what strangers use up. It remembers a bounded number of them; see {@link RateLimiter}. */
export class StrangerBudgets {
  readonly #limiters: Record<Scope, Record<keyof Cost, RateLimiter>>;

  constructor(clock: Clock) {
    const limitersOf = (scope: Scope) => ({
      requests: new RateLimiter(BUDGETS[scope].requests, clock),
      bytes: new RateLimiter(BUDGETS[scope].bytes, clock),
      outbound: new RateLimiter(BUDGETS[scope].outbound, clock),
    });
    this.#limiters = { key: limitersOf('key'), origin: limitersOf('origin'), network: limitersOf('network'), node: limitersOf('node') };
  }

  /**
   * Takes a cost out of every budget that it concerns, or out of none.
   * @returns 0 when all had room. Otherwise it returns after how many milliseconds they will.
   */
  take(stranger: Stranger, cost: Partial<Cost>): number {
    const keys: Partial<Record<Scope, string>> = { ...stranger, node: '' };
    const taken = SCOPES.flatMap((scope) =>
      KINDS.flatMap((kind) => {
        const [key, units = 0] = [keys[scope], cost[kind]];
        return key === undefined || units === 0 ? [] : [{ limiter: this.#limiters[scope][kind], key: short(key), units }];
      }),
    );
    const wait = Math.max(0, ...taken.map(({ limiter, key, units }) => limiter.waitFor(key, units)));
    if (wait === 0) for (const { limiter, key, units } of taken) limiter.charge(key, units);
    return wait;
  }
}

/** A client may have an id of 2,048 characters, and many clients may come. */
const short = (key: string): string => (key.length <= 64 ? key : createHash('sha256').update(key).digest('base64url'));
