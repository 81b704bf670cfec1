import { isQuiet, minuteOfDay } from '../../../src-shared/notices/quiet-hours.ts';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import type { OperatorApi } from '../../operator-api/operator-api.ts';
import type { Core } from '../../platform/core.ts';
import { BudgetLevels } from './budget-levels.ts';
import { approvalNotice, budgetNotice, claimNotice, failedNotice, manyNotice, type Notice, paidNotice } from './notices.ts';
import { type Detail, detailNow, type ScreenState } from './notification-rules.ts';
import { type Gathered, gather, type Occasion, occasionOf } from './occasions.ts';

/** Events within this time are told together, in milliseconds. */
const GATHER_MS = 1000;

interface Parts extends Pick<Core, 'clock' | 'log'> {
  /** The operations of the node that runs now. */
  calls(): Pick<OperatorApi['calls'], 'payments' | 'approvals' | 'apps'>;
  settings(): DesktopSettings;
  screen(): ScreenState;
  /** Whether the operator is looking at the console. */
  isLooking(): boolean;
  /** Shows a notification. @param detail how much it says */
  show(notice: Notice, detail: Detail): void;
}

/** Notifies the operator of what happens from now on. What happened earlier is in the console. */
export class Notifier {
  readonly #parts: Parts;
  readonly #levels = new BudgetLevels();
  readonly #gatherMs: number;
  #waiting: Occasion[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts, gatherMs = GATHER_MS) {
    this.#parts = parts;
    this.#gatherMs = gatherMs;
  }

  /** Takes the events that were committed. It is a listener of the {@link EventFeed}. */
  readonly hear = (batch: readonly StoredEvent[]): void => {
    const looking = this.#parts.isLooking();
    // While the operator looks at the console, it shows everything but budgets by itself.
    const occasions = batch.map(occasionOf).filter((one): one is Occasion => one !== undefined && (one.kind === 'spent' || !looking));
    if (occasions.length === 0) return;
    this.#waiting.push(...occasions);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#tell();
    }, this.#gatherMs);
  };

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  async #tell(): Promise<void> {
    for (const one of gather(this.#waiting.splice(0))) {
      try {
        await this.#tellOf(one);
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'a notification could not be made');
      }
    }
  }

  async #tellOf(one: Gathered): Promise<void> {
    // The budgets are read even when nothing is shown, so that an old level is not reported later.
    const make = await this.#notice(one);
    const settings = this.#parts.settings();
    if (make === undefined || isQuiet(settings.quietHours, minuteOfDay(this.#parts.clock.now()))) return;
    const detail = detailNow(settings, this.#parts.screen());
    this.#parts.show(make(detail), detail);
  }

  /** Makes the notification for a level of detail. It is undefined when there is nothing to tell any more. */
  async #notice(one: Gathered): Promise<((detail: Detail) => Notice) | undefined> {
    const { payments, approvals } = this.#parts.calls();
    switch (one.kind) {
      case 'paid':
      case 'failed':
      case 'claim': {
        const payment = await payments.get({ id: one.paymentId });
        const notices = { paid: paidNotice, failed: failedNotice, claim: claimNotice };
        return (detail) => notices[one.kind](payment, detail);
      }
      case 'approval': {
        // The operator may have decided the request meanwhile.
        const request = (await approvals.list()).find(({ id }) => id === one.requestId);
        return request && ((detail) => approvalNotice(request, detail));
      }
      case 'spent':
        return await this.#budget(one);
      default:
        return () => manyNotice(one.kind, one.count);
    }
  }

  async #budget({ grantId, amount }: { grantId: string; amount: bigint }): Promise<((detail: Detail) => Notice) | undefined> {
    const grant = await this.#parts.calls().apps.grant({ id: grantId });
    // Every budget is looked at, so that each level counts as told. The notification shows the fuller budget.
    const reached = grant.budgets.flatMap((budget) => {
      const level = this.#levels.reached(grantId, budget, amount);
      return level === undefined ? [] : [{ budget, level }];
    });
    const most = reached.find(({ level }) => level === 100) ?? reached[0];
    return most && ((detail) => budgetNotice(grant, most.budget, most.level, detail));
  }
}
