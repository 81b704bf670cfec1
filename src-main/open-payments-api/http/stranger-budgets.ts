import { createHash } from 'node:crypto';
import { type Cost, type Scope, STRANGER_BUDGETS } from '../../access/clients/tier-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { FadingSums } from '../../platform/limits/fading-sums.ts';
import { type Rate, RateLimiter } from '../../platform/limits/rate-limiter.ts';

/** Whom a request is counted for, and whom it makes the node ask. The node itself is always one of them. */
export type Stranger = Partial<Record<Exclude<Scope, 'node'>, string | undefined>>;

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

/**
 * What a network has taken of a budget that all share fades: a third of it is left after this many times the time in
 * which the budget fills. With 10 or 100 a wallet that comes now and then was refused more often.
 */
const MEMORY = 30;
/** However much a network has taken, it gets more while the budget holds this part of its burst. */
const MOST = 1 / 3;

interface Budget {
  readonly scope: Scope;
  readonly kind: keyof Cost;
  readonly limiter: RateLimiter;
  /** What each network has taken of a budget that many share. */
  readonly taken: FadingSums | undefined;
}

/**
 * Counts what strangers use up. What all of them share goes to those who have had the least of it: a network gets more
 * only while the budget holds at least as much as it has lately taken. So a few hundred networks that ask for all they
 * can get leave room for one that comes for the first time, and together they still get the whole rate.
 *
 * It remembers a bounded number of strangers; see {@link RateLimiter}.
 */
export class StrangerBudgets {
  readonly #budgets: readonly Budget[];

  /** @param shares how many processes the strangers may use. The time of the processor is that of this process. */
  constructor(clock: Clock, shares: () => number = () => 1) {
    this.#budgets = SCOPES.flatMap((scope) =>
      KINDS.flatMap((kind): Budget[] => {
        const rates: Partial<Record<keyof Cost, Rate>> = STRANGER_BUDGETS[scope];
        const rate = rates[kind];
        if (rate === undefined) return [];
        const sharesOf = kind === 'processor' ? () => 1 : shares;
        const limiter = new RateLimiter(rate, clock, sharesOf);
        return [{ scope, kind, limiter, taken: isShared(scope) ? takenOf(rate, clock, sharesOf) : undefined }];
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
    for (const { scope, limiter, taken, key, units } of this.#concerned(stranger, cost)) {
      const waitMs = limiter.waitFor(key, Math.max(units, taken?.of(takerOf(stranger, key)) ?? 0));
      if (waitMs > 0 && !isShared(scope)) by = 'caller';
      longest = Math.max(longest, waitMs);
    }
    return longest === 0 ? undefined : { by, waitMs: longest };
  }

  /** Takes a cost that nobody can refuse any more. A budget with less room is empty then. */
  charge(stranger: Stranger, cost: Partial<Cost>): void {
    for (const { limiter, taken, key, units } of this.#concerned(stranger, cost)) {
      limiter.charge(key, units);
      taken?.add(takerOf(stranger, key), units);
    }
  }

  /** The budgets that a cost concerns, each with the key by which it counts and the units that it gives. */
  #concerned(stranger: Stranger, cost: Partial<Cost>): (Budget & { key: string; units: number })[] {
    return this.#budgets.flatMap((budget) => {
      const [key, units = 0] = [keyIn(budget.scope, stranger), cost[budget.kind]];
      return key === undefined || units === 0 ? [] : [{ ...budget, key, units }];
    });
  }
}

/** Whether strangers elsewhere use up the same budget. */
const isShared = (scope: Scope): boolean => scope === 'node' || scope === 'target';

const takenOf = ({ perSecond, burst }: Rate, clock: Clock, shares: () => number): FadingSums =>
  new FadingSums(clock, { fadesMs: (MEMORY * 1_000 * burst) / perSecond, most: () => (burst * MOST) / shares() });

/**
 * Who takes of a shared budget: a network. An app that the node knows by its token or key has none here, because others
 * behind its address must not use up what is its own. It counts by itself.
 */
const takerOf = ({ network, key = '' }: Stranger, of: string): string => `${short(network ?? key)} ${of}`;

function keyIn(scope: Scope, stranger: Stranger): string | undefined {
  if (scope === 'node') return '';
  const key = stranger[scope];
  return key === undefined ? undefined : short(key);
}

/** A client may have an id of 2,048 characters, and many clients may come. */
const short = (key: string): string => (key.length <= 64 ? key : createHash('sha256').update(key).digest('base64url'));
