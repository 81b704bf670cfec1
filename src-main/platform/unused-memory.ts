import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Logger } from './logs/logger.ts';
import { processorMs } from './processor.ts';

const MB = 1_000_000;
const LOOK_MS = 60_000;
/** The first look, in milliseconds after the start. The start leaves much that nobody needs any more. */
const FIRST_LOOK_MS = 2_000;
/** A node with this much resident memory looks for memory that is free. */
const MUCH = 200 * MB;
/** A node at work with so much resident memory has to do without what only makes answers quicker. */
const TOO_MUCH = 256 * MB;
/** A node at work with so much resident memory collects its garbage, at most once in this time, in milliseconds. */
const FAR_TOO_MUCH = 320 * MB;
const BETWEEN_MS = 5 * 60_000;
/** A node that has used less than this share of a core since the last look has time to collect. */
const QUIET_SHARE = 0.1;
/** The same for the first look. The audit and the other chores begin in these seconds. */
const FIRST_QUIET_SHARE = 0.3;
/** A node that had little to do since it last gave memory back, and has grown by less than this, has little to give. */
const GROWN = 32 * MB;

interface Parts {
  clock: Pick<Clock, 'monotonic'>;
  log: Pick<Logger, 'info'>;
  /** The node's database, which keeps pages and threads for quicker answers. */
  database: Pick<Database, 'rest'>;
  /** The memory that the system has given to this process, in bytes. */
  resident?: () => number;
  /** The processor time that the node has used so far, in milliseconds. */
  processor?: () => number;
  /** Gives back what is free: all of it, or at work what one collection finds. */
  collect?: (flavor: Flavor) => Promise<void>;
}

/** When a look gives all back that is free. */
interface Threshold {
  /** From this resident memory on, in bytes. */
  readonly much: number;
  /** While the node used less than this share of a core since the last look. */
  readonly quietShare: number;
}

/** The kinds of collections of the engine. The second one takes several times as long. */
type Flavor = 'regular' | 'last-resort';

/**
 * Gives memory that a load has left free back to the system (decisions.md#D-71). The engine collects garbage when it
 * needs room. A node that has nothing to do needs none, so by itself the engine would keep what a load has taken.
 */
export class UnusedMemory {
  readonly #parts: Required<Parts>;
  #last: { at: number; used: number };
  /** What was resident after memory was given back. */
  #left = 0;
  /** Whether a look since then found the node at work. */
  #worked = true;
  /** When the node last collected at work. */
  #collectedAt = Number.NEGATIVE_INFINITY;

  constructor({ resident = process.memoryUsage.rss, processor = processorMs, collect = collector(), ...parts }: Parts) {
    this.#parts = { resident, processor, collect, ...parts };
    this.#last = this.#now();
  }

  /** Looks soon after the start, whatever the node has then, and once a minute. @returns a function that ends it. */
  start(): () => void {
    this.#last = this.#now();
    // Asking for the resident memory opens a file of the system, and the process may open none just now.
    const look = (from?: Threshold): void => void this.look(from).catch(() => undefined);
    const first = setTimeout(look, FIRST_LOOK_MS, { much: 0, quietShare: FIRST_QUIET_SHARE }).unref();
    const looking = setInterval(look, LOOK_MS).unref();
    return () => {
      clearTimeout(first);
      clearInterval(looking);
    };
  }

  /**
   * Gives back what is free, when the node was quiet since the last look and has much memory. A node at work gives back
   * what its database keeps for quicker answers, when it has too much, and collects when it has far too much.
   */
  async look({ much, quietShare }: Threshold = { much: MUCH, quietShare: QUIET_SHARE }): Promise<void> {
    const { log, database, resident, collect } = this.#parts;
    const now = this.#now();
    const share = (now.used - this.#last.used) / Math.max(1, now.at - this.#last.at);
    this.#last = now;
    const before = resident();
    if (share >= quietShare) {
      this.#worked = true;
      if (before >= TOO_MUCH) await database.rest();
      if (before < FAR_TOO_MUCH || now.at - this.#collectedAt < BETWEEN_MS) return;
      this.#collectedAt = now.at;
      await collect('regular');
      return;
    }
    if (before < much || (!this.#worked && before - this.#left < GROWN)) return;
    this.#worked = false;
    await database.rest();
    await collect('last-resort');
    this.#left = resident();
    log.info({ beforeMb: Math.round(before / MB), afterMb: Math.round(this.#left / MB) }, 'the node has given unused memory back');
  }

  #now(): { at: number; used: number } {
    return { at: this.#parts.clock.monotonic(), used: this.#parts.processor() };
  }
}

/**
 * Collections of the engine. The strongest also gives back all pages that become free. An engine without them gives
 * back nothing.
 */
function collector(): (flavor: Flavor) => Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return async () => {};
  return async (flavor) => {
    await collect({ type: 'major', execution: 'async', flavor });
  };
}
