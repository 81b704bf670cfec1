import { createHash } from 'node:crypto';
import { type Cost, type Scope, STRANGER_BUDGETS } from '../../access/clients/tier-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';

/** Whom a request is counted for. The node itself is always one of them. */
export type Stranger = Partial<Record<Exclude<Scope, 'node'>, string>>;

const SCOPES = Object.keys(STRANGER_BUDGETS) as Scope[];
const KINDS = ['requests', 'bytes', 'outbound'] as const;

/** Whose budget is used up, and after how many milliseconds it will have room. */
export interface Refusal {
  by: 'caller' | 'node';
  waitMs: number;
}

/** Counts what strangers use up. It remembers a bounded number of them; see {@link RateLimiter}. */
export class StrangerBudgets {
  readonly #limiters: Record<Scope, Record<keyof Cost, RateLimiter>>;

  constructor(clock: Clock) {
    const limitersOf = (scope: Scope) => ({
      requests: new RateLimiter(STRANGER_BUDGETS[scope].requests, clock),
      bytes: new RateLimiter(STRANGER_BUDGETS[scope].bytes, clock),
      outbound: new RateLimiter(STRANGER_BUDGETS[scope].outbound, clock),
    });
    this.#limiters = { key: limitersOf('key'), origin: limitersOf('origin'), network: limitersOf('network'), node: limitersOf('node') };
  }

  /**
   * Takes a cost out of every budget that it concerns, or out of none.
   * @returns undefined when all had room.
   */
  take(stranger: Stranger, cost: Partial<Cost>): Refusal | undefined {
    const keys: Partial<Record<Scope, string>> = { ...stranger, node: '' };
    const taken = SCOPES.flatMap((scope) =>
      KINDS.flatMap((kind) => {
        const [key, units = 0] = [keys[scope], cost[kind]];
        if (key === undefined || units === 0) return [];
        const limiter = this.#limiters[scope][kind];
        return [{ scope, limiter, key: short(key), units, waitMs: limiter.waitFor(short(key), units) }];
      }),
    );
    const full = taken.filter(({ waitMs }) => waitMs > 0);
    if (full.length === 0) for (const { limiter, key, units } of taken) limiter.charge(key, units);
    if (full.length === 0) return undefined;
    const by = full.some(({ scope }) => scope !== 'node') ? 'caller' : 'node';
    return { by, waitMs: Math.max(...full.map(({ waitMs }) => waitMs)) };
  }
}

/** A client may have an id of 2,048 characters, and many clients may come. */
const short = (key: string): string => (key.length <= 64 ? key : createHash('sha256').update(key).digest('base64url'));
