/** The part of a window that is used here. */
interface Parent {
  once(event: 'closed', listener: () => void): unknown;
}

/**
 * Puts a question to the operator in a window. Without a window, macOS would show the message box in a loop of its own
 * and stop the whole process meanwhile, with the node. When the window goes before there is an answer, as after a crash
 * of its page, the question is put in the next window.
 * @param front brings a window to the front; it gives undefined when there is nothing to ask any more
 * @returns the answer; undefined when there was no window to ask in
 */
export async function askIn<Window extends Parent, Answer extends object>(
  front: () => Window | undefined,
  ask: (window: Window) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let window = front(); window !== undefined; window = front()) {
    const { promise: gone, resolve } = Promise.withResolvers<undefined>();
    window.once('closed', () => resolve(undefined));
    const answer = await Promise.race([ask(window), gone]);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
