import type { Core } from '../../platform/core.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { heldMemory, processorMs } from '../../platform/processor.ts';

/** Whose requests the node refuses because it has too much to do (decisions.md#D-69). */
export type Shed = 'nobody' | 'strangers' | 'everybody';

interface Load {
  /** The node is this late with what is due, in milliseconds. */
  delay: number;
  /** The memory that its objects and buffers hold, in bytes. */
  memory: number;
}

const MB = 1024 * 1024;
/**
 * The loads from which on requests are refused. They are taken again when both figures are below {@link END} of them.
 */
const LIMITS: Readonly<Record<Exclude<Shed, 'nobody'>, Load>> = {
  strangers: { delay: 100, memory: 256 * MB },
  everybody: { delay: 1_000, memory: 512 * MB },
};
const LEVELS: readonly Shed[] = ['nobody', 'strangers', 'everybody'];
const END = 3 / 4;
const LOOK_MS = 100;
/** The node is late when it was so at so many looks in a row, and in time when it was so at as many. */
const LOOKS = 5;
/** A request that comes has others before it when this many are under way. */
const CROWD = 64;
/** How late a turn of the event loop may be in a crowd, in milliseconds. A request needs about three of them. */
const LATE_MS = 100;

interface Parts extends Pick<Core, 'clock'> {
  database: Pick<Database, 'isBusy'>;
  log: Pick<Logger, 'warn' | 'info'>;
  /** The memory that is in use, in bytes. */
  memory?: () => number;
  /** The processor time that the node has used so far, in milliseconds. */
  processor?: () => number;
}

/** Feels how hard the node has to work: how late its timers run, and how much memory it holds. */
export class Pressure {
  readonly #parts: Required<Parts>;
  /** The delays at the last looks. */
  #delays: number[] = Array.from({ length: LOOKS }, () => 0);
  #level = 0;
  /** The time of its last look. */
  #at: number;
  #underWay = 0;

  constructor({ memory = heldMemory, processor = processorMs, ...parts }: Parts) {
    this.#parts = { memory, processor, ...parts };
    this.#at = parts.clock.monotonic();
  }

  get shed(): Shed {
    return LEVELS[this.#level] ?? 'nobody';
  }

  /**
   * Whether a request that comes now would wait too long (decisions.md#D-81).
   * @param writes whether it will write. A slow disk keeps nobody waiting who only reads.
   */
  isFull(writes: boolean): boolean {
    if (writes && this.#parts.database.isBusy) return true;
    return this.#underWay >= CROWD && this.#parts.clock.monotonic() - this.#at - LOOK_MS >= LATE_MS;
  }

  /** Takes a request into account until it has been answered. @returns a function to be called then. */
  begin(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /**
   * Looks at the load ten times a second. When other programs keep the computer busy, refusing would not help: the node
   * is never later than by the processor time that it has used itself.
   * @returns a function that ends it.
   */
  start(): () => void {
    const { clock, memory, processor } = this.#parts;
    this.#at = clock.monotonic();
    let used = processor();
    const looking = setInterval(() => {
      const [now, usedNow] = [clock.monotonic(), processor()];
      this.feel({ delay: Math.max(0, Math.min(now - this.#at - LOOK_MS, usedNow - used)), memory: memory() });
      this.#at = now;
      used = usedNow;
    }, LOOK_MS).unref();
    return () => clearInterval(looking);
  }

  /** Takes a measured load into account. */
  feel({ delay, memory }: Load): void {
    this.#delays = [...this.#delays.slice(1), delay];
    // One long task, such as the start of the node, refuses nobody.
    const [least, most] = [Math.min(...this.#delays), Math.max(...this.#delays)];
    const before = this.#level;
    while (exceeds({ delay: least, memory }, this.#level + 1, 1)) this.#level += 1;
    while (this.#level > 0 && !exceeds({ delay: most, memory }, this.#level, END)) this.#level -= 1;
    if (before === this.#level) return;
    const figures = { refused: this.shed, delayMs: Math.round(delay), memoryMb: Math.round(memory / MB) };
    if (this.#level > before) this.#parts.log.warn(figures, 'the node has too much to do and refuses requests');
    else this.#parts.log.info(figures, 'the node has less to do and takes requests again');
  }
}

/** Whether a load reaches a level, at a share of its limits. */
function exceeds({ delay, memory }: Load, level: number, share: number): boolean {
  const shed = LEVELS[level];
  if (shed === undefined || shed === 'nobody') return false;
  return delay >= LIMITS[shed].delay * share || memory >= LIMITS[shed].memory * share;
}
