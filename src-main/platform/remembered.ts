/** How many answers are remembered of each function. */
const MOST = 512;
/** A longer text is not remembered, in characters. */
const LONGEST = 256;

/**
 * Remembers what a function answers, for a function that always answers the same to a text, with something that nobody
 * changes. Requests name the same addresses and keys again and again, and taking such a text apart takes longer than
 * everything else that is done with it.
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const now = answer(text);
    if (text.length > LONGEST) return now;
    if (known.size >= MOST) known.clear();
    known.set(text, now);
    return now;
  };
}
