import type { Topic } from '../../src-shared/operator-contract/node.ts';

/** A busy node changes hundreds of times a second; a person reads a few. In milliseconds. */
const GATHER_MS = 150;
/** A reading that hangs must not keep later changes from being read. In milliseconds. */
const READ_AT_MOST_MS = 5000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Gathers the topics of changes and reads them again one round at a time: a change that comes during a round starts the next
 * one, so none is missed and no reading is cut off by the change that follows it.
 * @param read reads everything about the topics again, and resolves when it is read
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
