import type { Core } from '../platform/core.ts';
import { WakeLoop } from '../platform/wake-loop.ts';
import type { AcceptedInvitations } from './invitations/accepted-invitations.ts';
import type { TokenRenewals } from './renewals/token-renewals.ts';

const LOOK_MS = 10_000;
/** How long the node waits between tries that lead no further, at first and at most, in milliseconds. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 10 * 60_000;

interface Parts extends Pick<Core, 'clock' | 'log'> {
  accepted: Pick<AcceptedInvitations, 'unfinished' | 'continue'>;
  renewals: Pick<TokenRenewals, 'unfinished' | 'continue'>;
  /** Whether this process does what one of the replicas must do. */
  isMine: () => boolean;
}

/**
 * Continues what the operator has begun with another node and what has not come to its end: because the other node did
 * not answer, or because this node was stopped in between.
 */
export class PeeringWorker {
  readonly #parts: Parts;
  readonly #loop = new WakeLoop({ look: () => this.#look(), everyMs: LOOK_MS });
  /**
   * The time at which the worker tries something again, by its id (on the clock that nobody can set), and after which
   * wait.
   */
  readonly #next = new Map<string, { at: number; waitMs: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Waits for the step under way, which ends within the time of an outbound request. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #look(): Promise<boolean> {
    if (!this.#parts.isMine()) return false;
    try {
      await this.continueAll();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'what was begun with another node could not be continued');
    }
    return false;
  }

  /** Takes one step of everything that is due. */
  async continueAll(): Promise<void> {
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
