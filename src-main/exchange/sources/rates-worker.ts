import type { Core } from '../../platform/core.ts';
import { type ChoreParts, Chores } from '../../platform/replicas/chores.ts';
import { type RateSource, type RateSources, waitAfter } from './rate-sources.ts';

const LOOK_MS = 5_000;

interface Parts extends ChoreParts, Pick<Core, 'clock'> {
  sources: Pick<RateSources, 'list' | 'look'>;
}

/**
 * Looks at each source that is switched on, as often as the operator has said, and less often while it brings nothing.
 */
export class RatesWorker extends Chores {
  readonly #parts: Parts;
  /** The time of each source's next look, by its id, on the clock that nobody can set. */
  readonly #due = new Map<string, number>();

  constructor(parts: Parts) {
    super(parts, { everyMs: LOOK_MS, trouble: 'the sources of rates could not be read' });
    this.#parts = parts;
  }

  /** Looks at every source that is due, all at a time. */
  override async doDue(): Promise<void> {
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
