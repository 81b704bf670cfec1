import type { Topic } from '../../src-shared/operator-contract/node.ts';

/**
 * How long changes are gathered, in milliseconds. A busy node changes hundreds of times a second; a person can follow a
 * few changes.
 */
const GATHER_MS = 150;
/** How long one round of reading may take, in milliseconds. A round that hangs must not hold up later changes. */
const READ_AT_MOST_MS = 5000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Gathers the topics of changes and reads them again, one round at a time. A change that comes during a round starts
 * the next one, so no change is missed, and no reading is cut off by a later change.
 * @param read reads everything about the topics again, and resolves when it is done
 */
export function gatherTopics(read: (topics: readonly Topic[]) => Promise<unknown>): (topics: readonly Topic[]) => void {
  const waiting = new Set<Topic>();
  let reading = false;
  const readOn = async () => {
    while (waiting.size > 0) {
      await pause(GATHER_MS);
      const topics = [...waiting];
      waiting.clear();
      await Promise.race([read(topics), pause(READ_AT_MOST_MS)]);
    }
    reading = false;
  };
  return (topics) => {
    for (const topic of topics) waiting.add(topic);
    if (reading || waiting.size === 0) return;
    reading = true;
    void readOn();
  };
}
