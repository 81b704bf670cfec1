import { createHash } from 'node:crypto';
import { type Cost, type Scope, STRANGER_BUDGETS } from '../../access/clients/tier-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Rate, RateLimiter } from '../../platform/rate-limiter.ts';

/** Whom a request is counted for, and whom it makes the node ask. The node itself is always one of them. */
export type Stranger = Partial<Record<Exclude<Scope, 'node'>, string>>;

const SCOPES = Object.keys(STRANGER_BUDGETS) as Scope[];
const KINDS = ['requests', 'bytes', 'outbound', 'processor', 'failures'] as const;

/**
 * Whose budget is used up, and after how many milliseconds it will have room. `node`: others have used it up, for the
 * whole node or for one server that it asks.
 */
export interface Refusal {
  by: 'caller' | 'node';
  waitMs: number;
}

/** Counts what strangers use up. It remembers a bounded number of them; see {@link RateLimiter}. */
export class StrangerBudgets {
  readonly #limiters: readonly { scope: Scope; kind: keyof Cost; limiter: RateLimiter }[];

  /** @param shares how many processes the strangers may use. The time of the processor is that of this process. */
  constructor(clock: Clock, shares?: () => number) {
    this.#limiters = SCOPES.flatMap((scope) =>
      KINDS.flatMap((kind) => {
        const rates: Partial<Record<keyof Cost, Rate>> = STRANGER_BUDGETS[scope];
        const rate = rates[kind];
        return rate === undefined
          ? []
          : [{ scope, kind, limiter: new RateLimiter(rate, clock, kind === 'processor' ? undefined : shares) }];
      }),
    );
  }

  /**
   * Takes a cost out of every budget that it concerns, or out of none.
   * @returns undefined when all had room.
   */
  take(stranger: Stranger, cost: Partial<Cost>): Refusal | undefined {
    const refusal = this.refusalOf(stranger, cost);
    if (refusal === undefined) this.charge(stranger, cost);
    return refusal;
  }

  /** What {@link take} would return. It takes nothing. */
  refusalOf(stranger: Stranger, cost: Partial<Cost>): Refusal | undefined {
    let [by, longest]: [Refusal['by'], number] = ['node', 0];
    for (const { scope, kind, limiter } of this.#limiters) {
      const [key, units = 0] = [keyIn(scope, stranger), cost[kind]];
      const waitMs = key === undefined || units === 0 ? 0 : limiter.waitFor(key, units);
      if (waitMs > 0 && scope !== 'node' && scope !== 'target') by = 'caller';
      longest = Math.max(longest, waitMs);
    }
    return longest === 0 ? undefined : { by, waitMs: longest };
  }

  /** Takes a cost that nobody can refuse any more. A budget with less room is empty then. */
  charge(stranger: Stranger, cost: Partial<Cost>): void {
    for (const { scope, kind, limiter } of this.#limiters) {
      const [key, units = 0] = [keyIn(scope, stranger), cost[kind]];
      if (key !== undefined && units !== 0) limiter.charge(key, units);
    }
  }
}

function keyIn(scope: Scope, stranger: Stranger): string | undefined {
  if (scope === 'node') return '';
  const key = stranger[scope];
  return key === undefined ? undefined : short(key);
}

/** A client may have an id of 2,048 characters, and many clients may come. */
const short = (key: string): string => (key.length <= 64 ? key : createHash('sha256').update(key).digest('base64url'));
