import type { Core } from '../platform/core.ts';
import { readNodeState } from '../platform/data-folder/generation.ts';
import { nodeState } from '../platform/data-folder/tables.ts';

/**
 * A node takes no packets with money for this long after its books were put back from a copy, in milliseconds. It is
 * twice as long as a packet lives that a STREAM sender makes.
 */
export const QUIET_MS = 60_000;

/**
 * Books that were put back do not know which packets the node has rejected since the copy. A late copy of such a packet
 * would bring money that its payer has got back and may have sent again. So the node waits until those packets have
 * expired (decisions.md#D-83).
 */
export class QuietAfterCopy {
  readonly #parts: Pick<Core, 'database' | 'clock'>;
  readonly #start: number;
  #isOver = false;

  /** The time counts from here, however often the node starts before it is over. Nobody can set this clock. */
  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
    this.#start = parts.clock.monotonic();
  }

  /** Whether packets with money must still be refused. */
  async lasts(): Promise<boolean> {
    if (this.#isOver) return false;
    const { database, clock } = this.#parts;
    const isQuiet = (await readNodeState(database))?.isQuiet === true;
    if (isQuiet && clock.monotonic() - this.#start < QUIET_MS) return true;
    if (isQuiet) await database.write((tx) => tx.update(nodeState).set({ isQuiet: false }));
    this.#isOver = true;
    return false;
  }
}
