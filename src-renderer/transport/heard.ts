/**
 * The node sends something on the stream of changes at least twice a second, even if it is only a sign of life. Silence
 * means that the node hangs, or that the connection is cut without notice.
 */
const listeners = new Set<() => void>();

/**
 * Calls `listener` whenever something has come on a stream, signs of life included.
 * @returns a function that stops it
 */
export function onHeard(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the same answer. If it is a stream, the listeners hear everything that comes on it. */
export function overhear(response: Response): Response {
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const notice = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      for (const listener of listeners) listener();
    },
  });
  return new Response(response.body.pipeThrough(notice), response);
}
