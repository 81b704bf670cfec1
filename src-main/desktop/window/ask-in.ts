/** What of a window is needed here. */
interface Parent {
  once(event: 'closed', listener: () => void): unknown;
}

/**
 * Puts a question to the person in a window. Without one, macOS shows a message box in a loop of its own, in which nothing else of the process runs, the node
 * neither. When the window is gone before there is an answer, as after a crash of its page, the question is put in the next one.
 * @param front brings a window to the front; undefined when nothing is to be asked any more
 * @returns undefined when there was no window to ask in
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
