import { setTimeout as wait } from 'node:timers/promises';
import type { RemovedKind } from '../../../src-shared/disk-kinds.ts';
import type { Core } from '../core.ts';
import type { Place } from '../database/places.ts';
import { failPoint } from '../fail-points.ts';
import { WakeLoop } from '../wake-loop.ts';
import { noteClock } from './clock-guard.ts';
import { noteSize } from './disk-days.ts';
import type { RetentionRule } from './rule.ts';

/** How often the node looks for what has become too old, in milliseconds. */
const EVERY_MS = 10 * 60_000;
/** The pause after each batch, in milliseconds. Requests have the node for themselves in it. */
const PAUSE_MS = 25;
/** How often a batch that waits for the log looks whether it still has to, in milliseconds. */
const LOG_LOOK_MS = 250;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  rules: readonly RetentionRule[];
  /**
   * A moment that has been, in milliseconds since the Unix epoch, by which the clock is judged the first time. Without
   * one the clock is believed.
   */
  lastKnown?: () => Promise<number | undefined>;
  /** Whether this process has to look. Without it there is no other. */
  isMine?: () => boolean;
  /** Waits for this many milliseconds. Tests do not wait. */
  pause?: (ms: number) => Promise<unknown>;
}

/** Removes what the rules call too old, batch by batch. Nothing else waits for it, and it may stop at any moment. */
export class Retention {
  readonly #parts: Parts;
  readonly #loop = new WakeLoop({ look: () => this.#look(), everyMs: EVERY_MS });
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Begins no further batch. It resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop.stop();
  }

  /**
   * Goes through all rules once. A rule that fails is logged, and the others go on.
   * @returns how much was removed of each kind. Kinds of which nothing was removed are missing.
   */
  async runOnce(): Promise<Map<RemovedKind, number>> {
    const { log, rules } = this.#parts;
    const removed = new Map<RemovedKind, number>();
    for (const rule of rules) {
      try {
        const count = await this.#follow(rule);
        if (count > 0) removed.set(rule.kind, count);
      } catch (error) {
        // After the stop the books are closed.
        if (!this.#stopped) log.error({ err: error, type: rule.kind }, 'what is too old could not be removed');
      }
    }
    return removed;
  }

  /** Does everything that is due. Nothing is removed while the clock is not trusted. */
  async lookOnce(): Promise<void> {
    const { database, clock, log, lastKnown } = this.#parts;
    const held = await noteClock(database, clock.now(), await lastKnown?.());
    if (held !== undefined) {
      const [before, until] = [new Date(held.provenAt), new Date(held.until)];
      return log.warn({ before, until }, 'the clock has jumped ahead, so nothing is removed yet');
    }
    await noteSize(database, clock.now());
    for (const [type, count] of await this.runOnce()) log.info({ type, count }, 'what was too old was removed');
    while (!this.#stopped && (await database.giveBack())) await this.#pause();
  }

  async #look(): Promise<boolean> {
    const { isMine = () => true } = this.#parts;
    if (!isMine()) return false;
    try {
      await this.lookOnce();
    } catch (error) {
      if (!this.#stopped) this.#parts.log.error({ err: error }, 'the node could not look for what is too old');
    }
    return false;
  }

  async #follow(rule: RetentionRule): Promise<number> {
    const { database, clock } = this.#parts;
    const before = clock.now() - rule.keptMs;
    let place: Place | undefined;
    let removed = 0;
    while (!this.#stopped) {
      const batch = await rule.removeSome(database, before, place);
      removed += batch.removed;
      if (batch.removed > 0) failPoint('removed-some');
      if (!batch.more) break;
      place = batch.place;
      await this.#pause();
    }
    return removed;
  }

  /** Lets requests go on. While a backup reads, all that is removed would go into a log that only grows. */
  async #pause(): Promise<void> {
    const { database, pause = wait } = this.#parts;
    await pause(PAUSE_MS);
    while (!this.#stopped && (await database.isLogHeld())) await pause(LOG_LOOK_MS);
  }
}
