import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import type { OperatorApi } from '../../operator-api/operator-api.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { BudgetLevels } from './budget-levels.ts';
import { approvalNotice, budgetNotice, failedNotice, manyNotice, type Notice, paidNotice } from './notices.ts';
import { type Detail, detailNow, isQuiet, minuteOfDay, type ScreenState } from './notification-rules.ts';
import { type Gathered, gather, type Occasion, occasionOf } from './occasions.ts';

/** What comes within this long is told together, in milliseconds. */
const GATHER_MS = 1000;

interface NotifierParts {
  /** Of the node that runs now. */
  calls(): Pick<OperatorApi['calls'], 'payments' | 'approvals' | 'apps'>;
  clock: Clock;
  log: Logger;
  settings(): DesktopSettings;
  screen(): ScreenState;
  /** Whether the operator has the console in front of them. */
  isLooking(): boolean;
  /** Shows a notification. @param detail how much it says */
  show(notice: Notice, detail: Detail): void;
}

/** Tells the operator of what happens from now on. What happened before it began to listen is in the console. */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #levels = new BudgetLevels();
  readonly #gatherMs: number;
  #waiting: Occasion[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: NotifierParts, gatherMs = GATHER_MS) {
    this.#parts = parts;
    this.#gatherMs = gatherMs;
  }

  /** Takes what was committed; an {@link EventFeed}'s listener. */
  readonly hear = (batch: readonly StoredEvent[]): void => {
    const looking = this.#parts.isLooking();
    // The console tells of all but budgets by itself.
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
    // Read also when nothing is shown: a budget that was reached unseen is not told of later.
    const make = await this.#notice(one);
    const settings = this.#parts.settings();
    if (make === undefined || isQuiet(settings, minuteOfDay(this.#parts.clock.now()))) return;
    const detail = detailNow(settings, this.#parts.screen());
    this.#parts.show(make(detail), detail);
  }

  /** What to show, once it is known how much of it; undefined when there is nothing to tell any more. */
  async #notice(one: Gathered): Promise<((detail: Detail) => Notice) | undefined> {
    const { payments, approvals } = this.#parts.calls();
    switch (one.kind) {
      case 'paid':
      case 'failed': {
        const payment = await payments.get({ id: one.paymentId });
        return (detail) => (one.kind === 'paid' ? paidNotice(payment, detail) : failedNotice(payment, detail));
      }
      case 'approval': {
        // It may have been decided since.
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
    // Every one is looked at, so that each counts as told; one is shown, the fuller one.
    const reached = grant.budgets.flatMap((budget) => {
      const level = this.#levels.reached(grantId, budget, amount);
      return level === undefined ? [] : [{ budget, level }];
    });
    const most = reached.find(({ level }) => level === 100) ?? reached[0];
    return most && ((detail) => budgetNotice(grant, most.budget, most.level, detail));
  }
}
