/**
 * Awaits statements of a write job that were sent at once. They keep their order. On a database that is far away each
 * answer that is waited for costs the way there and back, so a job sends together what it knows beforehand.
 *
 * It waits for all of them, also when one fails: a part that goes on after its job has failed could write into the next
 * one.
 * @throws the error of the first one that failed, in their order, whichever failed first.
 */
export async function together<T extends readonly unknown[]>(parts: readonly [...T]): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const ended = await Promise.allSettled(parts);
  return ended.map((part) => {
    if (part.status === 'rejected') throw part.reason;
    return part.value;
  }) as { -readonly [P in keyof T]: Awaited<T[P]> };
}
