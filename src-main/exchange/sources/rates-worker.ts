import type { Core } from '../../platform/core.ts';
import { WakeLoop } from '../../platform/wake-loop.ts';
import { type RateSource, type RateSources, waitAfter } from './rate-sources.ts';

const LOOK_MS = 5_000;

interface Parts extends Pick<Core, 'clock' | 'log'> {
  sources: Pick<RateSources, 'list' | 'look'>;
  /** Whether this process does what one of the replicas must do. */
  isMine: () => boolean;
}

/**
 * Looks at each source that is switched on, as often as the operator has said, and less often while it brings nothing.
 */
export class RatesWorker {
  readonly #parts: Parts;
  readonly #loop = new WakeLoop({ look: () => this.#look(), everyMs: LOOK_MS });
  /** The time of each source's next look, by its id, on the clock that nobody can set. */
  readonly #due = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks soon, because there may be a new source. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits for the look under way, which ends within the time of an outbound request. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  async #look(): Promise<boolean> {
    if (!this.#parts.isMine()) return false;
    try {
      await this.lookAtDue();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the sources of rates could not be read');
    }
    return false;
  }

  /** Looks at every source that is due, all at a time. */
  async lookAtDue(): Promise<void> {
    const all = await this.#parts.sources.list();
    const on = all.filter(({ isOn }) => isOn);
    const present = new Set(on.map(({ id }) => id));
    for (const id of this.#due.keys()) if (!present.has(id)) this.#due.delete(id);
    const now = this.#parts.clock.monotonic();
    await Promise.all(on.filter((one) => this.#dueAt(one) <= now).map((one) => this.#lookAt(one.id)));
  }

  /**
   * The time of a source's next look. A source that this process sees for the first time waits for what is left of the
   * stored wait, and never longer than that wait, however the clock was set meanwhile.
   */
  #dueAt(source: RateSource): number {
    const known = this.#due.get(source.id);
    if (known !== undefined) return known;
    const { clock } = this.#parts;
    const wait = waitAfter(source);
    const left = source.lookedAt === null ? 0 : Math.min(wait, Math.max(0, source.lookedAt + wait - clock.now()));
    const due = clock.monotonic() + left;
    this.#due.set(source.id, due);
    return due;
  }

  async #lookAt(id: string): Promise<void> {
    const looked = await this.#parts.sources.look(id);
    if (looked.ok) this.#due.set(id, this.#parts.clock.monotonic() + waitAfter(looked.value));
  }
}
