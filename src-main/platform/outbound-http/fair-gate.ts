/** The visits that a {@link FairGate} lets in, and the rests of callers and targets. */
export interface GateLimits {
  /** The most visits that are under way at a time. */
  readonly atOnce: number;
  /** The most of them that one caller has. */
  readonly perCaller: number;
  /** The most of them that go to one target. */
  readonly perTarget: number;
  /** The most further visits that wait for their turn. */
  readonly waiting: number;
  /**
   * The place of a caller and that at a target stay taken for this long after a visit that failed, in milliseconds. So
   * a caller whose visits only fail cannot make the node knock at somebody's door at full speed.
   */
  readonly restMs: number;
  /**
   * A visit takes its places for at least this long, in milliseconds. So the node asks a target that answers fast no
   * more than `perTarget` times in that time.
   */
  readonly paceMs?: number;
}

/** A visit: who wants to go where. */
interface Visit {
  readonly caller: string;
  readonly target: string;
}

/** Ends a visit. It is called once. `failed` says that the target gave nothing of use. */
export type Leave = (failed?: boolean) => void;

interface Waiting extends Visit {
  called(leave: Leave | undefined): void;
}

/**
 * Lets some visits go on at a time: in all, for each caller and at each target. The others wait. A free place goes to
 * the caller who has the fewest, so that one who wants a thousand places delays only itself. When too many wait, the
 * gate turns the last of the caller away that has the most waiting.
 */
export class FairGate {
  readonly #limits: GateLimits;
  readonly #callers = new Map<string, number>();
  readonly #targets = new Map<string, number>();
  #inside = 0;
  #waiting: Waiting[] = [];

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a place until `signal` is aborted, and for at most `waitMs` milliseconds.
   * @returns undefined when there was none.
   */
  async enter({ caller, target }: Visit, signal: AbortSignal, waitMs: number): Promise<Leave | undefined> {
    if (signal.aborted) return undefined;
    // Nobody who waits fits: whoever fits is let in at once.
    if (this.#inside < this.#limits.atOnce && this.#fits({ caller, target })) return this.#take({ caller, target });
    return await new Promise((resolve) => {
      const gaveUp = (): void => waiting.called(undefined);
      const patience = setTimeout(gaveUp, waitMs).unref();
      const waiting: Waiting = {
        ...{ caller, target },
        called: (leave) => {
          clearTimeout(patience);
          signal.removeEventListener('abort', gaveUp);
          this.#waiting = this.#waiting.filter((one) => one !== waiting);
          resolve(leave);
        },
      };
      signal.addEventListener('abort', gaveUp);
      this.#waiting.push(waiting);
      if (this.#waiting.length > this.#limits.waiting) this.#lastOfTheGreediest()?.called(undefined);
    });
  }

  /** Lets those in who may go. */
  #admit(): void {
    while (this.#inside < this.#limits.atOnce) {
      const next = this.#waiting
        .filter((one) => this.#fits(one))
        .reduce<Waiting | undefined>((best, one) => this.#fairer(best, one), undefined);
      if (next === undefined) return;
      next.called(this.#take(next));
    }
  }

  #fits({ caller, target }: Visit): boolean {
    const { perCaller, perTarget } = this.#limits;
    return countOf(this.#callers, caller) < perCaller && countOf(this.#targets, target) < perTarget;
  }

  #fairer(best: Waiting | undefined, one: Waiting): Waiting {
    return best === undefined || countOf(this.#callers, one.caller) < countOf(this.#callers, best.caller) ? one : best;
  }

  #take({ caller, target }: Visit): Leave {
    this.#inside += 1;
    add(this.#callers, caller, 1);
    add(this.#targets, target, 1);
    const { restMs, paceMs = 0 } = this.#limits;
    let holds = 1;
    const free = (): void => {
      holds -= 1;
      if (holds > 0) return;
      add(this.#callers, caller, -1);
      add(this.#targets, target, -1);
      this.#admit();
    };
    if (paceMs > 0) {
      holds += 1;
      setTimeout(free, paceMs).unref();
    }
    return (failed = false) => {
      this.#inside -= 1;
      if (failed) setTimeout(free, restMs).unref();
      else free();
      this.#admit();
    };
  }

  #lastOfTheGreediest(): Waiting | undefined {
    const wanted = new Map<string, number>();
    for (const { caller } of this.#waiting) add(wanted, caller, 1);
    const most = Math.max(...wanted.values());
    return this.#waiting.findLast(({ caller }) => wanted.get(caller) === most);
  }
}

const countOf = (counts: ReadonlyMap<string, number>, key: string): number => counts.get(key) ?? 0;

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = countOf(counts, key) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
