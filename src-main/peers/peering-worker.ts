import type { Core } from '../platform/core.ts';
import { type ChoreParts, Chores } from '../platform/replicas/chores.ts';
import type { AcceptedInvitations } from './invitations/accepted-invitations.ts';
import type { TokenRenewals } from './renewals/token-renewals.ts';

const LOOK_MS = 10_000;
/** How long the node waits between tries that lead no further, at first and at most, in milliseconds. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 10 * 60_000;

interface Parts extends ChoreParts, Pick<Core, 'clock'> {
  accepted: Pick<AcceptedInvitations, 'unfinished' | 'continue'>;
  renewals: Pick<TokenRenewals, 'unfinished' | 'continue'>;
}

/**
 * Continues what the operator has begun with another node and what has not come to its end: because the other node did
 * not answer, or because this node was stopped in between.
 */
export class PeeringWorker extends Chores {
  readonly #parts: Parts;
  /**
   * The time at which the worker tries something again, by its id (on the clock that nobody can set), and after which
   * wait.
   */
  readonly #next = new Map<string, { at: number; waitMs: number }>();

  constructor(parts: Parts) {
    super(parts, { everyMs: LOOK_MS, trouble: 'what was begun with another node could not be continued' });
    this.#parts = parts;
  }

  /** Takes one step of everything that is due. */
  override async doDue(): Promise<void> {
    const { accepted, renewals } = this.#parts;
    const [acceptances, open] = [await accepted.unfinished(), await renewals.unfinished()];
    const steps = [
      ...acceptances.map((one) => ({ id: one.id, step: () => accepted.continue(one) })),
      ...open.map((one) => ({ id: one.id, step: () => renewals.continue(one) })),
    ];
    const present = new Set(steps.map(({ id }) => id));
    for (const id of this.#next.keys()) if (!present.has(id)) this.#next.delete(id);
    await Promise.all(steps.filter(({ id }) => this.#isDue(id)).map(({ step }) => step()));
  }

  #isDue(id: string): boolean {
    const now = this.#parts.clock.monotonic();
    const last = this.#next.get(id);
    if (last !== undefined && now < last.at) return false;
    const waitMs = last === undefined ? FIRST_WAIT_MS : Math.min(last.waitMs * 2, LONGEST_WAIT_MS);
    this.#next.set(id, { at: now + waitMs, waitMs });
    return true;
  }
}
